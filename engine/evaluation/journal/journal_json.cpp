#include "engine/evaluation/journal/journal_json.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/json_text.h"
#include "engine/sample_steps/fit_source.h"

namespace threefold {
namespace {

using Json = nlohmann::json;

template <class Type, class Of>
concept Is = std::same_as<std::remove_const_t<Type>, Of>;

// describe(): field list of a stored type; the same function writes and reads. Fields without keys
// are elements of a JSON array, which is shorter for types that occur often in a record.

void describe(Is<FScore> auto& score, auto visit) {
    visit(score.threshold)(score.precision)(score.recall)(score.fScore);
}
void describe(Is<EarthMoversDistance> auto& distance, auto visit) {
    visit(distance.distance)(distance.lowerBound)(distance.isExact);
}
void describe(Is<Scores> auto& scores, auto visit) {
    visit("protocol", scores.protocol)("predictionPoints", scores.predictionPoints);
    visit("truthPoints", scores.truthPoints)("chamfer", scores.measures.chamfer);
    visit("scores", scores.measures.fScores)("hausdorff", scores.hausdorff);
    visit("hausdorffToTruth", scores.hausdorffToTruth);
    visit("hausdorffFromTruth", scores.hausdorffFromTruth);
    visit("normalConsistency", scores.normalConsistency)("earthMovers", scores.earthMovers);
}
void describe(Is<DistanceSummary> auto& distances, auto visit) {
    visit(distances.mean)(distances.lowerMedian)(distances.p95)(distances.max);
}
constexpr const char* kGpuName = "gpu";
// Meshes of SampleScores; scores are stored in this order, without names.
constexpr std::array<std::string_view, 3> kStoredMeshes{kPublishedStageNames[0],
                                                        kPublishedStageNames[1], kFittedMesh};
void describe(Is<OutlineDistance> auto& distance, auto visit) {
    visit(distance.mean)(distance.hausdorff);
}
void describe(Is<SilhouetteScore> auto& score, auto visit) {
    visit("overlap", score.overlap)("distance", score.outlineDistance);
}
void describe(Is<StepTiming> auto& timing, auto visit) {
    visit(timing.step)(timing.milliseconds);
}
void describe(Is<SampleTimes> auto& times, auto visit) {
    visit("load", times.load)("preprocess", times.preprocess)("network", times.network);
    visit("fit", times.fit)("metrics", times.measure)("write", times.write)("stages", times.steps);
}
void describe(Is<FitRecord> auto& fit, auto visit) {
    visit("from", fit.source)("sure", fit.sureFraction)("depth", fit.depthMilliseconds);
    visit.objectIfSet("outcome", fit.usedViews, [&](auto& usedViews, auto visitOutcome) {
        visitOutcome("used_views", usedViews)("is_discarded", fit.isDiscarded);
    });
}
void describe(Is<WrittenFile> auto& file, auto visit) {
    visit(file.bytes)(file.hash);
}
void describe(Is<SampleRecord> auto& record, auto visit) {
    visit("position", record.position)("given", record.listedName)("name", record.name);
    visit("category", record.category)("truth", record.truth)("error", record.error);
    visit("scores", record.scores)("silhouettes", record.silhouettes)("times", record.times);
    visit("distances", record.distances);
    visit("fitNote", record.fitNote)("surface", record.fit)("meshes", record.meshes);
    visit("truthHash", record.truthHash);
}
void describe(Is<RunIdentity> auto& run, auto visit) {
    visit("version", run.version)("listHash", run.listHash)("listSize", run.listSize);
    visit("modelHash", run.modelHash)("sampler", run.sampler)("backend", run.backend);
    visit("precision", run.precision);
    visit("views", run.measures.views)("protocols", run.measures.protocols);
    visit("tau", run.measures.tau)("earthMovers", run.measures.earthMovers);
    visit("truthSpace", run.measures.truthSpace);
    visit("fit", run.fit)("truthPoints", run.truthPoints);
}
void describe(Is<Shard> auto& shard, auto visit) {
    visit(shard.index)(shard.count);
}
void describe(Is<MachineDescription> auto& machine, auto visit) {
    visit("processor", machine.processor)("instructions", machine.instructions);
    visit("threads", machine.threads)("memory", machine.memory)("system", machine.system);
    visit("gpu", machine.gpu)("driver", machine.driver)("libraries", machine.libraries);
}
void describe(Is<RunFolders> auto& folders, auto visit) {
    visit("images", folders.images)("truths", folders.truths);
}
void describe(Is<RunDescription> auto& description, auto visit) {
    visit("identity", description.identity)("shard", description.shard)("list", description.list);
    visit("modelFile", description.modelFile)("backend", description.backendDescription);
    visit("warmUpRuns", description.warmUpRuns)("measuredOn", description.measuringDevice);
}

struct NoVisitor {};
template <class Type>
concept Described = requires(Type& value) {
    describe(value, NoVisitor{});
};

std::string_view nameOf(Protocol protocol) {
    return protocolName(protocol);
}
std::string_view nameOf(RunStep step) {
    return runStepName(step);
}
std::string_view nameOf(TruthSpaceChoice space) {
    return truthSpaceName(space);
}
std::string_view nameOf(FitSource surface) {
    return fitSourceName(surface);
}
void fromName(const std::string& name, FitSource& surface) {
    surface = fitSourceFromName(name);
}
void fromName(const std::string& name, Protocol& protocol) {
    protocol = protocolFromName(name);
}
void fromName(const std::string& name, TruthSpaceChoice& space) {
    space = truthSpaceFromName(name);
}
void fromName(const std::string& name, RunStep& step) {
    const auto* const found = std::ranges::find(kAllRunSteps, name, runStepName);
    if (found == kAllRunSteps.end()) throw UsageError({"stage", name, "is not known", ""});
    step = *found;
}

template <class Value>
Json toJson(const Value& value);
template <class Value>
void fromJson(const Json& json, Value& value);
template <class Value>
Json meshesToJson(const ByMesh<Value>& values);
template <class Value>
void meshesFromJson(const Json& json, ByMesh<Value>& values);

class Writer {
  public:
    explicit Writer(Json& json) : json_(json) {}
    const Writer& operator()(const auto& element) const {
        json_.push_back(toJson(element));
        return *this;
    }
    /// An optional last element of an array.
    template <class Value>
    const Writer& operator()(const std::optional<Value>& element) const {
        if (element) json_.push_back(toJson(*element));
        return *this;
    }
    const Writer& operator()(const char* key, const auto& field) const {
        json_[key] = toJson(field);
        return *this;
    }
    template <class Value>
    const Writer& operator()(const char* key, const std::optional<Value>& field) const {
        if (field) json_[key] = toJson(*field);
        return *this;
    }
    /// Writes nothing for the processor, which is the default.
    const Writer& operator()(const char* key, MeasuringDevice field) const {
        if (field == MeasuringDevice::gpu) json_[key] = kGpuName;
        return *this;
    }
    const Writer& operator()(const char* key, const SurfaceDistanceSummaries& field) const {
        if (!field.empty()) json_[key] = meshesToJson(field);
        return *this;
    }
    /// An object of several fields, which is there if `field` is set: `describeObject` visits them.
    template <class Value>
    void objectIfSet(const char* key, const std::optional<Value>& field,
                     auto describeObject) const {
        if (field) describeObject(*field, Writer(json_[key]));
    }

  private:
    Json& json_;
};

class Reader {
  public:
    explicit Reader(const Json& json) : json_(json) {}
    Reader& operator()(auto& element) {
        fromJson(json_.at(index_++), element);
        return *this;
    }
    template <class Value>
    Reader& operator()(std::optional<Value>& element) {
        if (index_ < json_.size()) fromJson(json_.at(index_++), element.emplace());
        return *this;
    }
    Reader& operator()(const char* key, auto& field) {
        fromJson(json_.at(key), field);
        return *this;
    }
    template <class Value>
    Reader& operator()(const char* key, std::optional<Value>& field) {
        if (json_.contains(key)) fromJson(json_.at(key), field.emplace());
        return *this;
    }
    Reader& operator()(const char* key, MeasuringDevice& field) {
        if (!json_.contains(key)) return *this;
        const auto name = json_.at(key).get<std::string>();
        if (name != kGpuName) throw UsageError({key, name, "is not known", ""});
        field = MeasuringDevice::gpu;
        return *this;
    }
    Reader& operator()(const char* key, SurfaceDistanceSummaries& field) {
        if (json_.contains(key)) meshesFromJson(json_.at(key), field);
        return *this;
    }
    template <class Value>
    void objectIfSet(const char* key, std::optional<Value>& field, auto describeObject) {
        if (json_.contains(key)) describeObject(field.emplace(), Reader(json_.at(key)));
    }

  private:
    const Json& json_;
    std::size_t index_ = 0;
};

template <class Type>
inline constexpr bool kIsArray = false;
template <class Value, std::size_t Size>
inline constexpr bool kIsArray<std::array<Value, Size>> = true;
template <class Type>
inline constexpr bool kIsVector = false;
template <class Value>
inline constexpr bool kIsVector<std::vector<Value>> = true;

template <class Value>
Json meshesToJson(const ByMesh<Value>& values) {
    Json json = Json::array();
    for (const std::string_view mesh : kStoredMeshes) {
        const Value* const value = values.find(mesh);
        json.push_back(value != nullptr ? toJson(*value) : Json());
    }
    while (!json.empty() && json.back().is_null()) json.erase(json.size() - 1);
    return json;
}

/// Refuses a fitted mesh without a published stage, which ByMesh cannot hold.
template <class Value>
void requirePublished(const Json& json, const ByMesh<Value>& values) {
    if (!values.empty() && values.entries().front().mesh == kFittedMesh)
        throw Json::type_error::create(302, "values of a published stage are expected", &json);
}

template <class Value>
void meshesFromJson(const Json& json, ByMesh<Value>& values) {
    for (std::size_t i = 0; i < std::min(json.size(), kStoredMeshes.size()); ++i) {
        if (json.at(i).is_null()) continue;
        Value value;
        fromJson(json.at(i), value);
        values.add(kStoredMeshes[i], std::move(value));
    }
    if (values.empty()) throw Json::type_error::create(302, "values are expected", &json);
    requirePublished(json, values);
}

Json silhouettesToJson(const ViewSilhouetteScores& silhouettes) {
    Json json{{"view", silhouettes.view}};
    for (const auto& [mesh, score] : silhouettes.meshes.entries()) json[mesh] = toJson(score);
    return json;
}

void silhouettesFromJson(const Json& json, ViewSilhouetteScores& silhouettes) {
    fromJson(json.at("view"), silhouettes.view);
    for (const std::string_view mesh : kStoredMeshes) {
        if (!json.contains(mesh)) continue;
        SilhouetteScore score;
        fromJson(json.at(mesh), score);
        silhouettes.meshes.add(mesh, score);
    }
    requirePublished(json, silhouettes.meshes);
}

template <class Value>
Json toJson(const Value& value) {
    Json json;
    if constexpr (std::is_same_v<Value, SampleScores>) {
        json = meshesToJson(value);
    } else if constexpr (std::is_same_v<Value, ViewSilhouetteScores>) {
        json = silhouettesToJson(value);
    } else if constexpr (Described<const Value>) {
        describe(value, Writer(json));
    } else if constexpr (kIsVector<Value> || kIsArray<Value>) {
        json = Json::array();
        for (const auto& each : value) json.push_back(toJson(each));
    } else if constexpr (std::is_enum_v<Value>) {
        json = nameOf(value);
    } else {
        json = value;
    }
    return json;
}

/// Reads an integer; unlike the JSON library, refuses numbers outside the type's range.
template <class Value>
Value wholeNumber(const Json& json) {
    const bool fits =
        json.is_number_unsigned()
            ? std::in_range<Value>(json.get<std::uint64_t>())
            : json.is_number_integer() && std::in_range<Value>(json.get<std::int64_t>());
    if (!fits) throw Json::type_error::create(302, "a whole number is expected", &json);
    return json.get<Value>();
}

template <class Value>
void fromJson(const Json& json, Value& value) {
    if constexpr (std::is_same_v<Value, SampleScores>) {
        meshesFromJson(json, value);
    } else if constexpr (std::is_same_v<Value, ViewSilhouetteScores>) {
        silhouettesFromJson(json, value);
    } else if constexpr (Described<Value>) {
        describe(value, Reader(json));
    } else if constexpr (kIsArray<Value>) {
        if (json.size() != value.size())
            throw Json::type_error::create(302, "another number of values is expected", &json);
        for (std::size_t i = 0; i < value.size(); ++i) fromJson(json.at(i), value[i]);
    } else if constexpr (kIsVector<Value>) {
        value.clear();
        for (const Json& each : json) fromJson(each, value.emplace_back());
    } else if constexpr (std::is_enum_v<Value>) {
        fromName(json.get<std::string>(), value);
    } else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
        value = wholeNumber<Value>(json);
    } else {
        json.get_to(value);
    }
}

}  // namespace

template <class Stored>
Json journalJson(const Stored& stored) {
    return toJson(stored);
}
template Json journalJson(const SampleRecord&);
template Json journalJson(const MachineDescription&);
template Json journalJson(const RunFolders&);
template Json journalJson(const RunDescription&);

template <class Stored>
Stored fromJournalJson(const Json& json) {
    Stored stored;
    fromJson(json, stored);
    return stored;
}
template SampleRecord fromJournalJson(const Json&);
template MachineDescription fromJournalJson(const Json&);
template RunFolders fromJournalJson(const Json&);
template RunDescription fromJournalJson(const Json&);

std::string afterRoundTrip(const std::string& text) {
    return Json::parse(dumpJson(Json(text))).get<std::string>();
}

SampleRecord afterRoundTrip(SampleRecord record) {
    if (record.fitNote) record.fitNote = afterRoundTrip(*record.fitNote);
    for (std::string* text :
         {&record.listedName, &record.name, &record.category, &record.truth, &record.error})
        *text = afterRoundTrip(*text);
    return record;
}

}  // namespace threefold
