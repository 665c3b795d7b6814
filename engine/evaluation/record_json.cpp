#include "engine/evaluation/record_json.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/error.h"

namespace threefold {
namespace {

using Json = nlohmann::json;

/// What is kept of a type, said once for both directions: each(of, visit) calls visit(key, field)
/// for every field. `kList`: the values alone, in this order, for what a record has many of.
template <class Type>
struct Fields;

template <>
struct Fields<FScore> {
    static constexpr bool kList = true;
    static void each(auto& of, const auto& visit) {
        visit("threshold", of.threshold);
        visit("precision", of.precision);
        visit("recall", of.recall);
        visit("f", of.f);
    }
};

template <>
struct Fields<EarthMovers> {
    static constexpr bool kList = true;
    static void each(auto& of, const auto& visit) {
        visit("distance", of.distance);
        visit("lowerBound", of.lowerBound);
        visit("exact", of.exact);
    }
};

template <>
struct Fields<Scores> {
    static constexpr bool kList = false;
    static void each(auto& of, const auto& visit) {
        visit("protocol", of.protocol);
        visit("predictionPoints", of.predictionPoints);
        visit("truthPoints", of.truthPoints);
        visit("chamfer", of.measures.chamfer);
        visit("scores", of.measures.scores);
        visit("hausdorff", of.hausdorff);
        visit("hausdorffToTruth", of.hausdorffToTruth);
        visit("hausdorffFromTruth", of.hausdorffFromTruth);
        visit("normalConsistency", of.normalConsistency);
        visit("earthMovers", of.earthMovers);
    }
};

template <>
struct Fields<ScorePair> {
    static constexpr bool kList = true;
    static void each(auto& of, const auto& visit) {
        visit("coarse", of.coarse);
        visit("refined", of.refined);
    }
};

template <>
struct Fields<OutlineDistance> {
    static constexpr bool kList = true;
    static void each(auto& of, const auto& visit) {
        visit("mean", of.mean);
        visit("most", of.most);
    }
};

template <>
struct Fields<SilhouetteScore> {
    static constexpr bool kList = false;
    static void each(auto& of, const auto& visit) {
        visit("overlap", of.overlap);
        visit("distance", of.distance);
    }
};

template <>
struct Fields<ViewSilhouettes> {
    static constexpr bool kList = false;
    static void each(auto& of, const auto& visit) {
        visit("view", of.view);
        visit("coarse", of.coarse);
        visit("refined", of.refined);
    }
};

template <>
struct Fields<StageTiming> {
    static constexpr bool kList = true;
    static void each(auto& of, const auto& visit) {
        visit("stage", of.stage);
        visit("milliseconds", of.milliseconds);
    }
};

template <>
struct Fields<RecordTimes> {
    static constexpr bool kList = false;
    static void each(auto& of, const auto& visit) {
        visit("load", of.load);
        visit("preprocess", of.preprocess);
        visit("network", of.network);
        visit("metrics", of.metrics);
        visit("write", of.write);
        visit("stages", of.stages);
    }
};

template <>
struct Fields<SampleRecord> {
    static constexpr bool kList = false;
    static void each(auto& of, const auto& visit) {
        visit("position", of.position);
        visit("given", of.given);
        visit("name", of.name);
        visit("category", of.category);
        visit("truth", of.truth);
        visit("error", of.error);
        visit("scores", of.scores);
        visit("silhouettes", of.silhouettes);
        visit("times", of.times);
    }
};

template <>
struct Fields<RunIdentity> {
    static constexpr bool kList = false;
    static void each(auto& of, const auto& visit) {
        visit("version", of.version);
        visit("listHash", of.listHash);
        visit("listSize", of.listSize);
        visit("modelHash", of.modelHash);
        visit("sampler", of.sampler);
        visit("backend", of.backend);
        visit("precision", of.precision);
        visit("views", of.views);
        visit("protocols", of.protocols);
        visit("tau", of.tau);
        visit("earthMovers", of.earthMovers);
        visit("truthSpace", of.truthSpace);
    }
};

template <>
struct Fields<Shard> {
    static constexpr bool kList = true;
    static void each(auto& of, const auto& visit) {
        visit("index", of.index);
        visit("count", of.count);
    }
};

template <>
struct Fields<MachineDescription> {
    static constexpr bool kList = false;
    static void each(auto& of, const auto& visit) {
        visit("processor", of.processor);
        visit("instructions", of.instructions);
        visit("threads", of.threads);
        visit("memory", of.memory);
        visit("system", of.system);
        visit("gpu", of.gpu);
        visit("driver", of.driver);
        visit("libraries", of.libraries);
    }
};

template <>
struct Fields<RunDescription> {
    static constexpr bool kList = false;
    static void each(auto& of, const auto& visit) {
        visit("identity", of.identity);
        visit("shard", of.shard);
        visit("list", of.list);
        visit("modelFile", of.modelFile);
        visit("backend", of.backend);
        visit("warmUpRuns", of.warmUpRuns);
    }
};

template <class Type>
concept Described = requires {
    Fields<Type>::kList;
};

template <class Type>
inline constexpr bool kIsOptional = false;
template <class Value>
inline constexpr bool kIsOptional<std::optional<Value>> = true;

std::string_view nameOf(Protocol protocol) {
    return protocolName(protocol);
}
std::string_view nameOf(Stage stage) {
    return stageName(stage);
}
void fromName(const std::string& name, Protocol& protocol) {
    protocol = protocolFromName(name);
}
void fromName(const std::string& name, Stage& stage) {
    const auto* const found = std::find_if(std::begin(kAllStages), std::end(kAllStages),
                                           [&](Stage each) { return stageName(each) == name; });
    if (found == std::end(kAllStages)) throw UsageError({"stage", name, "is not known", ""});
    stage = *found;
}

template <class Value>
Json toJson(const std::vector<Value>& values);
template <class Value>
void fromJson(const Json& json, std::vector<Value>& values);

template <class Value>
Json toJson(const Value& value) {
    if constexpr (Described<Value>) {
        Json json = Fields<Value>::kList ? Json::array() : Json::object();
        Fields<Value>::each(value, [&](const char* key, const auto& field) {
            if constexpr (Fields<Value>::kList) {
                json.push_back(toJson(field));
            } else if constexpr (kIsOptional<std::remove_cvref_t<decltype(field)>>) {
                if (field) json[key] = toJson(*field);
            } else {
                json[key] = toJson(field);
            }
        });
        return json;
    } else if constexpr (std::is_enum_v<Value>) {
        return nameOf(value);
    } else {
        return value;
    }
}

template <class Value>
Json toJson(const std::vector<Value>& values) {
    Json json = Json::array();
    for (const Value& value : values) json.push_back(toJson(value));
    return json;
}

template <class Value>
void fromJson(const Json& json, Value& value) {
    if constexpr (Described<Value>) {
        std::size_t at = 0;
        Fields<Value>::each(value, [&](const char* key, auto& field) {
            if constexpr (Fields<Value>::kList) {
                fromJson(json.at(at++), field);
            } else if constexpr (kIsOptional<std::remove_cvref_t<decltype(field)>>) {
                if (json.contains(key)) fromJson(json.at(key), field.emplace());
            } else {
                fromJson(json.at(key), field);
            }
        });
    } else if constexpr (std::is_enum_v<Value>) {
        fromName(json.get<std::string>(), value);
    } else {
        json.get_to(value);
    }
}

template <class Value>
void fromJson(const Json& json, std::vector<Value>& values) {
    for (const Json& each : json) fromJson(each, values.emplace_back());
}

template <class Value>
Value madeFrom(const Json& json) {
    Value value;
    fromJson(json, value);
    return value;
}

}  // namespace

Json journalJson(const SampleRecord& record) {
    return toJson(record);
}

SampleRecord recordFromJson(const Json& json) {
    return madeFrom<SampleRecord>(json);
}

Json journalJson(const MachineDescription& machine) {
    return toJson(machine);
}

MachineDescription machineFromJson(const Json& json) {
    return madeFrom<MachineDescription>(json);
}

Json journalJson(const RunDescription& about) {
    return toJson(about);
}

RunDescription descriptionFromJson(const Json& json) {
    return madeFrom<RunDescription>(json);
}

std::string asKept(const std::string& text) {
    return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace))
        .get<std::string>();
}

SampleRecord asKept(SampleRecord record) {
    for (std::string* text :
         {&record.given, &record.name, &record.category, &record.truth, &record.error}) {
        *text = asKept(*text);
    }
    return record;
}

}  // namespace threefold
