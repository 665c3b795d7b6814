#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/network/service/network_service.h"
#include "engine/pipeline/pipeline_meter.h"
#include "engine/pipeline/sample_record.h"
#include "engine/sample_steps/measure_sample.h"
#include "engine/sample_steps/reconstruct_sample.h"

/// Pipeline of many samples from files to measured meshes: load → network → finish (fit, measure,
/// write) → store, at the speed of the slowest step. Lists of the command line and the window, and
/// `reconstruct` with several samples, use this pipeline.
namespace threefold {

/// A sample that the network has computed.
struct ComputedSample {
    std::size_t position = 0;  ///< in the run, from 0
    ReconstructedSample reconstructed;
    double submittedAt = 0;  ///< submission of its batch, in milliseconds since the run began
    SampleComparisons comparisons = {};  ///< from PipelineCallbacks::compare; may be empty
};

/// A finished sample, done or failed.
struct FinishedSample {
    std::size_t position = 0;  ///< in the run, from 0
    SampleRecord record;
    double loadStartedAt = 0;  ///< start of its load, in milliseconds since the run began
};

/// The work for each sample, except the network's. A sample fails alone if `load` throws an Error,
/// if `finish` throws an InputError, or if one of the two throws std::bad_alloc: its record gets
/// the message (SampleRecord::fail()) and goes straight to `store`. Any other exception ends the
/// run. The pipeline fills in the record's times of load, preprocessing, network and `compare`.
struct PipelineCallbacks {
    /// First sets SampleRecord::listedName. Then reads views and truth; sets the record's `error`
    /// if they cannot be read. Called on several threads at once, once per position. Calls begin in
    /// the order of positions, so a call may wait for earlier ones.
    std::function<LoadedSample(std::size_t position, SampleRecord& record)> load;
    /// Compares the batch's meshes with their truths on the device, as compareOnDevice() does, on
    /// the device's thread, right after the device has computed the batch (BatchComputedFunction).
    /// May be empty.
    std::function<std::vector<SampleComparisons>(
        MeshOperations& device, std::span<const GroundTruth* const> truths,
        std::span<const Reconstruction> meshes, const std::stop_token& cancel)>
        compare = {};
    /// Called after each successful call of the network, on the calling thread. If it throws
    /// anything, InputError and std::bad_alloc too, the result is dropped and the run ends. May be
    /// empty.
    std::function<void()> onBatchCollected = {};
    /// Receives the duration of a warm-up, on the calling thread. May be empty.
    std::function<void(double milliseconds)> onWarmUp = {};
    /// Fits, measures and writes; reports steps to the PipelineStepTimer and results in the record.
    /// Called on several threads at once.
    std::function<void(ComputedSample, SampleRecord& record, PipelineStepTimer&)> finish;
    /// Stores finished samples, failed ones too, in any order. Called on one thread. If it throws,
    /// the run ends.
    std::function<void(std::span<const FinishedSample>)> store;
};

/// Options of runPipeline().
struct PipelineOptions {
    /// One sample after another on the calling thread, without batches and queues: for a single
    /// sample, and as a reference for the pipeline. Sizes of batches and groups are ignored.
    bool isSequential = false;
    std::size_t batch = 0;  ///< maximum samples per call of the network; 0: set by BatchSizer
    /// Maximum time, ≥ 0, for which a partial batch waits for more samples while the network is
    /// idle; with BatchSizer, no longer than the last batch took. After that, the available samples
    /// are submitted, their number rounded down to a power of two.
    double maxWaitMilliseconds = 100;
    bool usesGpu = false;       ///< the network runs on a GPU and needs no core
    std::size_t coreCount = 0;  ///< cores to start threads for; 0: hardware_concurrency()
    std::size_t loaders = 0;    ///< 0: set by WorkerPlanner
    std::size_t finishers = 0;  ///< 0: set by WorkerPlanner
    std::size_t memoryBytes = kDefaultMemory;  ///< maximum memory of samples loaded ahead
    /// Untimed runs before the first batch of each size; 0: none. If only some batches have step
    /// timings, 1 counts as 2, since a back end prepares batches with and without step timings
    /// separately.
    int warmUpRuns = 0;
    /// Whether samples that the network has computed are finished and stored after a cancel;
    /// otherwise they are dropped. Set it to false if `finish` takes longer than the network.
    bool finishesAfterCancel = true;
    std::stop_token cancel = {};
    bool spans = false;  ///< fill PipelineReport::spans, whose memory grows with the run
    /// Interval, in batches, at which BatchOptions::wantTimings is set, beginning with the first
    /// batch; 0: for no batch.
    std::size_t timedBatchInterval = 20;

    /// Clock by which the sizes of batches and thread groups are chosen: milliseconds since the run
    /// began. Called on several threads. Empty: the machine's clock.
    std::function<double()> clock = {};

    static constexpr std::size_t kDefaultMemory = std::size_t{1} << 30;
};

/// Runs positions 0…count−1 through all steps. Unless the run is sequential, the calling thread
/// submits batches to the network, the next batch before it waits for the previous batch. A
/// sample's network time is the time that the device reports, without preprocessing if the device
/// measures the time of preprocessing separately.
///
/// A failed batch is run again sample by sample, so that a sample's failure affects no other.
/// After a cancel, or a failure of the whole run, nothing new begins; computed samples are still
/// stored (see finishesAfterCancel), then Cancelled or the failure is thrown (IoError, DeviceError,
/// …). `report`, unless null, is always filled in.
void runPipeline(NetworkService& network, std::size_t count, const PipelineCallbacks& callbacks,
                 const PipelineOptions& options, PipelineReport* report = nullptr);

}  // namespace threefold
