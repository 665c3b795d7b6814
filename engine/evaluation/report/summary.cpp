#include "engine/evaluation/report/summary.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "engine/evaluation/run/run_display.h"
#include "engine/measures/measure_table.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

using Indices = std::vector<std::size_t>;

/// Columns per measure and mesh: values, and changes from the previous mesh.
constexpr std::size_t kColumnsPerMesh = 2;

/// A group with counts, and columns for its statistics.
struct GroupColumns {
    GroupSummary group;
    /// kColumnsPerMesh columns per mesh, for each measure of each protocol, then for each
    /// silhouette measure, then for each surface measure.
    std::vector<std::vector<double>> columns;
};

/// Adds the values of one sample's meshes to the columns; meshes may be missing.
void addMeasured(MeasureSummary& summary, std::vector<double>* columns,
                 const std::vector<std::string>& meshes, const auto& measures, const auto& values) {
    ++summary.sampleCount;
    if (values.regressed()) ++summary.regressedCount;
    for (const auto& measure : measures) {
        std::optional<double> previous;
        for (const std::string& mesh : meshes) {
            std::optional<double> value;
            if (const auto* const entry = values.find(mesh)) value = measure.value(*entry);
            if (value.has_value()) {
                columns[0].push_back(value.value());
                if (previous.has_value()) columns[1].push_back(value.value() - previous.value());
            }
            previous = value;
            columns += kColumnsPerMesh;
        }
    }
}

GroupColumns gather(const EvaluationRun& run, const std::vector<std::string>& meshes,
                    const Indices& members) {
    const std::size_t columnsPerMeasure = kColumnsPerMesh * meshes.size();
    const std::span<const TruthMeasure> measures = truthMeasures();
    const std::size_t protocols = run.description.identity.measures.protocols.size();
    GroupColumns gathered;
    GroupSummary& group = gathered.group;
    group.sampleCount = members.size();
    group.protocols.resize(protocols);
    const std::size_t firstSilhouetteColumn = protocols * measures.size() * columnsPerMeasure;
    const std::size_t firstDistanceColumn =
        firstSilhouetteColumn + silhouetteMeasures().size() * columnsPerMeasure;
    gathered.columns.resize(firstDistanceColumn + surfaceMeasures().size() * columnsPerMeasure);
    for (const std::size_t member : members) {
        const SampleRecord& record = run.records[member];
        if (!record.succeeded()) {
            ++group.failedCount;
            continue;
        }
        if (record.withoutTruth()) ++group.withoutTruthCount;
        for (std::size_t p = 0; p < std::min(protocols, record.scores.size()); ++p) {
            addMeasured(group.protocols[p],
                        &gathered.columns[p * measures.size() * columnsPerMeasure], meshes,
                        measures, record.scores[p]);
        }
        if (const MeansByMesh means = meansOf(record.silhouettes); !means.empty())
            addMeasured(group.silhouettes, &gathered.columns[firstSilhouetteColumn], meshes,
                        silhouetteMeasures(), means);
        if (!record.distances.empty())
            addMeasured(group.distances, &gathered.columns[firstDistanceColumn], meshes,
                        surfaceMeasures(), record.distances);
    }
    return gathered;
}

std::vector<GroupColumns> gatherCategories(const EvaluationRun& run,
                                           const std::vector<std::string>& meshes) {
    std::map<std::string, Indices> byCategory;
    for (std::size_t i = 0; i < run.records.size(); ++i)
        byCategory[run.records[i].category].push_back(i);
    std::vector<GroupColumns> groups;
    for (const auto& [category, members] : byCategory) {
        groups.push_back(gather(run, meshes, members));
        GroupSummary& group = groups.back().group;
        group.category = category;
        group.name = displayCategory(category);
    }
    if (!groups.empty() && groups.front().group.category.empty())
        std::rotate(groups.begin(), groups.begin() + 1, groups.end());
    return groups;
}

/// Computes the statistics of all groups together, so that small groups leave no thread idle.
void addStatistics(std::span<GroupColumns> groups, const std::vector<std::string>& meshes) {
    std::vector<std::vector<double>> columns;
    for (GroupColumns& gathered : groups)
        std::move(gathered.columns.begin(), gathered.columns.end(), std::back_inserter(columns));
    const std::vector<std::optional<Statistics>> statistics = statisticsOf(columns);
    auto next = statistics.begin();
    const auto append = [&](std::size_t count, MeasureSummary& summary) {
        while (summary.measures.size() < count) {
            StatisticsByMesh& compared = summary.measures.emplace_back();
            for (const std::string& mesh : meshes) {
                compared.add(mesh, {next[0], next[1]});
                next += kColumnsPerMesh;
            }
        }
    };
    for (GroupColumns& gathered : groups) {
        for (MeasureSummary& protocol : gathered.group.protocols)
            append(truthMeasures().size(), protocol);
        append(silhouetteMeasures().size(), gathered.group.silhouettes);
        append(surfaceMeasures().size(), gathered.group.distances);
    }
}

std::vector<FailureGroup> groupFailures(const std::vector<SampleRecord>& records) {
    std::vector<FailureGroup> groups;
    std::map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i].succeeded()) continue;
        const auto [entry, isNew] = known.emplace(failurePattern(records[i]), groups.size());
        if (isNew) groups.push_back({records[i].error, {}});
        groups[entry->second].recordIndices.push_back(i);
    }
    std::ranges::stable_sort(groups, std::greater(),
                             [](const FailureGroup& group) { return group.recordIndices.size(); });
    return groups;
}

struct TimedStep {
    std::string_view key;
    std::string_view title;
    double SampleTimes::*milliseconds;  ///< null: SampleTimes::fit, which not every sample has
};
constexpr std::array<TimedStep, 6> kTimedSteps{{
    {"load", "files to pixels, cameras and truth", &SampleTimes::load},
    {"preprocess", "pixels to the network's input", &SampleTimes::preprocess},
    {"network", "both stages, nothing else", &SampleTimes::network},
    {"fit", "the network's meshes to photographs", nullptr},
    {"metrics", "all protocols and silhouettes, every mesh", &SampleTimes::measure},
    {"write", "meshes and thumbnail, flushed", &SampleTimes::write},
}};

std::string bottleneckTextOf(const EvaluationRun& run, const std::vector<StepTimeSummary>& parts,
                             const StepTimings& stepMeans, std::size_t timed) {
    constexpr double kPercent = 100.0;
    // Mean over all timed samples, also those without the part: not every sample has a fit, for
    // example.
    const auto mean = [&](const StepTimeSummary& part) {
        return part.statistics.mean * static_cast<double>(part.statistics.count) /
               static_cast<double>(timed);
    };
    const auto slowest = std::ranges::max_element(parts, {}, mean);
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0,
                                       [&](double s, const auto& part) { return s + mean(part); });
    if (!(sum > 0)) return "No times were recorded.";
    const auto network = std::ranges::find(parts, "network", &StepTimeSummary::key);
    // The parts are disjoint: their times add up to the time of a sample.
    double rest = sum - mean(*slowest);
    std::string text = fmt::format("Bottleneck: {}, {:.1f} % of a sample's time", slowest->key,
                                   kPercent * mean(*slowest) / sum);
    if (slowest != network) {
        rest -= mean(*network);
        text += fmt::format("; network, {:.1f} %", kPercent * mean(*network) / sum);
    }
    text += fmt::format("; all else, {:.1f} %.", kPercent * std::max(rest, 0.0) / sum);
    if (const auto longest = slowestStep(stepMeans); longest && slowest->key == "network")
        text += fmt::format(" Longest: the {}.", longest->text());
    if (!(mean(*network) > 0)) return text;
    const double networkSeconds =
        mean(*network) * static_cast<double>(timed) / kMillisecondsPerSecond;
    if (run.description.seconds > 0)
        text += fmt::format(" The run took {:.1f} % {} than its network's times in total.",
                            kPercent * std::abs(run.description.seconds / networkSeconds - 1),
                            run.description.seconds < networkSeconds ? "shorter" : "longer");
    return text;
}

TimeSummary summariseTime(const EvaluationRun& run) {
    std::vector<std::vector<double>> columns(kTimedSteps.size() + std::size(kAllRunSteps));
    for (const SampleRecord& record : run.records) {
        if (!record.succeeded() || !(record.times.network > 0)) continue;
        for (std::size_t i = 0; i < kTimedSteps.size(); ++i) {
            const auto time = kTimedSteps[i].milliseconds;
            const auto part =
                time != nullptr ? std::optional(record.times.*time) : record.times.fit;
            if (part) columns[i].push_back(*part);
        }
        for (const StepTiming& timing : record.times.steps)
            columns[kTimedSteps.size() + static_cast<std::size_t>(timing.step)].push_back(
                timing.milliseconds);
    }
    const std::vector<std::optional<Statistics>> statistics = statisticsOf(columns);
    TimeSummary time;
    for (std::size_t i = 0; i < kTimedSteps.size(); ++i) {
        if (!statistics[i]) continue;
        time.pipelineSteps.push_back(
            {std::string(kTimedSteps[i].key), std::string(kTimedSteps[i].title), *statistics[i]});
        if (kTimedSteps[i].key == "network") time.network = statistics[i];
    }
    StepTimings means;
    for (const RunStep step : kAllRunSteps) {
        if (!isNetworkStep(step)) continue;
        const auto& column = statistics[kTimedSteps.size() + static_cast<std::size_t>(step)];
        if (!column) continue;
        time.runSteps.push_back(
            {std::string(runStepName(step)), std::string(runStepDescription(step)), *column});
        means.push_back({step, column->mean});
    }
    const double sum = summedBackendMilliseconds(means);
    for (StepTimeSummary& column : time.runSteps)
        column.fraction = sum > 0 ? column.statistics.mean / sum : 0;
    if (!time.network) {
        time.bottleneckText = "No times were recorded.";
        return time;
    }
    time.samplesPerSecond = kMillisecondsPerSecond / time.network->mean;
    time.bottleneckText = bottleneckTextOf(run, time.pipelineSteps, means, time.network->count);
    return time;
}

}  // namespace

std::string failurePattern(const SampleRecord& record) {
    std::string error = record.error;
    if (const std::size_t offset = error.find(record.listedName);
        offset != std::string::npos && !record.listedName.empty())
        error.replace(offset, record.listedName.size(), "…");
    std::string kind;
    std::string word;
    const auto endWord = [&] {
        const bool isSpecific = std::ranges::any_of(word, [](char c) {
            return c == '/' || (std::isdigit(static_cast<unsigned char>(c)) != 0);
        });
        kind += isSpecific ? "…" : word;
        word.clear();
    };
    for (const char c : error) {
        if (c != ' ' && c != '\n') {
            word += c;
            continue;
        }
        endWord();
        kind += ' ';
    }
    endWord();
    return kind;
}

std::vector<std::string> measuredMeshes(std::span<const SampleRecord> records) {
    std::vector<std::string> meshes;
    bool anyFitted = false;
    const auto addNames = [&](const auto& values) {
        for (const auto& [mesh, value] : values.entries()) {
            if (mesh == kFittedMesh)
                anyFitted = true;
            else if (std::ranges::find(meshes, mesh) == meshes.end())
                meshes.push_back(mesh);
        }
    };
    for (const SampleRecord& record : records) {
        for (const SampleScores& scores : record.scores) addNames(scores);
        for (const ViewSilhouetteScores& view : record.silhouettes) addNames(view.meshes);
    }
    if (meshes.empty()) meshes.assign(kPublishedStageNames.begin(), kPublishedStageNames.end());
    if (anyFitted) meshes.emplace_back(kFittedMesh);
    return meshes;
}

std::vector<std::string> networkMeshes(std::vector<std::string> measured) {
    std::erase(measured, kFittedMesh);
    return measured;
}

EvaluationSummary summarise(const EvaluationRun& run) {
    Indices all(run.records.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    EvaluationSummary summary;
    summary.meshes = measuredMeshes(run.records);
    std::vector<GroupColumns> groups = gatherCategories(run, summary.meshes);
    groups.push_back(gather(run, summary.meshes, all));
    groups.back().group.name = "all";
    addStatistics(groups, summary.meshes);
    summary.all = std::move(groups.back().group);
    groups.pop_back();
    for (GroupColumns& gathered : groups) summary.categories.push_back(std::move(gathered.group));
    summary.failures = groupFailures(run.records);
    summary.time = summariseTime(run);
    return summary;
}

}  // namespace threefold
