#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/bench/pipeline_runs.h"
#include "app/bench/plot.h"
#include "app/bench/throughput_sweep.h"
#include "engine/pipeline/pipeline.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

double hundredths(double value) {
    constexpr double kHundred = 100;
    return std::round(kHundred * value) / kHundred;
}

PlotPanel throughputPanel(const ThroughputResult& sweep) {
    PlotPanel panel{PlotPanel::Kind::lines, "Throughput over batch size", "samples in a batch",
                    "samples/s"};
    PlotSeries series{"network alone", {}};
    for (const ThroughputRow& row : sweep.rows) {
        if (row.runs == 0) continue;
        series.points.push_back(
            {static_cast<double>(panel.categories.size()), row.meshesPerSecond});
        panel.categories.push_back(std::to_string(row.batch));
    }
    panel.note = "not measured";
    if (!series.points.empty()) panel.series.push_back(std::move(series));
    return panel;
}

using ModeRuns = std::vector<const PipelineRun*>;

/// Series with a value for each mode.
PlotSeries overModes(std::string name, const ModeRuns& modes, const auto& valueOf) {
    PlotSeries series{std::move(name), {}};
    for (const PipelineRun* run : modes)
        series.points.push_back({static_cast<double>(series.points.size()), valueOf(*run)});
    return series;
}

PlotPanel latencyPanel(const ModeRuns& modes) {
    double longest = 0;
    for (const PipelineRun* run : modes) longest = std::max(longest, run->latency(1));
    const bool seconds = longest >= kMillisecondsPerSecond;
    PlotPanel panel{PlotPanel::Kind::bars, "Latency of a sample, from load to stored", "",
                    seconds ? "seconds" : "milliseconds"};
    for (const PipelineRun* run : modes) panel.categories.push_back(run->name);
    for (const double fraction : {0.5, 0.9, 0.99})
        panel.series.push_back(
            overModes(fmt::format("p{:.0f}", 100 * fraction), modes, [&](const PipelineRun& run) {
                return hundredths(run.latency(fraction) / (seconds ? kMillisecondsPerSecond : 1));
            }));
    return panel;
}

PlotPanel occupancyPanel(const ModeRuns& modes) {
    constexpr double kWhole = 100;
    PlotPanel panel{PlotPanel::Kind::bars, "Occupancy of the workers", "",
                    "% of their threads' time"};
    panel.yMax = kWhole;
    for (const PipelineRun* run : modes) panel.categories.push_back(run->name);
    for (const WorkerGroup group : kWorkerGroups)
        panel.series.push_back(
            overModes(std::string(workerGroupName(group)), modes, [&](const PipelineRun& run) {
                return std::round(kWhole * run.report.occupancy(group));
            }));
    return panel;
}

/// Averages the readings of a queue's length to at most kMaxPoints points: single readings change
/// too fast to be drawn.
PlotSeries queueSeries(const char* name, const std::vector<QueueDepths>& depths,
                       std::size_t QueueDepths::*queue) {
    constexpr std::size_t kMaxPoints = 120;
    PlotSeries series{name, {}};
    const std::size_t perMean = (depths.size() + kMaxPoints - 1) / kMaxPoints;
    for (std::size_t begin = 0; begin < depths.size(); begin += perMean) {
        const std::size_t end = std::min(begin + perMean, depths.size());
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += static_cast<double>(depths[i].*queue);
        series.points.push_back({depths[end - 1].measuredAt / kMillisecondsPerSecond,
                                 sum / static_cast<double>(end - begin)});
    }
    return series;
}

PlotPanel queuePanel(const ModeRuns& modes) {
    PlotPanel panel{PlotPanel::Kind::steps, "Queues over time", "seconds", "samples waiting"};
    panel.note = "no queues";
    if (modes.empty() || modes.back()->report.depths.empty()) return panel;
    const PipelineReport& report = modes.back()->report;
    panel.title += ", " + modes.back()->name;
    panel.series = {queueSeries("for the network", report.depths, &QueueDepths::loaded),
                    queueSeries("for the finishers", report.depths, &QueueDepths::computed)};
    return panel;
}

}  // namespace

std::string pipelinePlot(const std::string& title, const std::string& subtitle,
                         std::span<const PipelineRun> runs, const ThroughputResult& sweep) {
    ModeRuns modes;
    for (const PipelineRun& run : runs)
        if (!run.isSingleStep) modes.push_back(&run);
    const std::array panels = {throughputPanel(sweep), latencyPanel(modes), occupancyPanel(modes),
                               queuePanel(modes)};
    return plotSvg(title, subtitle, panels);
}

}  // namespace threefold
