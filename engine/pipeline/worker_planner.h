#pragma once

#include <cstddef>

namespace threefold {

/// Mean cost of recent samples per group of workers, in milliseconds.
struct SampleCosts {
    double load = 0;           ///< wall time in a loader
    double loadCpuTime = 0;    ///< CPU time of loading
    double network = 0;        ///< batch time / samples of the batch
    double finish = 0;         ///< wall time in a finisher
    double finishCpuTime = 0;  ///< CPU time of finishing
};

/// Numbers of threads of the adjustable groups.
struct WorkerCounts {
    std::size_t loaders = 1;
    std::size_t finishers = 1;

    bool operator==(const WorkerCounts&) const = default;
};

/// Finds, step by step, the numbers of threads that keep the network busy. Not thread-safe.
class WorkerPlanner {
  public:
    /// Maximum number of loaders, also at the start: this many saturate any disk.
    static constexpr std::size_t kMaxLoaders = 32;

    /// `usesGpu`: the network needs no cores, so the groups begin with most of them.
    WorkerPlanner(std::size_t cores, bool usesGpu);

    WorkerCounts counts() const { return counts_; }

    /// Plans the counts for the next samples. `rate`: throughput with the last counts, in any unit.
    /// A step multiplies a group by at most 2, and never shrinks it. A step that does not raise the
    /// rate is undone (more threads than the disk serves are slower), and no other is tried for
    /// kCallsBetweenTries calls.
    WorkerCounts replan(const SampleCosts& costs, double rate);

    static constexpr std::size_t kCallsBetweenTries = 16;

  private:
    WorkerCounts neededCounts(const SampleCosts& costs) const;

    std::size_t cores_;
    bool usesGpu_;
    WorkerCounts counts_;
    WorkerCounts previousCounts_;  ///< counts before the last step
    double rateBefore_ = -1;       ///< rate before the last step; < 0: no step
    std::size_t callsToNextTry_ = 0;
};

}  // namespace threefold
