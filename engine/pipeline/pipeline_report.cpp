#include "engine/pipeline/pipeline_report.h"

#include <algorithm>

#include <fmt/format.h>

namespace threefold {
namespace {

/// Advice if this step is the slowest.
const char* remedyFor(PipelineStep step) {
    switch (step) {
        case PipelineStep::load:
            return "decoding: more cores, or smaller images, help";
        case PipelineStep::network:
            return "a faster device, or a smaller precision, helps";
        case PipelineStep::fit:
            return "more cores, or fewer photographs for the fit, help";
        case PipelineStep::measure:
            return "more cores, or fewer protocols, help";
        case PipelineStep::write:
            return "a faster disk for the output, or leaving out the meshes, helps";
        case PipelineStep::store:
            break;
    }
    return "a faster disk for the output helps";
}

/// The group's step with the longest busy time.
PipelineStep longestOf(const PipelineReport& report, WorkerGroup group) {
    PipelineStep longest = PipelineStep::network;
    double maxBusy = -1;
    for (const PipelineStep step : kPipelineSteps) {
        if (workerGroupOf(step) != group || report.of(step).busy <= maxBusy) continue;
        maxBusy = report.of(step).busy;
        longest = step;
    }
    return longest;
}

}  // namespace

double PipelineReport::busy(WorkerGroup group) const {
    double sum = 0;
    for (const PipelineStep step : kPipelineSteps)
        if (workerGroupOf(step) == group) sum += of(step).busy;
    return sum;
}

double PipelineReport::occupancy(WorkerGroup group) const {
    const double available = of(group).available;
    return available > 0 ? std::clamp(busy(group) / available, 0.0, 1.0) : 0.0;
}

Bottleneck bottleneckOf(const PipelineReport& report) {
    Bottleneck bottleneck;
    double highest = -1;
    for (const WorkerGroup group : kWorkerGroups) {
        const double occupancy = report.occupancy(group);
        if (occupancy <= highest) continue;
        highest = occupancy;
        bottleneck.group = group;
        bottleneck.occupancy = occupancy;
    }
    bottleneck.step = longestOf(report, bottleneck.group);
    const PipelineStepTimes& times = report.of(bottleneck.step);
    if (bottleneck.step == PipelineStep::network)
        bottleneck.networkStep = slowestStep(report.networkSteps);
    bottleneck.isWaiting =
        bottleneck.group != WorkerGroup::network && times.cpuTime < times.busy / 2;
    return bottleneck;
}

std::string bottleneckText(const Bottleneck& bottleneck) {
    const std::string name =
        bottleneck.group == WorkerGroup::finishers
            ? fmt::format("finishing (mostly {})", pipelineStepName(bottleneck.step))
            : std::string(pipelineStepName(bottleneck.step));
    const std::string longestRunStep =
        bottleneck.networkStep ? fmt::format(", longest the {}", bottleneck.networkStep->text())
                               : "";
    return fmt::format("{}: {:.0f} % of the wall time{}; {}", name, 100 * bottleneck.occupancy,
                       longestRunStep,
                       bottleneck.step == PipelineStep::load && bottleneck.isWaiting
                           ? "waiting for files: a faster disk or a local copy helps"
                           : remedyFor(bottleneck.step));
}

}  // namespace threefold
