#include "engine/pipeline/worker_counts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace threefold {
namespace {

/// Threads beyond the mean's need: samples differ, and the network should not wait for a slow one.
constexpr double kSlack = 1.25;

/// A step must gain at least this.
constexpr double kWorthwhile = 1.03;

std::size_t threadsFor(double milliseconds, double interval, std::size_t most) {
    if (milliseconds <= 0) return 1;
    const double threads =
        interval > 0 ? std::ceil(kSlack * milliseconds / interval) : static_cast<double>(most);
    return std::clamp<std::size_t>(
        static_cast<std::size_t>(std::min(threads, static_cast<double>(most))), 1, most);
}

}  // namespace

WorkerPlanner::WorkerPlanner(std::size_t cores, bool device)
    : cores_(std::max<std::size_t>(cores, 1)), device_(device) {
    // Decoding three images takes about as long as a reconstruction on a GPU.
    if (device_)
        sizes_ = {std::max<std::size_t>(1, cores_ / 2), std::max<std::size_t>(1, cores_ / 4)};
}

WorkerCounts WorkerPlanner::wanted(const SampleCosts& costs) const {
    const double onCores = (costs.loadOnCore + costs.finishOnCore) / static_cast<double>(cores_);
    // On the processor the network takes the cores in turn with all else.
    const double interval = device_ ? std::max(costs.network, onCores) : costs.network + onCores;
    return {threadsFor(costs.load, interval, kMostLoaders),
            threadsFor(costs.finish, interval, cores_)};
}

WorkerCounts WorkerPlanner::next(const SampleCosts& costs, double rate) {
    if (rateBefore_ >= 0) {
        const bool paid = rate > kWorthwhile * rateBefore_;
        rateBefore_ = -1;
        if (!paid) {
            sizes_ = before_;
            patience_ = kPatience;
            return sizes_;
        }
    }
    if (patience_ > 0) {
        --patience_;
        return sizes_;
    }
    const WorkerCounts goal = wanted(costs);
    const auto stepped = [](std::size_t now, std::size_t most) {
        return std::clamp(most, now, 2 * now);
    };
    const WorkerCounts next{stepped(sizes_.loaders, goal.loaders),
                            stepped(sizes_.finishers, goal.finishers)};
    if (next == sizes_) return sizes_;
    rateBefore_ = rate;
    before_ = std::exchange(sizes_, next);
    return sizes_;
}

}  // namespace threefold
