#include "engine/evaluation/report/text_reports.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "engine/evaluation/report/published_means.h"
#include "engine/evaluation/run/run_display.h"
#include "engine/measures/measure_table.h"
#include "engine/mesh.h"
#include "engine/numerics/statistics.h"
#include "engine/text.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

std::string scaledUnit(const MeasureDescription& measure) {
    return measure.unit == Unit::squaredDistance ? "squared, × 10⁻⁴ object units²"
                                                 : std::string(unitName(measure.unit));
}

std::string headerText(const EvaluationRun& run, const EvaluationSummary& summary) {
    const RunIdentity& identity = run.description.identity;
    std::string text =
        fmt::format("Threefold {}: evaluation of {}\n\n", escapeControls(identity.version),
                    escapeControls(run.description.list));
    const std::size_t without = summary.all.withoutTruthCount;
    text += fmt::format("samples    {}: {} done{}, {} failed", summary.all.sampleCount,
                        summary.all.sampleCount - summary.all.failedCount,
                        without > 0 ? fmt::format(" ({} without a truth)", without) : "",
                        summary.all.failedCount);
    text += summary.all.sampleCount == identity.listSize
                ? "\n"
                : fmt::format("; the whole list has {}\n", identity.listSize);
    if (run.description.shard.count > 1)
        text += fmt::format("shard      {}\n", shardText(run.description.shard));
    text +=
        fmt::format("model      {}, {}, sampler {}\n", escapeControls(run.description.modelFile),
                    escapeControls(identity.modelHash), escapeControls(identity.sampler));
    text += fmt::format("backend    {}, {}; views {}\n", escapeControls(identity.backend),
                        escapeControls(identity.precision), viewsText(run));
    if (run.description.measuringDevice == MeasuringDevice::gpu)
        text += "measured   on the GPU, distances in float32\n";
    text += fmt::format(
        "threshold  τ = {:g} object units², on squared distances; F, precision and recall in %\n",
        identity.measures.tau);
    if (identity.truthPoints)
        text += fmt::format("truth      at most {} of its points\n", *identity.truthPoints);
    text += fmt::format(
        "spaces     the first view's camera space; object units: ShapeNet's unit box diagonal × "
        "{:.2f}\n"
        "intervals  95 %, of the mean: bootstrap, {} {:03} resamples, fixed seed\n",
        kObjectDiagonal, kResampleCount / 1000, kResampleCount % 1000);
    if (const std::vector<std::string> meshes = networkMeshes(summary.meshes); meshes.size() > 1)
        text +=
            fmt::format("Δ          {} − {}, sample by sample\n", meshes.back(), meshes.front());
    return text;
}

std::string failuresText(const EvaluationRun& run, const EvaluationSummary& summary) {
    if (summary.failures.empty()) return {};
    constexpr std::size_t kMaxNames = 5;
    std::string text =
        fmt::format("\nFailed: {} of {}\n", summary.all.failedCount, summary.all.sampleCount);
    for (const FailureGroup& group : summary.failures) {
        text += fmt::format(" {} × {}\n", group.recordIndices.size(), escapeControls(group.reason));
        std::string names;
        for (std::size_t i = 0; i < group.recordIndices.size() && i < kMaxNames; ++i)
            names += (i > 0 ? ", " : "") +
                     escapeControls(displayName(run.records[group.recordIndices[i]]));
        if (group.recordIndices.size() > kMaxNames)
            names += fmt::format(" and {} more", group.recordIndices.size() - kMaxNames);
        text += "      " + names + "\n";
    }
    return text;
}

class MeasureTable {
  public:
    /// `published`: heading of the last column.
    explicit MeasureTable(const std::string& published) {
        table_.add({"", "n", "", "mean", "median", "deviation", "95 % interval", published});
    }

    /// Adds rows of the network's meshes, with `published` in the row of the result.
    void addNetwork(const std::string& name, const MeasureDescription& measure,
                    const StatisticsByMesh& compared, const std::string& published) {
        for (const auto& [mesh, statistics] : compared.entries()) {
            if (mesh == kFittedMesh) continue;
            const bool isResult = &statistics == &compared.result();
            addRow(&statistics == &compared.first() ? name : std::string(), mesh, measure,
                   statistics.values, isResult ? published : std::string(), false);
            addRow({}, "Δ", measure, statistics.change, {}, true);
        }
    }

    void addFitted(const std::string& name, const MeasureDescription& measure,
                   const StatisticsByMesh& compared) {
        const MeshStatistics* const fitted = compared.fitted();
        if (fitted == nullptr || !fitted->values) return;
        addRow(name, std::string(kFittedMesh), measure, fitted->values, {}, false);
        addRow({}, "Δ", measure, fitted->change, {}, true);
    }

    std::string text() const { return table_.text("  "); }

  private:
    void addRow(const std::string& name, const std::string& mesh, const MeasureDescription& measure,
                const std::optional<Statistics>& statistics, const std::string& published,
                bool withSign) {
        if (!statistics) return;
        const auto shown = [&](double value) { return shownNumber(measure.unit, value, withSign); };
        const bool spreads = statistics->count > 1;
        table_.add({name, name.empty() ? "" : fmt::format("{}", statistics->count), mesh,
                    shown(statistics->mean), shown(statistics->median),
                    spreads ? shownNumber(measure.unit, statistics->standardDeviation) : "–",
                    statistics->hasInterval()
                        ? fmt::format("{} … {}", shown(statistics->intervalLow),
                                      shown(statistics->intervalHigh))
                        : "–",
                    published});
    }

    TextTable table_{"lrlrrrrr"};
};

std::string groupTitle(const GroupSummary& group) {
    return group.category.empty() || group.category == group.name
               ? escapeControls(group.name)
               : escapeControls(group.name + " " + group.category);
}

std::string heading(const MeasureDescription& measure) {
    return fmt::format("\n  {}, {} ({} is better)\n", measure.title, scaledUnit(measure),
                       measure.betterKey());
}

/// Measures with a table of their own, by category; others have a line for all samples.
constexpr std::string_view kMeasuresByCategory[] = {
    "chamfer",      "f_half_tau",      "f_tau",   "f_1_5_tau",        "f_2tau",
    "surface_mean", "surface_largest", "overlap", "outline_distance",
};

bool isByCategory(const MeasureDescription& measure) {
    return std::ranges::count(kMeasuresByCategory, measure.key) > 0;
}

enum class MeshesShown { both, withPublished, fitted };

/// Tables of the measures of kMeasuresByCategory, for all samples and each category; empty for
/// fitted meshes if there are none. `summaryOf` returns a group's summary of the measures.
std::string byCategory(const EvaluationSummary& summary, const auto& measures, MeshesShown shown,
                       const auto& summaryOf) {
    std::string text;
    for (std::size_t m = 0; m < measures.size(); ++m) {
        const MeasureDescription& measure = measures[m];
        const bool fitted = shown == MeshesShown::fitted;
        const MeshStatistics* const all = summaryOf(summary.all).measures[m].fitted();
        if (!isByCategory(measure) || (fitted && (all == nullptr || !all->values))) continue;
        const bool isPublished =
            shown == MeshesShown::withPublished && PublishedMeans{}.of(measure.key);
        MeasureTable table(isPublished ? "published" : "");
        const auto add = [&](const std::string& name, const GroupSummary& group,
                             const std::optional<PublishedMeans>& means) {
            const StatisticsByMesh& compared = summaryOf(group).measures[m];
            const auto published = isPublished && means ? means->of(measure.key) : std::nullopt;
            if (fitted) return table.addFitted(name, measure, compared);
            table.addNetwork(name, measure, compared,
                             published ? shownNumber(measure.unit, *published) : "");
        };
        add("all", summary.all, publishedMeans(summary.categories));
        for (const GroupSummary& group : summary.categories)
            add(groupTitle(group), group, publishedMeans(group.category));
        text += heading(measure) + table.text();
    }
    return text;
}

const MeasureSummary& silhouettesOf(const GroupSummary& group) {
    return group.silhouettes;
}

const MeasureSummary& distancesOf(const GroupSummary& group) {
    return group.distances;
}

auto protocolOf(std::size_t protocol) {
    return [=](const GroupSummary& group) -> const auto& {
        return group.protocols[protocol];
    };
}

std::string otherMeasuresText(const EvaluationSummary& summary, std::size_t protocol) {
    MeasureTable table("");
    const std::span<const TruthMeasure> measures = truthMeasures();
    for (std::size_t m = 0; m < measures.size(); ++m) {
        if (isByCategory(measures[m])) continue;
        table.addNetwork(fmt::format("{}, {}", measures[m].title, scaledUnit(measures[m])),
                         measures[m], summary.all.protocols[protocol].measures[m], {});
    }
    return "\n  Other measures, all samples\n" + table.text();
}

/// Tables of the third stage, which has no published numbers.
std::string fittedText(const EvaluationRun& run, const EvaluationSummary& summary) {
    if (!run.description.identity.fit) return {};
    std::string text = fmt::format(
        "\nFitted: the {0} meshes, fitted to photographs ({1}); not comparable with published "
        "numbers\nΔ is fitted − {0}, sample by sample\n",
        networkMeshes(summary.meshes).back(), *run.description.identity.fit);
    const std::vector<Protocol>& protocols = run.description.identity.measures.protocols;
    for (std::size_t p = 0; p < protocols.size(); ++p) {
        if (summary.all.protocols[p].sampleCount == 0) continue;
        text += fmt::format("\n  {} protocol\n", protocolName(protocols[p]));
        text += byCategory(summary, truthMeasures(), MeshesShown::fitted, protocolOf(p));
    }
    text += byCategory(summary, silhouetteMeasures(), MeshesShown::fitted, silhouettesOf);
    text += byCategory(summary, surfaceMeasures(), MeshesShown::fitted, distancesOf);
    for (const SampleRecord& record : run.records)
        if (record.fitNote)
            text += fmt::format("  {}: {}\n", escapeControls(displayName(record)),
                                escapeControls(*record.fitNote));
    return text;
}

std::string silhouettes(const EvaluationSummary& summary) {
    const MeasureSummary& all = summary.all.silhouettes;
    std::string text =
        "\nSilhouettes: both meshes against the objects in the photographs they were made from,\n"
        "means over the views of a sample; no truth is needed\n";
    if (all.sampleCount == 0)
        return text + "  no photograph has a mask, transparency or a white background\n";
    text += fmt::format("  Regressed (the {} overlap is the smaller one): {} of {}\n",
                        networkMeshes(summary.meshes).back(), all.regressedCount, all.sampleCount);
    return text + byCategory(summary, silhouetteMeasures(), MeshesShown::both, silhouettesOf);
}

/// Tables of the distances from surfaces, which have no published numbers; empty if no truth has
/// faces.
std::string surfaceDistances(const EvaluationSummary& summary) {
    const MeasureSummary& all = summary.all.distances;
    if (all.sampleCount == 0) return {};
    return fmt::format(
               "\nDistances of the meshes' vertices from the truth's surface, of {} truths with "
               "faces;\nnot squared, whatever the protocol\n"
               "  Regressed (the {} mean is the larger one): {} of {}\n",
               all.sampleCount, networkMeshes(summary.meshes).back(), all.regressedCount,
               all.sampleCount) +
           byCategory(summary, surfaceMeasures(), MeshesShown::both, distancesOf);
}

std::string regressions(const EvaluationSummary& summary, std::size_t protocol) {
    const MeasureSummary& all = summary.all.protocols[protocol];
    std::string text =
        fmt::format("  Regressed (the {} Chamfer distance is the larger one): {} of {}\n",
                    networkMeshes(summary.meshes).back(), all.regressedCount, all.sampleCount);
    std::string parts;
    for (const GroupSummary& group : summary.categories) {
        const MeasureSummary& part = group.protocols[protocol];
        if (part.regressedCount == 0) continue;
        parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", escapeControls(group.name),
                             part.regressedCount);
    }
    if (summary.categories.size() > 1 && !parts.empty()) text += "    " + parts + "\n";
    return text;
}

std::string millisecondsText(double value) {
    constexpr double kThreeDecimalsBelow = 10.0;
    return fmt::format("{:.{}f}", value, value < kThreeDecimalsBelow ? 3 : 1);
}

std::string headline(const EvaluationRun& run, const TimeSummary& time) {
    if (!time.network) return "network    no times were recorded\n";
    const Statistics& network = *time.network;
    const std::string interval =
        network.hasInterval() ? fmt::format("{} … {} ms", millisecondsText(network.intervalLow),
                                            millisecondsText(network.intervalHigh))
                              : "–";
    return fmt::format(
        "network    {} ± {} ms a sample (mean ± deviation of {}), both stages alone\n"
        "           median {}, min {}, max {}, p95 {} ms; 95 % interval of the mean {}\n"
        "           {:.2f} samples/s\n"
        "           excludes {} warm-up runs; device synchronised before and after\n",
        millisecondsText(network.mean),
        network.count > 1 ? millisecondsText(network.standardDeviation) : "–", network.count,
        millisecondsText(network.median), millisecondsText(network.min),
        millisecondsText(network.max), millisecondsText(network.p95), interval,
        time.samplesPerSecond, run.description.warmUpRuns);
}

double gigabytes(std::size_t bytes) {
    constexpr double kGigabyte = 1e9;
    return static_cast<double>(bytes) / kGigabyte;
}

std::string wholeRun(const EvaluationRun& run, const EvaluationSummary& summary) {
    std::string text;
    if (run.description.seconds > 0)
        text += fmt::format(
            "run        {:.1f} s of wall time for {} samples: {:.2f} samples/s, all steps\n",
            run.description.seconds, summary.all.sampleCount,
            static_cast<double>(summary.all.sampleCount) / run.description.seconds);
    if (const auto& busy = run.deviceStatistics.utilisation) {
        text += fmt::format(
            "GPU        busy for {:.0f} % of the time (mean of {} readings, lowest {:.0f} %)\n",
            busy->meanPercent, busy->readingCount, busy->minPercent);
    }
    if (const auto& memory = run.deviceStatistics.memory) {
        text += fmt::format("GPU memory {:.2f} GB at most, {:.2f} GB of it weights and buffers\n",
                            gigabytes(memory->peakBytes), gigabytes(memory->peakPoolBytes));
        text += fmt::format("GPU pools  {}\n", poolUseText(memory->pools));
    }
    if (!run.description.startedAt.empty())
        text += fmt::format("begun      {}\n", run.description.startedAt);
    return text;
}

/// Table of times. `fractions`: adds each row's percentage of the sum.
std::string timesTableText(std::string_view title, const std::vector<StepTimeSummary>& columns,
                           bool fractions) {
    if (columns.empty()) return {};
    constexpr double kPercent = 100.0;
    TextTable rows(fractions ? "lrrrrrrrl" : "lrrrrrrl");
    const auto add = [&](std::vector<std::string> row, std::string fraction) {
        if (fractions) row.insert(row.begin() + 2, std::move(fraction));
        rows.add(row);
    };
    add({std::string(title), "mean", "deviation", "median", "min", "max", "p95", ""}, "%");
    for (const StepTimeSummary& column : columns) {
        const Statistics& s = column.statistics;
        add({"  " + column.key, millisecondsText(s.mean), millisecondsText(s.standardDeviation),
             millisecondsText(s.median), millisecondsText(s.min), millisecondsText(s.max),
             millisecondsText(s.p95), column.title},
            fmt::format("{:.1f}", kPercent * column.fraction));
    }
    return "\n" + rows.text();
}

std::string machineText(const MachineDescription& machine) {
    TextTable rows("ll");
    const auto add = [&](std::string_view key, const std::string& value) {
        if (!value.empty()) rows.add({std::string(key), value});
    };
    add("processor", machine.processor);
    add("instructions", machine.instructions);
    add("threads", machine.threads > 0 ? fmt::format("{}", machine.threads) : "");
    add("memory", machine.memory);
    add("system", machine.system);
    add("GPU", machine.gpu.empty() ? "none used" : machine.gpu);
    add("driver", machine.driver);
    add("libraries", machine.libraries);
    return rows.text("  ");
}

}  // namespace

std::string measuresSummaryText(const EvaluationRun& run, const EvaluationSummary& summary) {
    std::string text = headerText(run, summary) + failuresText(run, summary);
    const std::vector<Protocol>& protocols = run.description.identity.measures.protocols;
    for (std::size_t p = 0; p < protocols.size(); ++p) {
        text += fmt::format("\n{} protocol: {}\n",
                            protocols[p] == Protocol::published ? "Published" : "Surface",
                            protocolDescription(protocols[p]));
        if (summary.all.protocols[p].sampleCount == 0) {
            text += "  no sample has scores\n";
            continue;
        }
        const bool comparable =
            protocols[p] == Protocol::published && run.description.identity.measures.tau == kTau;
        text += regressions(summary, p);
        if (comparable) text += fmt::format("  {}\n", kPublishedLabel);
        text +=
            byCategory(summary, truthMeasures(),
                       comparable ? MeshesShown::withPublished : MeshesShown::both, protocolOf(p));
        text += otherMeasuresText(summary, p);
    }
    return text + silhouettes(summary) + surfaceDistances(summary) + fittedText(run, summary);
}

std::string combinedTimingsText(const EvaluationRun& run, const EvaluationSummary& summary) {
    const RunIdentity& identity = run.description.identity;
    std::string text = fmt::format("Threefold {}: timings, in milliseconds of wall time\n\n",
                                   escapeControls(identity.version));
    text += headline(run, summary.time);
    text += wholeRun(run, summary);
    text += fmt::format("verdict    {}\n", summary.time.bottleneckText);
    text += timesTableText("steps of a sample, ms", summary.time.pipelineSteps, false);
    if (!summary.time.pipelineSteps.empty())
        text += "  Steps of different samples overlap, so that these times do not add up.\n";
    text += timesTableText("stages of the network, ms", summary.time.runSteps, true);
    text +=
        fmt::format("\nmodel      {}\n           {}\n", escapeControls(run.description.modelFile),
                    escapeControls(identity.modelHash));
    text +=
        fmt::format("backend    {}, {}, {}\n", escapeControls(run.description.backendDescription),
                    escapeControls(identity.backend), escapeControls(identity.precision));
    if (run.description.machines.size() > 1)
        text += fmt::format("\n{} machines: the figures above mix their times.\n",
                            run.description.machines.size());
    for (const MachineDescription& machine : run.description.machines)
        text += "\nmachine\n" + machineText(machine);
    return text;
}

}  // namespace threefold
