#include "engine/pipeline/worker_planner.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace threefold {
namespace {

/// Factor on the mean number of threads, so that the network does not wait for slow samples.
constexpr double kSlack = 1.25;

/// Minimum ratio of the rates after and before a step; below it, the step is undone.
constexpr double kMinSpeedUp = 1.03;

std::size_t threadsFor(double milliseconds, double interval, std::size_t maximum) {
    if (milliseconds <= 0) return 1;
    const double threads =
        interval > 0 ? std::ceil(kSlack * milliseconds / interval) : static_cast<double>(maximum);
    return std::clamp<std::size_t>(
        static_cast<std::size_t>(std::min(threads, static_cast<double>(maximum))), 1, maximum);
}

}  // namespace

WorkerPlanner::WorkerPlanner(std::size_t cores, bool usesGpu)
    : cores_(std::max<std::size_t>(cores, 1)), usesGpu_(usesGpu) {
    // At first there are half as many loaders as cores, since decoding three images takes about as
    // long as a reconstruction on a GPU.
    if (usesGpu_)
        counts_ = {std::clamp<std::size_t>(cores_ / 2, 1, kMaxLoaders),
                   std::max<std::size_t>(1, cores_ / 4)};
}

WorkerCounts WorkerPlanner::neededCounts(const SampleCosts& costs) const {
    const double cpuTimePerCore =
        (costs.loadCpuTime + costs.finishCpuTime) / static_cast<double>(cores_);
    // On the processor the network competes with all other work for the cores.
    const double interval =
        usesGpu_ ? std::max(costs.network, cpuTimePerCore) : costs.network + cpuTimePerCore;
    return {threadsFor(costs.load, interval, kMaxLoaders),
            threadsFor(costs.finish, interval, cores_)};
}

WorkerCounts WorkerPlanner::replan(const SampleCosts& costs, double rate) {
    if (rateBefore_ >= 0) {
        const bool faster = rate > kMinSpeedUp * rateBefore_;
        rateBefore_ = -1;
        if (!faster) {
            counts_ = previousCounts_;
            callsToNextTry_ = kCallsBetweenTries;
            return counts_;
        }
    }
    if (callsToNextTry_ > 0) {
        --callsToNextTry_;
        return counts_;
    }
    const WorkerCounts goal = neededCounts(costs);
    const auto stepped = [](std::size_t current, std::size_t target) {
        return std::clamp(target, current, 2 * current);
    };
    const WorkerCounts next{stepped(counts_.loaders, goal.loaders),
                            stepped(counts_.finishers, goal.finishers)};
    if (next == counts_) return counts_;
    rateBefore_ = rate;
    previousCounts_ = std::exchange(counts_, next);
    return counts_;
}

}  // namespace threefold
