#include "engine/evaluation/report/report_json.h"

#include "engine/evaluation/report/json_parts.h"
#include "engine/evaluation/run/run_display.h"
#include "engine/evaluation/run/shown_lists.h"
#include "engine/sample_steps/fit_source.h"

namespace threefold {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson scoresJson(const Scores& scores) {
    OrderedJson json = {{"prediction_points", scores.predictionPoints},
                        {"truth_points", scores.truthPoints}};
    for (const TruthMeasure& measure : truthMeasures())
        json[measure.key] = numberJson(measure.value(scores));
    if (scores.earthMovers) json["emd_exact"] = scores.earthMovers->isExact;
    json["thresholds"] = jsonArray(scores.measures.fScores, &FScore::threshold);
    return json;
}

OrderedJson distancesJson(const SurfaceDistanceSummaries& distances) {
    OrderedJson json = OrderedJson::object();
    for (const auto& [mesh, summary] : distances.entries())
        for (const SurfaceMeasure& measure : surfaceMeasures())
            json[mesh][measure.key] = measure.value(summary);
    return json;
}

OrderedJson timesJson(const SampleTimes& times) {
    OrderedJson stages = OrderedJson::object();
    for (const StepTiming& timing : times.steps)
        stages[runStepName(timing.step)] = timing.milliseconds;
    OrderedJson json = {{"load", times.load},       {"preprocess", times.preprocess},
                        {"network", times.network}, {"metrics", times.measure},
                        {"write", times.write},     {"stages", std::move(stages)}};
    if (times.fit) json["fit"] = *times.fit;
    return json;
}

OrderedJson recordJson(const SampleRecord& record, const std::vector<Protocol>& protocols) {
    OrderedJson json = {{"position", record.position}, {"given", record.listedName},
                        {"name", record.name},         {"category", record.category},
                        {"truth", record.truth},       {"error", record.error}};
    OrderedJson scores = OrderedJson::object();
    for (std::size_t p = 0; p < protocols.size() && p < record.scores.size(); ++p) {
        OrderedJson& ofProtocol = scores[protocolName(protocols[p])];
        ofProtocol = {{"regressed", record.scores[p].regressed()}};
        for (const auto& [mesh, values] : record.scores[p].entries())
            ofProtocol[mesh] = scoresJson(values);
    }
    json["scores"] = std::move(scores);
    json["silhouettes"] = silhouettesJson(record.silhouettes);
    if (!record.distances.empty()) json["distances"] = distancesJson(record.distances);
    if (record.fitNote) json["fit_note"] = *record.fitNote;
    if (record.fit) {
        OrderedJson& surface = json["fit_surface"] = {{"from", fitSourceName(record.fit->source)}};
        if (record.fit->sureFraction)
            surface["depth"] = {{"sure", *record.fit->sureFraction},
                                {"ms", record.fit->depthMilliseconds.value_or(0)}};
    }
    if (record.succeeded()) json["times"] = timesJson(record.times);
    return json;
}

OrderedJson namesJson(const EvaluationRun& run, const std::vector<std::size_t>& records) {
    return jsonArray(records, [&](std::size_t record) { return displayName(run.records[record]); });
}

OrderedJson failuresJson(const EvaluationRun& run, const std::vector<FailureGroup>& groups) {
    return jsonArray(groups, [&](const FailureGroup& group) -> OrderedJson {
        return {{"reason", group.reason},
                {"count", group.recordIndices.size()},
                {"samples", namesJson(run, group.recordIndices)}};
    });
}

}  // namespace

std::string reportJson(const EvaluationRun& run, const EvaluationSummary& summary) {
    const std::vector<Protocol>& protocols = run.description.identity.measures.protocols;
    const auto group = [&](const GroupSummary& each) { return groupJson(each, protocols); };
    const auto sample = [&](const SampleRecord& record) { return recordJson(record, protocols); };
    const OrderedJson json = {{"schema", "threefold-report"},
                              {"schema_version", kReportSchemaVersion},
                              {"run", runJson(run)},
                              {"measures", measuresJson(truthMeasures())},
                              {"silhouette_measures", measuresJson(silhouetteMeasures())},
                              {"surface_measures", measuresJson(surfaceMeasures())},
                              {"all", group(summary.all)},
                              {"categories", jsonArray(summary.categories, group)},
                              {"failures", failuresJson(run, summary.failures)},
                              {"timing", timeJson(summary.time)},
                              {"worst", namesJson(run, worstRecords(run.records))},
                              {"samples", jsonArray(run.records, sample)}};
    return dumpJson(json, 1) + "\n";
}

}  // namespace threefold
