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
            verdict.pays = verdict.gain > kMinGain;
        }
        if (verdict.pays) best = &run;
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

std::string recommendedMode(std::span<const ModeVerdict> verdicts) {
    std::string name;
    for (const ModeVerdict& verdict : verdicts)
        if (verdict.pays) name = verdict.name;
    return name;
}

std::optional<ThroughputBound> throughputBound(std::span<const PipelineRun> runs) {
    std::optional<ThroughputBound> lowest;
    const auto limit = [&](std::string step, double perSecond) {
        if (perSecond > 0 && (!lowest || perSecond < lowest->samplesPerSecond))
            lowest = ThroughputBound{std::move(step), perSecond, {}, 0};
    };
    double fastest = 0;
    std::string mode;
    double fromCores = 0;  // with the least that a mode's sample took of them
    bool alone = false;
    for (const PipelineRun& run : runs) {
        if (run.isSingleStep) {
            alone = true;
            limit(run.name.substr(0, run.name.find(' ')), run.samplesPerSecond());
            continue;
        }
        if (run.processorMilliseconds > 0)
            fromCores = std::max(fromCores, kMillisecondsInSecond * static_cast<double>(run.cores) *
                                                static_cast<double>(run.report.samples) /
                                                run.processorMilliseconds);
        if (run.samplesPerSecond() <= fastest) continue;
        fastest = run.samplesPerSecond();
        mode = run.name;
    }
    if (!alone || mode.empty()) return std::nullopt;
    limit(kCoresBound, fromCores);
    if (!lowest) return std::nullopt;
    lowest->mode = mode;
    lowest->reached = fastest / lowest->samplesPerSecond;
    return lowest;
}

}  // namespace threefold
