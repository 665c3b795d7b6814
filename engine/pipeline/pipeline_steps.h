#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/network/service/network_service.h"
#include "engine/pipeline/pipeline.h"
#include "engine/pipeline/pipeline_meter.h"

namespace threefold {

/// A sample in the pipeline, with the value of its last step.
template <class Value>
struct PipelineSample {
    FinishedSample sample;
    Value value = {};

    bool succeeded() const { return sample.record.succeeded(); }
};

/// Memory of a loaded sample in bytes.
std::size_t bytesOf(const LoadedSample& loaded);

/// Steps of a run, with their times. The caller decides when and on which threads each step runs. A
/// sample's failure is stored in its record; a failure of the run is thrown. load() and finish()
/// may be called on several threads at once, store() on one, the others on the network's thread
/// alone.
class PipelineSteps {
  public:
    using Loaded = PipelineSample<LoadedSample>;
    using Computed = PipelineSample<ComputedSample>;

    /// Results of PipelineCallbacks::compare for a batch, set on the device's thread.
    struct BatchComparisons {
        std::vector<SampleComparisons> samples;
        double milliseconds = 0;
    };
    /// Samples of one call of the network.
    struct SubmittedBatch {
        std::vector<Loaded> samples;
        std::vector<NetworkInput> inputs;  ///< inputs of the samples, until the call's end
        double submittedAt = 0;            ///< PipelineMeter::now() at submission
        std::shared_ptr<BatchComparisons> comparisons = std::make_shared<BatchComparisons>();
        /// Last member, so that the future is destroyed before the inputs, which the call uses.
        std::optional<BatchFuture> future = {};
    };

    /// Keeps references to its arguments. `report`, unless null, is filled in by the destructor.
    PipelineSteps(NetworkService& network, const PipelineCallbacks& callbacks,
                  const PipelineOptions& options, PipelineReport* report);
    ~PipelineSteps();
    PipelineSteps(const PipelineSteps&) = delete;

    PipelineMeter& meter() { return meter_; }

    Loaded load(std::size_t position, PipelineStepTimer& timer) const;

    /// Warms up a batch size that has not run yet, by untimed batches of `samples`. Ignores
    /// InputError and std::bad_alloc, which the timed run reports; throws other failures of the
    /// network.
    void warmUp(std::span<const Loaded> samples);
    /// Submits a batch. The samples' inputs move to the batch, and back in collect().
    SubmittedBatch submit(std::vector<Loaded> samples);
    /// Waits for a call of the network. Throws its failure; the batch then keeps its samples.
    std::vector<Computed> collect(SubmittedBatch& batch);
    /// Samples of a batch after the network.
    struct ComputedBatch {
        std::vector<Computed> samples;
        bool succeeded = true;  ///< false: the batch failed
    };
    /// Waits as collect() does, but handles InputError and std::bad_alloc: a batch of one sample
    /// marks the sample as failed, the samples of a larger batch are computed one by one. Calls
    /// PipelineCallbacks::onBatchCollected after each call that succeeds; throws its exceptions.
    ComputedBatch collectOrRetry(SubmittedBatch batch);
    /// Computes one sample. If the sample did not fail, calls PipelineCallbacks::onBatchCollected
    /// and throws its exceptions.
    Computed computeSingle(Loaded loaded);

    void finish(Computed& computed, PipelineStepTimer& timer) const;
    void store(std::span<const FinishedSample> samples, PipelineStepTimer& timer);

  private:
    /// Returns the inputs to their samples, after the network's call has ended.
    static void returnInputs(SubmittedBatch& batch);

    NetworkService& network_;
    const PipelineCallbacks& callbacks_;
    const PipelineOptions& options_;
    BatchOptions batchOptions_;
    PipelineMeter meter_;
    PipelineReport* report_;
    std::size_t submittedBatches_ = 0;
    std::set<std::size_t> warmSizes_;  ///< sizes that are warm: a GPU prepares each size
};

}  // namespace threefold
