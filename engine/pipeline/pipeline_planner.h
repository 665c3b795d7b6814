#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "engine/pipeline/batch_sizer.h"
#include "engine/pipeline/pipeline.h"
#include "engine/pipeline/pipeline_report.h"
#include "engine/pipeline/worker_planner.h"

namespace threefold {

/// Plans the sizes of a run and adjusts them during the run: samples per batch (BatchSizer),
/// threads of the adjustable groups (WorkerPlanner), capacity of the network's queue. Sizes that
/// the options set are not adjusted, except that a group gets no more threads than there are
/// samples. Used on the network's thread, except addLoaded().
class PipelinePlanner {
  public:
    /// Minimum samples and milliseconds between two plans of the groups.
    static constexpr std::size_t kSamplesBetweenPlans = 16;
    static constexpr double kMillisecondsBetweenPlans = 50;

    /// `count`: samples of the run. `maxBatchSize`: the back end's limit when the run begins. Keeps
    /// a reference to the options.
    PipelinePlanner(const PipelineOptions& options, std::size_t count, std::size_t maxBatchSize);

    std::size_t coreCount() const { return coreCount_; }
    std::size_t batch() const { return batch_; }  ///< samples of the next batch, at least 1
    WorkerCounts workers() const;
    /// Samples that may wait for the network.
    std::size_t queueCapacity() const { return queueCapacity_; }
    /// Milliseconds for which a batch that is not full waits for more samples.
    double maxWait() const;

    /// Records the memory of a loaded sample. Thread-safe.
    void addLoaded(std::size_t bytes);
    /// Records a batch. `milliseconds`: time since its submission. `elapsed`:
    /// BatchTime::milliseconds, ignored if the batch failed.
    void addBatch(std::size_t size, double milliseconds, double elapsed, bool succeeded);

    /// Plans the next batch and makes room in the queue for two batches of its size, if memory
    /// allows. `remaining`: samples not yet submitted. `maxBatchSize`: the back end's current
    /// limit.
    void planBatch(std::size_t remaining, std::size_t maxBatchSize);
    /// Plans the groups and the queue from the samples' costs since the last plan. `steps`: totals
    /// of the run so far. `now`: milliseconds since the run began. Returns false, and changes
    /// nothing, if fewer than kSamplesBetweenPlans samples or kMillisecondsBetweenPlans
    /// milliseconds have passed since the last plan.
    bool planWorkers(const std::array<PipelineStepTimes, kPipelineSteps.size()>& steps, double now);

  private:
    /// Number of samples for which PipelineOptions::memoryBytes is enough, at least 1.
    std::size_t maxQueued() const;
    /// Two batches, plus the samples that the network computes while one sample is loaded (at most
    /// four batches), within maxQueued().
    std::size_t queueCapacityFor(const SampleCosts& costs) const;

    const PipelineOptions& options_;
    std::size_t sampleCount_;  ///< at least 1
    std::size_t coreCount_;
    bool adaptsBatch_;  ///< false: `batch_` is constant
    BatchSizer sizer_;
    std::size_t batch_;
    std::size_t queueCapacity_;
    WorkerPlanner workerPlanner_;
    std::array<PipelineStepTimes, kPipelineSteps.size()> totalsAtLastPlan_ = {};
    double lastPlanAt_ = 0;
    double lastBatchMilliseconds_ = 0;
    std::atomic<std::size_t> maxSampleBytes_ = 0;  ///< of the samples loaded so far
};

}  // namespace threefold
