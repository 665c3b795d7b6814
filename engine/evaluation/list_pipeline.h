#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>

#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/record.h"
#include "engine/network/backend.h"
#include "engine/pipeline/reconstruct_sample.h"

namespace threefold {

/// A sample of a list in the pipeline.
struct SampleInWork : SampleWork {
    SampleRecord record;  ///< if it holds an error, the sample skips the other stages
};

/// Callbacks for every stage except the network. An Error thrown by `load` is one sample's failure
/// and goes into its record.
struct PipelineParts {
    /// Reads views and truth from files. Called by several threads at once, once for each entry
    /// without a problem, in list order: a call may wait for the calls of earlier entries.
    std::function<void(const ListEntry&, SampleInWork&)> load;
    /// Called after each call of the network, on its thread. If it throws, the result is dropped
    /// and the run ends. May be empty.
    std::function<void()> check;
    /// Receives the duration of a warm-up, on the network's thread. May be empty.
    std::function<void(double milliseconds)> warmed;
    /// See ListRunOptions::waited. May be empty.
    std::function<double()> waited;
    /// Measures, then writes meshes. Called by several threads at once. An InputError goes into the
    /// record, anything else ends the run.
    std::function<void(SampleInWork&)> finish;
    /// Stores finished samples, in any order. Called on one thread. If it throws, the run ends.
    std::function<void(std::span<const SampleRecord>)> keep;
};

struct PipelineOptions {
    std::size_t batch = 1;      ///< samples per call of the network
    std::size_t loaders = 1;    ///< threads that load ahead
    std::size_t finishers = 1;  ///< threads that score and write
    int warmUpRuns = 0;         ///< untimed runs before the first batch of each size
    /// Whether samples that the network has computed are still finished after a cancel. False where
    /// finishing takes longer than the network.
    bool finishCancelled = true;
    std::stop_token cancel;
};

/// Takes all entries through load → network → finish → keep, with a bounded queue between each two.
/// The network runs on the calling thread, which submits the next batch before it waits for the
/// previous one (Backend::submit). The network's time is that of the calls, without preprocessing
/// if the backend times it; the time of a batch is divided evenly among its samples.
///
/// After a cancel, or a failure of more than one sample, nothing new begins; what the network has
/// computed is still kept (see finishCancelled), then Cancelled or that failure is thrown (IoError,
/// DeviceError, …).
void runPipeline(Backend& backend, std::span<const ListEntry> entries, const PipelineParts& parts,
                 const PipelineOptions& options);

}  // namespace threefold
