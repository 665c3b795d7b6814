#pragma once

#include <cstddef>
#include <mutex>
#include <span>

#include "app/console/output.h"
#include "engine/devices/gpu_monitor.h"
#include "engine/pipeline/sample_record.h"

namespace threefold {

/// Progress of a run on standard error (ProgressLine). Thread-safe.
class EvalProgress {
  public:
    /// `total`: samples of this shard. `before`: samples finished by an earlier session. `monitor`
    /// must outlive the progress.
    EvalProgress(std::size_t total, std::span<const SampleRecord> before,
                 const GpuMonitor& monitor);
    ~EvalProgress();  ///< shows the last state
    EvalProgress(const EvalProgress&) = delete;

    /// Counts a finished sample. Prints a line for a failed sample, for a note about a fit, and for
    /// the first sample without a truth, since --gt may have been forgotten.
    void add(const SampleRecord& record);

  private:
    void count(const SampleRecord& record);
    void print(bool isLast);

    const std::size_t total_;
    const GpuMonitor& monitor_;
    ProgressLine line_;
    std::mutex mutex_;
    std::size_t done_ = 0;
    std::size_t failed_ = 0;
    std::size_t finishedNow_ = 0;  ///< in this session
    std::size_t scored_ = 0;
    double chamferSum_ = 0;  ///< over the samples with scores
    double fSum_ = 0;        ///< over the samples with scores
    std::size_t withSilhouettes_ = 0;
    double overlapSum_ = 0;  ///< over the samples with silhouettes
    bool truthReported_ = false;
    std::size_t shownNow_ = 0;  ///< finishedNow_ of the last line
};

}  // namespace threefold
