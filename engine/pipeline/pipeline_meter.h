#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>

#include "engine/pipeline/pipeline_report.h"
#include "engine/profile/span.h"
#include "engine/profile/stopwatch.h"

namespace threefold {

/// Collects the times that a run's threads report. Thread-safe.
class PipelineMeter {
  public:
    /// `spans`: keep PipelineReport::spans. `clock`: see PipelineOptions::clock.
    explicit PipelineMeter(bool spans, std::function<double()> clock = {})
        : clock_(std::move(clock)), spans_(spans) {}

    /// Milliseconds since the run began.
    double now() const { return clock_ ? clock_() : watch_.milliseconds(); }
    bool wantsSpans() const { return spans_; }

    /// Adds a step of some samples. `busy`, `cpuTime`: milliseconds, as in PipelineStepTimes.
    void add(PipelineStep step, std::size_t samples, double busy, double cpuTime, Spans spans);
    void addWaitForWork(WorkerGroup group, double milliseconds);
    void addWaitForSpace(WorkerGroup group, double milliseconds);
    /// Sets the number of active threads of the group.
    void setThreads(WorkerGroup group, std::size_t active);
    /// Adds a batch that has just ended. `milliseconds`: time since its submission. Returns the
    /// shorter of this time and the time since the previous batch ended (BatchTime::milliseconds).
    double addBatch(std::size_t size, double milliseconds, const QueueDepths& depths);
    /// Adds a stored sample. `latency`: milliseconds since its load began.
    void addStored(double latency, bool failed);
    void addStepTimings(const StepTimings& timings);  ///< adds one sample's timings
    /// Sets PipelineReport::loadedCapacity. Call after all threads have ended.
    void setLoadedCapacity(std::size_t samples) { report_.loadedCapacity = samples; }

    /// Times of all steps so far.
    std::array<PipelineStepTimes, kPipelineSteps.size()> steps() const;
    /// Ends the collection and moves the report out.
    PipelineReport takeReport();

  private:
    const Stopwatch watch_;
    const std::function<double()> clock_;
    const bool spans_;
    mutable std::mutex mutex_;
    PipelineReport report_;
    std::size_t depthInterval_ = 1;  ///< number of batches between two recorded queue depths
    std::size_t batches_ = 0;
    double lastBatchEndedAt_ = 0;
    struct ActiveThreads {
        std::size_t threads = 0;
        double since = 0;
    };
    std::array<ActiveThreads, kWorkerGroups.size()> active_ = {};
};

/// Measures the times of one thread's steps for the meter. Used on that thread only.
class PipelineStepTimer {
  public:
    /// `thread`: index among the lanes of one kind, from 0.
    PipelineStepTimer(PipelineMeter& meter, LaneKind lane, std::size_t thread = 0)
        : meter_(meter), lane_{lane, static_cast<int>(thread)} {}

    /// Sets the position of the sample in the run, from 0, for the next steps.
    void setPosition(std::size_t position) { position_ = position; }

    /// Measures the time of a step until destruction, also after an exception.
    class Step {
      public:
        Step(PipelineStepTimer& timer, PipelineStep step, std::size_t samples);
        ~Step();
        Step(const Step&) = delete;

        double milliseconds() const { return watch_.milliseconds(); }

      private:
        PipelineStepTimer& timer_;
        PipelineStep step_;
        std::size_t samples_;
        double begin_;
        double cpuBegin_;
        Stopwatch watch_;
    };
    Step step(PipelineStep step, std::size_t samples = 1) { return {*this, step, samples}; }

  private:
    PipelineMeter& meter_;
    Lane lane_;
    std::size_t position_ = 0;
};

}  // namespace threefold
