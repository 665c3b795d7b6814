#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string>

#include "app/console/progress_line.h"
#include "engine/evaluation/record.h"

namespace threefold {

/// Progress of a run on standard error (ProgressLine). Any thread.
class EvalProgress {
  public:
    /// `total`: of this shard. `before`: what an earlier session has finished.
    EvalProgress(std::size_t total, std::span<const SampleRecord> before);
    ~EvalProgress();
    EvalProgress(const EvalProgress&) = delete;
    EvalProgress& operator=(const EvalProgress&) = delete;

    /// Counts a finished sample. A failed one gets a line of its own, and so does the first without
    /// a truth, which may have been forgotten.
    void add(const SampleRecord& record);

  private:
    void count(const SampleRecord& record);
    void show(bool last);

    const std::size_t total_;
    ProgressLine line_;
    std::mutex mutex_;
    std::size_t done_ = 0;
    std::size_t failed_ = 0;
    std::size_t now_ = 0;  ///< of this session
    std::size_t scored_ = 0;
    double chamfer_ = 0;  ///< sums over those that have scores
    double f_ = 0;
    std::size_t seen_ = 0;  ///< with silhouettes
    double overlap_ = 0;
    bool toldOfTruth_ = false;
    std::size_t shownNow_ = 0;
};

}  // namespace threefold
