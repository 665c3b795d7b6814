#include "engine/evaluation/record_json.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/error.h"

namespace threefold {
namespace {

using Json = nlohmann::json;

Json scoresJson(const Scores& scores) {
    Json thresholds = Json::array();
    for (const FScore& score : scores.measures.scores) {
        thresholds.push_back({score.threshold, score.precision, score.recall, score.f});
    }
    Json json = {{"protocol", protocolName(scores.protocol)},
                 {"predictionPoints", scores.predictionPoints},
                 {"truthPoints", scores.truthPoints},
                 {"chamfer", scores.measures.chamfer},
                 {"scores", std::move(thresholds)},
                 {"hausdorff", scores.hausdorff},
                 {"hausdorffToTruth", scores.hausdorffToTruth},
                 {"hausdorffFromTruth", scores.hausdorffFromTruth}};
    if (scores.normalConsistency) json["normalConsistency"] = *scores.normalConsistency;
    if (scores.earthMovers) {
        json["earthMovers"] = {scores.earthMovers->distance, scores.earthMovers->lowerBound,
                               scores.earthMovers->exact};
    }
    return json;
}

Scores scoresFromJson(const Json& json) {
    Scores scores;
    scores.protocol = protocolFromName(json.at("protocol").get<std::string>());
    json.at("predictionPoints").get_to(scores.predictionPoints);
    json.at("truthPoints").get_to(scores.truthPoints);
    json.at("chamfer").get_to(scores.measures.chamfer);
    for (const Json& at : json.at("scores")) {
        scores.measures.scores.push_back({at.at(0).get<double>(), at.at(1).get<double>(),
                                          at.at(2).get<double>(), at.at(3).get<double>()});
    }
    json.at("hausdorff").get_to(scores.hausdorff);
    json.at("hausdorffToTruth").get_to(scores.hausdorffToTruth);
    json.at("hausdorffFromTruth").get_to(scores.hausdorffFromTruth);
    if (json.contains("normalConsistency")) {
        scores.normalConsistency = json.at("normalConsistency").get<double>();
    }
    if (json.contains("earthMovers")) {
        const Json& moved = json.at("earthMovers");
        scores.earthMovers = EarthMovers{moved.at(0).get<double>(), moved.at(1).get<double>(),
                                         moved.at(2).get<bool>()};
    }
    return scores;
}

Stage stageFromName(const std::string& name) {
    const auto* const found = std::find_if(std::begin(kAllStages), std::end(kAllStages),
                                           [&](Stage stage) { return stageName(stage) == name; });
    if (found == std::end(kAllStages)) throw UsageError({"stage", name, "is not known", ""});
    return *found;
}

Json timesJson(const RecordTimes& times) {
    Json stages = Json::array();
    for (const StageTiming& timing : times.stages) {
        stages.push_back({stageName(timing.stage), timing.milliseconds});
    }
    return {{"load", times.load},       {"preprocess", times.preprocess},
            {"network", times.network}, {"metrics", times.metrics},
            {"write", times.write},     {"stages", std::move(stages)}};
}

RecordTimes timesFromJson(const Json& json) {
    RecordTimes times;
    json.at("load").get_to(times.load);
    json.at("preprocess").get_to(times.preprocess);
    json.at("network").get_to(times.network);
    json.at("metrics").get_to(times.metrics);
    json.at("write").get_to(times.write);
    for (const Json& timing : json.at("stages")) {
        times.stages.push_back(
            {stageFromName(timing.at(0).get<std::string>()), timing.at(1).get<double>()});
    }
    return times;
}

Json identityJson(const RunIdentity& identity) {
    Json protocols = Json::array();
    for (const Protocol protocol : identity.protocols) protocols.push_back(protocolName(protocol));
    return {{"version", identity.version},
            {"listHash", identity.listHash},
            {"listSize", identity.listSize},
            {"modelHash", identity.modelHash},
            {"sampler", identity.sampler},
            {"backend", identity.backend},
            {"precision", identity.precision},
            {"views", identity.views},
            {"protocols", protocols},
            {"tau", identity.tau},
            {"earthMovers", identity.earthMovers},
            {"truthSpace", identity.truthSpace}};
}

RunIdentity identityFromJson(const Json& json) {
    RunIdentity identity;
    json.at("version").get_to(identity.version);
    json.at("listHash").get_to(identity.listHash);
    json.at("listSize").get_to(identity.listSize);
    json.at("modelHash").get_to(identity.modelHash);
    json.at("sampler").get_to(identity.sampler);
    json.at("backend").get_to(identity.backend);
    json.at("precision").get_to(identity.precision);
    json.at("views").get_to(identity.views);
    for (const Json& name : json.at("protocols")) {
        identity.protocols.push_back(protocolFromName(name.get<std::string>()));
    }
    json.at("tau").get_to(identity.tau);
    json.at("earthMovers").get_to(identity.earthMovers);
    json.at("truthSpace").get_to(identity.truthSpace);
    return identity;
}

}  // namespace

Json journalJson(const SampleRecord& record) {
    Json json = {{"position", record.position}, {"given", record.given},
                 {"name", record.name},         {"category", record.category},
                 {"truth", record.truth},       {"times", timesJson(record.times)}};
    if (!record.done()) {
        json["error"] = record.error;
        return json;
    }
    json["scores"] = Json::array();
    for (const ScorePair& pair : record.scores) {
        json["scores"].push_back({scoresJson(pair.coarse), scoresJson(pair.refined)});
    }
    return json;
}

SampleRecord recordFromJson(const Json& json) {
    SampleRecord record;
    json.at("position").get_to(record.position);
    json.at("given").get_to(record.given);
    json.at("name").get_to(record.name);
    json.at("category").get_to(record.category);
    json.at("truth").get_to(record.truth);
    record.times = timesFromJson(json.at("times"));
    if (json.contains("error")) {
        json.at("error").get_to(record.error);
        return record;
    }
    for (const Json& pair : json.at("scores")) {
        record.scores.push_back({scoresFromJson(pair.at(0)), scoresFromJson(pair.at(1))});
    }
    return record;
}

Json journalJson(const MachineDescription& machine) {
    return {{"processor", machine.processor}, {"instructions", machine.instructions},
            {"threads", machine.threads},     {"memory", machine.memory},
            {"system", machine.system},       {"gpu", machine.gpu},
            {"driver", machine.driver},       {"libraries", machine.libraries}};
}

MachineDescription machineFromJson(const Json& json) {
    MachineDescription machine;
    json.at("processor").get_to(machine.processor);
    json.at("instructions").get_to(machine.instructions);
    json.at("threads").get_to(machine.threads);
    json.at("memory").get_to(machine.memory);
    json.at("system").get_to(machine.system);
    json.at("gpu").get_to(machine.gpu);
    json.at("driver").get_to(machine.driver);
    json.at("libraries").get_to(machine.libraries);
    return machine;
}

Json journalJson(const RunDescription& about) {
    return {{"identity", identityJson(about.identity)},
            {"shard", {about.shard.index, about.shard.count}},
            {"list", about.list},
            {"modelFile", about.modelFile},
            {"backend", about.backend},
            {"warmUpRuns", about.warmUpRuns}};
}

RunDescription descriptionFromJson(const Json& json) {
    RunDescription about;
    about.identity = identityFromJson(json.at("identity"));
    about.shard.index = json.at("shard").at(0).get<std::size_t>();
    about.shard.count = json.at("shard").at(1).get<std::size_t>();
    json.at("list").get_to(about.list);
    json.at("modelFile").get_to(about.modelFile);
    json.at("backend").get_to(about.backend);
    json.at("warmUpRuns").get_to(about.warmUpRuns);
    return about;
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
