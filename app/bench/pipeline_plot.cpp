#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "app/bench/pipeline_runs.h"
#include "app/bench/plot.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

std::vector<const PipelineRun*> modesOf(std::span<const PipelineRun> runs) {
    std::vector<const PipelineRun*> modes;
    for (const PipelineRun& run : runs) {
        if (run.mode) modes.push_back(&run);
    }
    return modes;
}

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
        series.points.push_back({static_cast<double>(panel.groups.size()), row.perSecond});
        panel.groups.push_back(std::to_string(row.batch));
    }
    panel.note = "not measured";
    if (!series.points.empty()) panel.series.push_back(std::move(series));
    return panel;
}

PlotPanel latencyPanel(const std::vector<const PipelineRun*>& modes) {
    constexpr double kLongMilliseconds = 1000;
    const auto percentile = [](const PipelineRun& run, double share) {
        return nearestRank(run.report.latencies, share).value_or(0);
    };
    double longest = 0;
    for (const PipelineRun* run : modes) longest = std::max(longest, percentile(*run, 1));
    const bool seconds = longest >= kLongMilliseconds;
    PlotPanel panel{PlotPanel::Kind::bars, "Latency of a sample, from load to stored", "",
                    seconds ? "seconds" : "milliseconds"};
    for (const PipelineRun* run : modes) panel.groups.push_back(run->name);
    constexpr std::array kShares = {0.5, 0.9, 0.99};
    constexpr std::array kNames = {"p50", "p90", "p99"};
    for (std::size_t i = 0; i < kShares.size(); ++i) {
        PlotSeries series{kNames.at(i), {}};
        for (std::size_t mode = 0; mode < modes.size(); ++mode) {
            const double value = percentile(*modes[mode], kShares.at(i));
            series.points.push_back(
                {static_cast<double>(mode),
                 seconds ? hundredths(value / kMillisecondsASecond) : hundredths(value)});
        }
        panel.series.push_back(std::move(series));
    }
    return panel;
}

PlotPanel occupancyPanel(const std::vector<const PipelineRun*>& modes) {
    constexpr double kWhole = 100;
    PlotPanel panel{PlotPanel::Kind::bars, "Occupancy of the crews", "",
                    "% of their threads' time"};
    panel.highest = kWhole;
    for (const PipelineRun* run : modes) panel.groups.push_back(run->name);
    for (const PipelineCrew crew : kPipelineCrews) {
        PlotSeries series{std::string(crewName(crew)), {}};
        for (std::size_t mode = 0; mode < modes.size(); ++mode) {
            series.points.push_back({static_cast<double>(mode),
                                     std::round(kWhole * modes[mode]->report.occupancy(crew))});
        }
        panel.series.push_back(std::move(series));
    }
    return panel;
}

/// At most kMostPoints, each the mean of those in its place: single samples come and go too fast to
/// be drawn.
PlotSeries queueSeries(const char* name, const std::vector<QueueDepths>& depths,
                       std::size_t QueueDepths::*queue) {
    constexpr std::size_t kMostPoints = 120;
    PlotSeries series{name, {}};
    const std::size_t each = (depths.size() + kMostPoints - 1) / kMostPoints;
    for (std::size_t begin = 0; begin < depths.size(); begin += each) {
        const std::size_t end = std::min(begin + each, depths.size());
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += static_cast<double>(depths[i].*queue);
        series.points.push_back(
            {depths[end - 1].at / kMillisecondsASecond, sum / static_cast<double>(end - begin)});
    }
    return series;
}

PlotPanel queuePanel(const std::vector<const PipelineRun*>& modes) {
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
    const std::vector<const PipelineRun*> modes = modesOf(runs);
    const std::array panels = {throughputPanel(sweep), latencyPanel(modes), occupancyPanel(modes),
                               queuePanel(modes)};
    return plotSvg(title, subtitle, panels);
}

}  // namespace threefold
