#include "app/bench/pipeline_runs.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/bench/pipeline_verdict.h"
#include "app/bench/rates.h"
#include "engine/json_text.h"
#include "engine/text.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kPercent = 100;
constexpr double kLatencies[] = {0.5, 0.9, 0.99};

std::string secondsText(double milliseconds) {
    return fmt::format("{:.2f}", milliseconds / kMillisecondsPerSecond);
}

/// Queue length over the run: mean and maximum.
struct QueueUse {
    double mean = 0;
    std::size_t maxDepth = 0;
};

QueueUse queueUse(const PipelineReport& report, std::size_t QueueDepths::*queue) {
    QueueUse use;
    for (const QueueDepths& depths : report.depths) {
        use.mean += static_cast<double>(depths.*queue);
        use.maxDepth = std::max(use.maxDepth, depths.*queue);
    }
    use.mean /= static_cast<double>(std::max<std::size_t>(report.depths.size(), 1));
    return use;
}

double meanBatch(const PipelineReport& report) {
    double samples = 0;
    for (const BatchTime& batch : report.batches) samples += static_cast<double>(batch.size);
    return samples / static_cast<double>(std::max<std::size_t>(report.batches.size(), 1));
}

std::size_t maxBatch(const PipelineReport& report) {
    const auto largest = std::ranges::max_element(report.batches, {}, &BatchTime::size);
    return largest != report.batches.end() ? largest->size : 0;
}

Json stepsJson(const PipelineReport& report) {
    Json steps;
    for (const PipelineStep step : kPipelineSteps) {
        const PipelineStepTimes& use = report.of(step);
        steps[pipelineStepName(step)] = {
            {"samples", use.samples}, {"busyMs", use.busy}, {"onCoreMs", use.cpuTime}};
    }
    return steps;
}

Json workerGroupsJson(const PipelineReport& report) {
    Json groups;
    for (const WorkerGroup group : kWorkerGroups) {
        const WorkerGroupTimes& use = report.of(group);
        groups[workerGroupName(group)] = {{"threads", use.threads},
                                          {"busyMs", report.busy(group)},
                                          {"occupancy", report.occupancy(group)},
                                          {"waitedForWorkMs", use.waitedForWork},
                                          {"waitedForRoomMs", use.waitedForSpace}};
    }
    return groups;
}

Json queuesJson(const PipelineReport& report) {
    const auto queue = [&](std::size_t QueueDepths::*of) {
        const QueueUse use = queueUse(report, of);
        return Json{{"mean", use.mean}, {"most", use.maxDepth}};
    };
    Json json{{"loaded", queue(&QueueDepths::loaded)}, {"computed", queue(&QueueDepths::computed)}};
    json["loaded"]["room"] = report.loadedCapacity;
    json["depths"] = jsonArray(report.depths, [](const QueueDepths& reading) -> Json {
        return {reading.measuredAt, reading.loaded, reading.computed};
    });
    return json;
}

Json runJson(const PipelineRun& run) {
    const PipelineReport& report = run.report;
    const Bottleneck bottleneck = bottleneckOf(report);
    Json latency;
    for (const double fraction : kLatencies)
        latency[fmt::format("p{:.0f}", kPercent * fraction)] = run.latency(fraction);
    return {{"run", run.name},
            {"samples", report.samples},
            {"failed", report.failed},
            {"wallMs", report.wallMilliseconds},
            {"samplesPerSecond", run.samplesPerSecond()},
            {"latencyMs", std::move(latency)},
            {"batches",
             {{"count", report.batches.size()},
              {"mean", meanBatch(report)},
              {"largest", maxBatch(report)}}},
            {"parts", stepsJson(report)},
            {"workers", workerGroupsJson(report)},
            {"queues", queuesJson(report)},
            {"bottleneck",
             {{"part", pipelineStepName(bottleneck.step)},
              {"group", workerGroupName(bottleneck.group)},
              {"fraction", bottleneck.occupancy},
              {"waits", bottleneck.isWaiting},
              {"text", bottleneckText(bottleneck)}}},
            {"processor",
             {{"cores", run.cores},
              {"busyMs", run.processorMilliseconds},
              {"occupancy", run.coresOccupancy()}}},
            {"memoryMb", {{"settled", run.settledMemoryMb}, {"most", run.peakMemoryMb}}}};
}

/// A group's threads and waiting times go into the row of its first active step.
std::string stepsTable(const PipelineReport& report) {
    TextTable table("lrrrrrr");
    table.add({"step", "samples", "busy s", "CPU s", "threads", "waited for work s",
               "waited for room s"});
    std::optional<WorkerGroup> before;
    for (const PipelineStep step : kPipelineSteps) {
        const PipelineStepTimes& use = report.of(step);
        if (use.samples == 0) continue;
        std::vector<std::string> row = {std::string(pipelineStepName(step)),
                                        std::to_string(use.samples), secondsText(use.busy),
                                        secondsText(use.cpuTime)};
        const WorkerGroup group = workerGroupOf(step);
        const WorkerGroupTimes& waits = report.of(group);
        if (before != group)
            row.insert(row.end(), {std::to_string(waits.threads), secondsText(waits.waitedForWork),
                                   secondsText(waits.waitedForSpace)});
        else
            row.insert(row.end(), {"", "", ""});
        before = group;
        table.add(std::move(row));
    }
    return table.text("  ");
}

std::string queuesText(const PipelineReport& report) {
    if (report.batches.empty()) return {};
    const QueueUse loaded = queueUse(report, &QueueDepths::loaded);
    const QueueUse computed = queueUse(report, &QueueDepths::computed);
    return fmt::format(
        "  {} batches of {:.1f} on average, {} at most; samples in the queue to the network {:.1f} "
        "on average (capacity {}), to the finishers {:.1f}\n",
        report.batches.size(), meanBatch(report), maxBatch(report), loaded.mean,
        report.loadedCapacity, computed.mean);
}

std::string verdictText(const ModeVerdict& verdict) {
    return fmt::format("{} {}: {:.1f} % {} than {}\n", verdict.name,
                       verdict.isWorthIt ? "is worth it" : "is not worth it here",
                       kPercent * std::abs(verdict.gain), verdict.gain < 0 ? "slower" : "faster",
                       verdict.baseline);
}

std::string boundText(const ThroughputBound& bound) {
    if (bound.step == kCoresBound)
        return fmt::format(
            "{} reaches {:.1f} % of the throughput that these cores allow for all steps "
            "({:.2f} samples/s)\n",
            bound.mode, kPercent * bound.reached, bound.samplesPerSecond);
    return fmt::format("{} reaches {:.1f} % of the throughput of {} alone ({:.2f} samples/s)\n",
                       bound.mode, kPercent * bound.reached, bound.step, bound.samplesPerSecond);
}

}  // namespace

double PipelineRun::coresOccupancy() const {
    const double available = report.wallMilliseconds * static_cast<double>(cores);
    return available > 0 ? std::clamp(processorMilliseconds / available, 0.0, 1.0) : 0;
}

BenchRow pipelineRow(const PipelineRun& run, const PipelineRun& first) {
    const PipelineReport& report = run.report;
    BenchRow row;
    // Pads to the width of the widest name, since each row is printed before the next is measured.
    row.addLabel("run", fmt::format("{:13}", run.name));
    row.addNumber("samples/s", fmt::format("{:.2f}", run.samplesPerSecond()));
    row.addNumber("wall s", secondsText(report.wallMilliseconds));
    row.addNumber("speed",
                  first.samplesPerSecond() > 0
                      ? fmt::format("{:.2f}×", run.samplesPerSecond() / first.samplesPerSecond())
                      : "");
    row.addNumber("p50 s", secondsText(run.latency(kLatencies[0])));
    row.addNumber("p99 s", secondsText(run.latency(kLatencies[2])));
    for (const WorkerGroup group : kWorkerGroups)
        row.addNumber(std::string(workerGroupName(group)), percentText(report.occupancy(group)));
    row.addNumber("cores", percentText(run.coresOccupancy()));
    row.addNumber("MB at 20 samples", fmt::format("{:.0f}", run.settledMemoryMb));
    row.addNumber("max MB", fmt::format("{:.0f}", run.peakMemoryMb));
    row.addLabel("slowest", std::string(pipelineStepName(bottleneckOf(report).step)));
    row.json = runJson(run);
    return row;
}

std::string pipelineRemarks(std::span<const PipelineRun> runs) {
    std::string text;
    for (const PipelineRun& run : runs) {
        if (run.isSingleStep) continue;
        text += fmt::format("\n{}\n{}{}", run.name, stepsTable(run.report), queuesText(run.report));
        text += fmt::format("  {}\n", bottleneckText(bottleneckOf(run.report)));
        if (run.report.failed > 0) text += fmt::format("  {} failed\n", run.report.failed);
    }
    text += '\n';
    const std::vector<ModeVerdict> verdicts = verdictsOf(runs);
    for (const ModeVerdict& verdict : verdicts)
        if (!verdict.baseline.empty()) text += verdictText(verdict);
    if (verdicts.size() > 1) text += fmt::format("best here: {}\n", recommendedMode(verdicts));
    if (const auto bound = throughputBound(runs)) text += boundText(*bound);
    return text;
}

Json pipelineVerdictJson(std::span<const PipelineRun> runs) {
    Json json;
    const std::vector<ModeVerdict> verdicts = verdictsOf(runs);
    json["verdicts"] = jsonArray(verdicts, [](const ModeVerdict& verdict) {
        Json entry{{"mode", verdict.name}, {"pays", verdict.isWorthIt}};
        if (!verdict.baseline.empty())
            entry.update({{"than", verdict.baseline}, {"gain", verdict.gain}});
        return entry;
    });
    json["recommended"] = recommendedMode(verdicts);
    if (const auto bound = throughputBound(runs))
        json["throughputBound"] = {{"part", bound->step},
                                   {"samplesPerSecond", bound->samplesPerSecond},
                                   {"mode", bound->mode},
                                   {"reached", bound->reached}};
    return json;
}

}  // namespace threefold
