#include "app/bench/pipeline_verdict.h"

#include <algorithm>
#include <utility>

#include "engine/profile/stopwatch.h"

namespace threefold {

std::vector<ModeVerdict> verdictsOf(std::span<const PipelineRun> runs) {
    std::vector<ModeVerdict> verdicts;
    const PipelineRun* best = nullptr;
    for (const PipelineRun& run : runs) {
        if (run.isSingleStep) continue;
        ModeVerdict verdict{run.name, {}, 0, true};
        if (best != nullptr && best->samplesPerSecond() > 0) {
            verdict.baseline = best->name;
            verdict.gain = run.samplesPerSecond() / best->samplesPerSecond() - 1;
            verdict.isWorthIt = verdict.gain > kMinGain;
        }
        if (verdict.isWorthIt) best = &run;
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

std::string recommendedMode(std::span<const ModeVerdict> verdicts) {
    std::string name;
    for (const ModeVerdict& verdict : verdicts)
        if (verdict.isWorthIt) name = verdict.name;
    return name;
}

std::optional<ThroughputBound> throughputBound(std::span<const PipelineRun> runs) {
    std::optional<ThroughputBound> bound;
    const auto keepIfLower = [&](std::string step, double perSecond) {
        if (perSecond > 0 && (!bound || perSecond < bound->samplesPerSecond))
            bound = ThroughputBound{std::move(step), perSecond, {}, 0};
    };
    double fastest = 0;
    std::string mode;
    // Samples per second that the cores allow, from the mode with the least processor time per
    // sample.
    double coresBound = 0;
    bool hasSingleSteps = false;
    for (const PipelineRun& run : runs) {
        if (run.isSingleStep) {
            hasSingleSteps = true;
            keepIfLower(run.name.substr(0, run.name.find(' ')), run.samplesPerSecond());
            continue;
        }
        if (run.processorMilliseconds > 0)
            coresBound =
                std::max(coresBound, kMillisecondsPerSecond * static_cast<double>(run.cores) *
                                         static_cast<double>(run.report.samples) /
                                         run.processorMilliseconds);
        if (run.samplesPerSecond() <= fastest) continue;
        fastest = run.samplesPerSecond();
        mode = run.name;
    }
    if (!hasSingleSteps || mode.empty()) return std::nullopt;
    keepIfLower(kCoresBound, coresBound);
    if (!bound) return std::nullopt;
    bound->mode = mode;
    bound->reached = fastest / bound->samplesPerSecond;
    return bound;
}

}  // namespace threefold
