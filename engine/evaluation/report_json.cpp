#include "engine/evaluation/report_json.h"

#include "engine/metrics/measure_table.h"

namespace threefold {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson machineJson(const MachineDescription& machine) {
    return {{"processor", machine.processor}, {"instructions", machine.instructions},
            {"threads", machine.threads},     {"memory", machine.memory},
            {"system", machine.system},       {"gpu", machine.gpu},
            {"driver", machine.driver},       {"libraries", machine.libraries}};
}

OrderedJson silhouetteJson(const SilhouetteScore& score) {
    OrderedJson json = {{"overlap", score.overlap}};
    if (score.distance) {
        json["meanDistancePixels"] = score.distance->mean;
        json["largestDistancePixels"] = score.distance->most;
    }
    return json;
}

OrderedJson timeColumnsJson(const std::vector<TimeColumn>& columns) {
    OrderedJson json = OrderedJson::array();
    for (const TimeColumn& column : columns) {
        OrderedJson entry = {{"key", column.key}, {"title", column.title}};
        entry.update(statisticsJson(column.milliseconds));
        json.push_back(std::move(entry));
    }
    return json;
}

OrderedJson scoresJson(const Scores& scores) {
    OrderedJson json = {{"prediction_points", scores.predictionPoints},
                        {"truth_points", scores.truthPoints}};
    for (const TruthMeasure& measure : truthMeasures()) {
        json[measure.key] = numberJson(measure.value(scores));
    }
    if (scores.earthMovers) json["emd_exact"] = scores.earthMovers->exact;
    OrderedJson thresholds = OrderedJson::array();
    for (const FScore& score : scores.measures.scores) thresholds.push_back(score.threshold);
    json["thresholds"] = std::move(thresholds);
    return json;
}

OrderedJson timesJson(const RecordTimes& times) {
    OrderedJson stages = OrderedJson::object();
    for (const StageTiming& timing : times.stages) {
        stages[stageName(timing.stage)] = timing.milliseconds;
    }
    OrderedJson json = {{"load", times.load},       {"preprocess", times.preprocess},
                        {"network", times.network}, {"metrics", times.metrics},
                        {"write", times.write},     {"stages", std::move(stages)}};
    if (times.fit) json["fit"] = *times.fit;
    return json;
}

OrderedJson recordJson(const SampleRecord& record, const std::vector<Protocol>& protocols) {
    OrderedJson json = {{"position", record.position}, {"given", record.given},
                        {"name", record.name},         {"category", record.category},
                        {"truth", record.truth},       {"error", record.error}};
    OrderedJson scores = OrderedJson::object();
    for (std::size_t p = 0; p < protocols.size() && p < record.scores.size(); ++p) {
        const ScorePair& pair = record.scores[p];
        scores[protocolName(protocols[p])] = {{"regressed", pair.regressed()},
                                              {"coarse", scoresJson(pair.coarse)},
                                              {"refined", scoresJson(pair.refined)}};
        if (pair.fitted) scores[protocolName(protocols[p])]["fitted"] = scoresJson(*pair.fitted);
    }
    json["scores"] = std::move(scores);
    json["silhouettes"] = silhouettesJson(record.silhouettes);
    if (record.fitNote) json["fit_note"] = *record.fitNote;
    if (record.done()) json["times"] = timesJson(record.times);
    return json;
}

/// Statistics by the keys of their measures; omits measures that no sample has.
OrderedJson comparedJson(const auto& summary, const auto& measures) {
    OrderedJson json = OrderedJson::object();
    for (std::size_t m = 0; m < summary.measures.size(); ++m) {
        const ComparedStatistics& compared = summary.measures[m];
        if (!compared.coarse && !compared.refined) continue;
        json[measures[m].key] = {{"coarse", statisticsJson(compared.coarse)},
                                 {"refined", statisticsJson(compared.refined)},
                                 {"difference", statisticsJson(compared.difference)}};
        if (const FittedStatistics& fit = summary.fits[m]; fit.fitted) {
            json[measures[m].key]["fitted"] = statisticsJson(fit.fitted);
            json[measures[m].key]["fitted_difference"] = statisticsJson(fit.difference);
        }
    }
    return json;
}

OrderedJson failuresJson(const EvaluationRun& run, const std::vector<FailureGroup>& groups) {
    OrderedJson json = OrderedJson::array();
    for (const FailureGroup& group : groups) {
        OrderedJson names = OrderedJson::array();
        for (const std::size_t record : group.records) {
            names.push_back(shownName(run.records[record]));
        }
        json.push_back({{"reason", group.reason},
                        {"count", group.records.size()},
                        {"samples", std::move(names)}});
    }
    return json;
}

}  // namespace

OrderedJson runJson(const EvaluationRun& run) {
    const RunDescription& about = run.about;
    const RunIdentity& identity = about.identity;
    OrderedJson protocols = OrderedJson::array();
    for (const Protocol protocol : identity.protocols) {
        protocols.push_back(
            {{"name", protocolName(protocol)}, {"description", protocolDescription(protocol)}});
    }
    OrderedJson machines = OrderedJson::array();
    for (const MachineDescription& machine : about.machines)
        machines.push_back(machineJson(machine));
    const std::vector<int> used = usedViews(run);
    OrderedJson json = {{"version", identity.version},
                        {"list", about.list},
                        {"list_hash", identity.listHash},
                        {"list_size", identity.listSize},
                        {"model_file", about.modelFile},
                        {"model_hash", identity.modelHash},
                        {"sampler", identity.sampler},
                        {"backend", identity.backend},
                        {"backend_description", about.backend},
                        {"precision", identity.precision},
                        {"views", used.empty() ? OrderedJson(nullptr) : OrderedJson(used)},
                        {"views_text", viewsText(run)},
                        {"protocols", std::move(protocols)},
                        {"tau", identity.tau},
                        {"earth_movers", identity.earthMovers},
                        {"shard", {{"index", about.shard.index}, {"count", about.shard.count}}},
                        {"warm_up_runs", about.warmUpRuns},
                        {"machines", std::move(machines)},
                        {"begun", about.begun},
                        {"seconds", about.seconds}};
    if (identity.fit) json["fit"] = *identity.fit;
    return json;
}

OrderedJson statisticsJson(const std::optional<Statistics>& statistics) {
    if (!statistics) return nullptr;
    const Statistics& s = *statistics;
    return {{"count", s.count},   {"mean", s.mean},
            {"median", s.median}, {"deviation", s.deviation},
            {"lowest", s.lowest}, {"highest", s.highest},
            {"p95", s.p95},       {"low", s.low},
            {"high", s.high}};
}

OrderedJson groupJson(const GroupSummary& group, const std::vector<Protocol>& protocols) {
    OrderedJson json = {{"category", group.category},
                        {"name", group.name},
                        {"samples", group.samples},
                        {"failed", group.failed},
                        {"without_truth", group.withoutTruth}};
    OrderedJson byProtocol = OrderedJson::object();
    for (std::size_t p = 0; p < protocols.size(); ++p) {
        const ProtocolSummary& summary = group.protocols[p];
        byProtocol[protocolName(protocols[p])] = {
            {"scored", summary.scored},
            {"regressed", summary.regressed},
            {"measures", comparedJson(summary, truthMeasures())}};
    }
    json["protocols"] = std::move(byProtocol);
    json["silhouettes"] = {{"measured", group.silhouettes.measured},
                           {"regressed", group.silhouettes.regressed},
                           {"measures", comparedJson(group.silhouettes, silhouetteMeasures())}};
    return json;
}

OrderedJson silhouettesJson(std::span<const ViewSilhouettes> silhouettes) {
    OrderedJson json = OrderedJson::array();
    for (const ViewSilhouettes& view : silhouettes) {
        json.push_back({{"view", view.view}});
        if (view.coarse) json.back()["coarse"] = silhouetteJson(*view.coarse);
        if (view.refined) json.back()["refined"] = silhouetteJson(*view.refined);
        if (view.fitted) json.back()["fitted"] = silhouetteJson(*view.fitted);
    }
    return json;
}

OrderedJson timeJson(const TimeSummary& time) {
    return {{"unit", "ms"},
            {"network", statisticsJson(time.network)},
            {"samples_per_second", time.samplesPerSecond},
            {"verdict", time.verdict},
            {"parts", timeColumnsJson(time.parts)},
            {"stages", timeColumnsJson(time.stages)}};
}

std::string jsonText(const OrderedJson& json, int indent) {
    return json.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string reportJson(const EvaluationRun& run, const EvaluationSummary& summary) {
    const std::vector<Protocol>& protocols = run.about.identity.protocols;
    OrderedJson categories = OrderedJson::array();
    for (const GroupSummary& group : summary.categories) {
        categories.push_back(groupJson(group, protocols));
    }
    OrderedJson worst = OrderedJson::array();
    for (const std::size_t record : worstRecords(run.records)) {
        worst.push_back(shownName(run.records[record]));
    }
    OrderedJson samples = OrderedJson::array();
    for (const SampleRecord& record : run.records) samples.push_back(recordJson(record, protocols));
    const OrderedJson json = {{"schema", "threefold-report"},
                              {"schema_version", kReportSchemaVersion},
                              {"run", runJson(run)},
                              {"measures", measuresJson(truthMeasures())},
                              {"silhouette_measures", measuresJson(silhouetteMeasures())},
                              {"all", groupJson(summary.all, protocols)},
                              {"categories", std::move(categories)},
                              {"failures", failuresJson(run, summary.failures)},
                              {"timing", timeJson(summary.time)},
                              {"worst", std::move(worst)},
                              {"samples", std::move(samples)}};
    return jsonText(json, 1) + "\n";
}

}  // namespace threefold
