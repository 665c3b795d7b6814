#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "engine/progress.h"

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

/// What a run has found out, or one begins with. 0: not known.
struct RunSizes {
    std::size_t batch = 0;  ///< the size that most samples had
    WorkerCounts workers = {0, 0};
};

/// Tries out step by step how many threads keep the network busy. One thread at a time.
class WorkerPlanner {
  public:
    static constexpr std::size_t kMostLoaders = 32;

    /// `device`: the network needs none of the cores; the groups then begin with most of them.
    /// `found`: by an earlier run. It begins a step below, since steps are taken back only when
    /// they do not pay, and what paid then need not pay now.
    WorkerPlanner(std::size_t cores, bool device, WorkerCounts found = {0, 0});

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
    WorkerCounts before_;     ///< the last step
    double rateBefore_ = -1;  ///< < 0: the last call took no step
    std::size_t patience_ = 0;
};

/// What a run has found out about its sizes, kept for the next one under the same circumstances. A
/// cache: nothing that goes wrong here is an error; it goes to a debug line, and the next run finds
/// out anew. Any number of processes may share the folder.
class KeptSizes {
  public:
    /// An empty folder keeps nothing. `circumstances`: all that the sizes depend on, as one line.
    KeptSizes(std::filesystem::path folder, std::string circumstances, LogFunction log = {});

    /// Zeros where nothing is kept, or what is kept is for something else, damaged or unreadable.
    RunSizes load() const;
    /// Sizes that are 0 stay as they were kept. Makes the folder if need be.
    void save(const RunSizes& sizes) const;

    /// "sizes-<16 hexadecimal digits>.json" in the folder.
    std::filesystem::path file() const;

  private:
    void log(const std::string& line) const {
        if (log_) log_(LogLevel::debug, line);
    }

    std::filesystem::path folder_;
    std::string circumstances_;
    LogFunction log_;
};

}  // namespace threefold
