#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/network/service/network_service.h"
#include "engine/pipeline/measure_sample.h"
#include "engine/pipeline/pipeline_report.h"
#include "engine/pipeline/reconstruct_sample.h"
#include "engine/pipeline/sample_record.h"

/// Many samples from files to measured meshes: load → network → finish (fit, measure, write) →
/// store, at the speed of the slowest. Lists of the command line and of the window and
/// `reconstruct` with several samples all run through it.
namespace threefold {

/// A sample that the network has computed.
struct ComputedSample {
    std::size_t place = 0;  ///< in the run, from 0
    ReconstructedSample sample;
    double networkBegin = 0;             ///< of its batch, in milliseconds since the run began
    SampleComparisons comparisons = {};  ///< by PipelineCallbacks::compare; may be empty
};

/// A sample at its end, done or failed.
struct EndedSample {
    std::size_t place = 0;  ///< in the run, from 0
    SampleRecord record;
    double loadBegin = 0;  ///< in milliseconds since the run began
};

/// The work for each sample, except the network's. A sample fails alone if `load` throws an Error,
/// `finish` an InputError, or either std::bad_alloc: its record gets the message as `error`, loses
/// scores and silhouettes, and goes straight to `store`. Any other exception ends the run. The
/// pipeline fills in the record's times of load, preprocessing, network and `compare`.
struct PipelineCallbacks {
    /// Sets the record's `given` before all else, then reads views and truth, or sets the record's
    /// `error`. Called by several threads at once, once for each place, and begun in their order: a
    /// call may wait for the calls of earlier places.
    std::function<LoadedSample(std::size_t place, SampleRecord& record)> load;
    /// As compareOnDevice(), right after a device has computed a batch, on its thread, see
    /// AfterBatch. May be empty.
    std::function<std::vector<SampleComparisons>(
        MeshOperations& device, std::span<const GroundTruth* const> truths,
        std::span<const Reconstruction> meshes, const std::stop_token& cancel)>
        compare = {};
    /// Called after each call of the network, on the calling thread. If it throws, the result is
    /// dropped and the run ends. May be empty.
    std::function<void()> check = {};
    /// Receives the duration of a warm-up, on the calling thread. May be empty.
    std::function<void(double milliseconds)> warmed = {};
    /// Fits, measures and writes; reports its steps to the PartClock, and the result in the record.
    /// Called by several threads at once.
    std::function<void(ComputedSample, SampleRecord& record, PartClock&)> finish;
    /// Stores ended samples, failed ones too, in any order. Called on one thread. If it throws, the
    /// run ends.
    std::function<void(std::span<const EndedSample>)> store;
};

struct PipelineOptions {
    std::size_t batch = 0;  ///< most samples for each call of the network; 0: by BatchSizer
    /// Milliseconds, ≥ 0. A batch that is not full waits so long for more samples once the network
    /// is idle, and with BatchSizer no longer than the last batch took. Then it is submitted with
    /// the largest power of two of samples that are there.
    double longestWait = 100;
    bool device = false;        ///< the network runs on a device of its own, and needs no core
    std::size_t cores = 0;      ///< to start threads for; 0: all of the process
    std::size_t loaders = 0;    ///< 0: by WorkerPlanner
    std::size_t finishers = 0;  ///< likewise
    std::size_t memoryBytes = kDefaultMemory;  ///< at most, for samples loaded ahead
    int warmUpRuns = 0;                        ///< untimed runs before the first batch of each size
    /// Whether samples that the network has computed are still finished after a cancel. False where
    /// finishing takes longer than the network.
    bool finishCancelled = true;
    std::stop_token cancel;
    bool spans = false;  ///< PipelineReport::spans; memory grows with the run
    /// RunOptions::stages of every n-th batch, the first included; 0: of none.
    std::size_t stagesEvery = 20;

    /// Milliseconds since the run began, asked from several threads: the clock that batch sizes
    /// and groups follow. Empty: the machine's.
    std::function<double()> clock = {};

    static constexpr std::size_t kDefaultMemory = std::size_t{1} << 30;
};

/// Takes places 0…count−1 through all parts. The calling thread submits batches to the network, the
/// next before it waits for the one before. The network's time is that of its device, without
/// preprocessing where the device times it.
///
/// A batch that fails is run again sample by sample, so that one sample's failure stays its own.
/// After a cancel, or a failure of more than one sample, nothing new begins; what the network has
/// computed is still stored (see finishCancelled), then Cancelled or that failure is thrown
/// (IoError, DeviceError, …). `report`, where given, is filled in any case.
void runPipeline(NetworkService& network, std::size_t count, const PipelineCallbacks& parts,
                 const PipelineOptions& options, PipelineReport* report = nullptr);

/// The same, one sample after another on the calling thread: for a single one, and to compare.
/// Ignores the sizes of groups and batches.
void runSequentially(NetworkService& network, std::size_t count, const PipelineCallbacks& parts,
                     const PipelineOptions& options, PipelineReport* report = nullptr);

}  // namespace threefold
