#include "engine/evaluation/report/json_parts.h"

#include "engine/evaluation/run/run_display.h"

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
    if (score.outlineDistance) {
        json["mean_distance_pixels"] = score.outlineDistance->mean;
        json["largest_distance_pixels"] = score.outlineDistance->hausdorff;
    }
    return json;
}

OrderedJson timeColumnsJson(const std::vector<StepTimeSummary>& columns) {
    return jsonArray(columns, [](const StepTimeSummary& column) {
        OrderedJson json = {{"key", column.key}, {"title", column.title}};
        json.update(statisticsJson(column.statistics));
        if (column.fraction > 0) json["share"] = column.fraction;
        return json;
    });
}

/// Statistics by key of the measure; omits measures without values.
OrderedJson comparedJson(const MeasureSummary& summary, const auto& measures) {
    OrderedJson json = OrderedJson::object();
    for (std::size_t m = 0; m < summary.measures.size(); ++m) {
        const StatisticsByMesh& compared = summary.measures[m];
        if (!compared.first().values && !compared.result().values) continue;
        OrderedJson& ofMeasure = json[measures[m].key];
        for (const auto& [mesh, statistics] : compared.entries()) {
            const bool isFitted = mesh == kFittedMesh;
            if (isFitted && !statistics.values) continue;
            ofMeasure[mesh] = statisticsJson(statistics.values);
            if (&statistics != &compared.first())
                ofMeasure[isFitted ? "fitted_difference" : "difference"] =
                    statisticsJson(statistics.change);
        }
    }
    return json;
}

}  // namespace

OrderedJson runJson(const EvaluationRun& run) {
    const RunDescription& description = run.description;
    const RunIdentity& identity = description.identity;
    const auto protocolJson = [](Protocol protocol) -> OrderedJson {
        return {{"name", protocolName(protocol)}, {"description", protocolDescription(protocol)}};
    };
    const std::vector<int> used = usedViews(run);
    OrderedJson json = {
        {"version", identity.version},
        {"list", description.list},
        {"list_hash", identity.listHash},
        {"list_size", identity.listSize},
        {"model_file", description.modelFile},
        {"model_hash", identity.modelHash},
        {"sampler", identity.sampler},
        {"backend", identity.backend},
        {"backend_description", description.backendDescription},
        {"precision", identity.precision},
        {"views", used.empty() ? OrderedJson(nullptr) : OrderedJson(used)},
        {"views_text", viewsText(run)},
        {"protocols", jsonArray(identity.measures.protocols, protocolJson)},
        {"tau", identity.measures.tau},
        {"earth_movers", identity.measures.earthMovers},
        {"shard", {{"index", description.shard.index}, {"count", description.shard.count}}},
        {"warm_up_runs", description.warmUpRuns},
        {"machines", jsonArray(description.machines, machineJson)},
        {"begun", description.startedAt},
        {"seconds", description.seconds}};
    if (identity.fit) {
        json["fit"] = *identity.fit;
        json["fit_text"] = fitText(*identity.fit);
    }
    if (description.measuringDevice == MeasuringDevice::gpu) json["measured_on"] = "gpu";
    if (const auto& busy = run.deviceStatistics.utilisation) {
        json["gpu_utilisation"] = {{"mean", busy->meanPercent},
                                   {"lowest", busy->minPercent},
                                   {"readings", busy->readingCount}};
    }
    if (const auto& memory = run.deviceStatistics.memory) {
        json["gpu_memory"] = {{"peak_bytes", memory->peakBytes},
                              {"peak_pool_bytes", memory->peakPoolBytes},
                              {"pool_hits", memory->pools.reusedCount},
                              {"pool_frees", memory->pools.freedCount},
                              {"pool_late_allocations", memory->pools.lateAllocationCount}};
    }
    if (identity.truthPoints) json["truth_points"] = *identity.truthPoints;
    return json;
}

OrderedJson statisticsJson(const std::optional<Statistics>& statistics) {
    if (!statistics) return nullptr;
    const Statistics& s = *statistics;
    return {{"count", s.count},      {"mean", s.mean},
            {"median", s.median},    {"deviation", s.standardDeviation},
            {"lowest", s.min},       {"highest", s.max},
            {"p95", s.p95},          {"low", s.intervalLow},
            {"high", s.intervalHigh}};
}

OrderedJson groupJson(const GroupSummary& group, const std::vector<Protocol>& protocols) {
    OrderedJson json = {{"category", group.category},
                        {"name", group.name},
                        {"samples", group.sampleCount},
                        {"failed", group.failedCount},
                        {"without_truth", group.withoutTruthCount}};
    OrderedJson byProtocol = OrderedJson::object();
    for (std::size_t p = 0; p < protocols.size(); ++p) {
        const MeasureSummary& summary = group.protocols[p];
        byProtocol[protocolName(protocols[p])] = {
            {"scored", summary.sampleCount},
            {"regressed", summary.regressedCount},
            {"measures", comparedJson(summary, truthMeasures())}};
    }
    json["protocols"] = std::move(byProtocol);
    json["silhouettes"] = {{"measured", group.silhouettes.sampleCount},
                           {"regressed", group.silhouettes.regressedCount},
                           {"measures", comparedJson(group.silhouettes, silhouetteMeasures())}};
    json["distances"] = {{"measured", group.distances.sampleCount},
                         {"regressed", group.distances.regressedCount},
                         {"measures", comparedJson(group.distances, surfaceMeasures())}};
    return json;
}

OrderedJson silhouettesJson(std::span<const ViewSilhouetteScores> silhouettes) {
    return jsonArray(silhouettes, [](const ViewSilhouetteScores& view) {
        OrderedJson json = {{"view", view.view}};
        for (const auto& [mesh, score] : view.meshes.entries()) json[mesh] = silhouetteJson(score);
        return json;
    });
}

OrderedJson timeJson(const TimeSummary& time) {
    return {{"unit", "ms"},
            {"network", statisticsJson(time.network)},
            {"samples_per_second", time.samplesPerSecond},
            {"verdict", time.bottleneckText},
            {"parts", timeColumnsJson(time.pipelineSteps)},
            {"stages", timeColumnsJson(time.runSteps)}};
}

}  // namespace threefold
