#pragma once

#include <cstddef>

namespace threefold {

/// A sample's cost for each group of workers: means over the last samples, in milliseconds.
struct SampleCosts {
    double load = 0;  ///< of one loader
    double loadOnCore = 0;
    double network = 0;  ///< its share of a batch's
    double finish = 0;   ///< of one finisher
    double finishOnCore = 0;
};

/// Threads of the groups whose number is free.
struct WorkerCounts {
    std::size_t loaders = 1;
    std::size_t finishers = 1;

    bool operator==(const WorkerCounts&) const = default;
};

/// Finds, step by step, how many threads keep the network busy. Not thread-safe.
class WorkerPlanner {
  public:
    static constexpr std::size_t kMostLoaders = 32;

    /// `device`: the network needs none of the cores; the groups then begin with most of them.
    WorkerPlanner(std::size_t cores, bool device);

    WorkerCounts sizes() const { return sizes_; }

    /// The sizes for the next samples. `rate`: samples a second with the sizes returned last. Each
    /// step at most doubles a group; a step that did not make the run faster is undone, and for
    /// kPatience calls no other one is tried: more threads than the disk can serve only disturb.
    WorkerCounts next(const SampleCosts& costs, double rate);

    static constexpr std::size_t kPatience = 16;

  private:
    WorkerCounts wanted(const SampleCosts& costs) const;

    std::size_t cores_;
    bool device_;
    WorkerCounts sizes_;
    WorkerCounts before_;     ///< sizes in use before the last step
    double rateBefore_ = -1;  ///< < 0: the last call took no step
    std::size_t patience_ = 0;
};

}  // namespace threefold
