#include "engine/pipeline/crew_sizes.h"

#include <algorithm>
#include <cmath>

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

CrewPlanner::CrewPlanner(std::size_t cores, bool device, CrewSizes found)
    : cores_(std::max<std::size_t>(cores, 1)), device_(device) {
    // Decoding three images takes about as long as a reconstruction on a GPU.
    if (device_)
        sizes_ = {std::max<std::size_t>(1, cores_ / 2), std::max<std::size_t>(1, cores_ / 4)};
    sizes_.loaders = std::max(sizes_.loaders, std::min(found.loaders / 2, kMostLoaders));
    sizes_.finishers = std::max(sizes_.finishers, std::min(found.finishers / 2, cores_));
}

CrewSizes CrewPlanner::wanted(const SampleCosts& costs) const {
    const double onCores = (costs.loadOnCore + costs.finishOnCore) / static_cast<double>(cores_);
    // On the processor the network takes the cores in turn with all else.
    const double interval = device_ ? std::max(costs.network, onCores) : costs.network + onCores;
    return {threadsFor(costs.load, interval, kMostLoaders),
            threadsFor(costs.finish, interval, cores_)};
}

CrewSizes CrewPlanner::next(const SampleCosts& costs, double rate) {
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
    const CrewSizes goal = wanted(costs);
    const CrewSizes stepped{std::min(goal.loaders, 2 * sizes_.loaders),
                            std::min(goal.finishers, 2 * sizes_.finishers)};
    const bool grows = stepped.loaders > sizes_.loaders || stepped.finishers > sizes_.finishers;
    if (grows) {
        before_ = sizes_;
        rateBefore_ = rate;
        sizes_.loaders = std::max(sizes_.loaders, stepped.loaders);
        sizes_.finishers = std::max(sizes_.finishers, stepped.finishers);
    }
    return sizes_;
}

}  // namespace threefold
