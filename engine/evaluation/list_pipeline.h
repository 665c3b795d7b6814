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
    SampleRecord record;  ///< with an error: it skips the other stages
};

/// Callbacks for every stage except the network. An Error thrown by `load` is one sample's failure
/// and goes into its record.
struct PipelineParts {
    /// Files to views and truth. Called by several threads at once, once for every entry without a
    /// problem, in their order: one call may wait for those of earlier entries.
    std::function<void(const ListEntry&, SampleInWork&)> load;
    /// After each call of the network, on its thread. What it throws ends the run, and the result
    /// is not used. May be empty.
    std::function<void()> check;
    /// How long a warm-up took, on the network's thread. May be empty.
    std::function<void(double milliseconds)> warmed;
    /// See ListRunOptions::waited. May be empty.
    std::function<double()> waited;
    /// Measures, then writes meshes. Called by several threads at once. An InputError goes into the
    /// record, anything else ends the run.
    std::function<void(SampleInWork&)> finish;
    /// Stores finished samples, in any order. One thread. What it throws ends the run.
    std::function<void(std::span<const SampleRecord>)> keep;
};

struct PipelineOptions {
    std::size_t batch = 1;      ///< samples that the network is given at once
    std::size_t loaders = 1;    ///< threads that load ahead
    std::size_t finishers = 1;  ///< threads that score and write
    int warmUpRuns = 0;         ///< untimed runs before the first batch of each size
    /// Whether samples that the network has computed are still finished after a cancel. False where
    /// finishing takes longer than the network.
    bool finishCancelled = true;
    std::stop_token cancel;
};

/// Takes all entries through load → network → finish → keep, with a bounded queue between each two.
/// The network runs on the calling thread, which begins the next batch before it waits for the one
/// before (Backend::submit). Its times are those of the calls, without preprocessing where the
/// backend times that; a batch's are divided evenly.
///
/// After a cancel, or a failure of more than one sample, nothing new begins; what the network has
/// computed is still kept (see finishCancelled), then Cancelled or that failure is thrown (IoError,
/// DeviceError, …).
void runPipeline(Backend& backend, std::span<const ListEntry> entries, const PipelineParts& parts,
                 const PipelineOptions& options);

}  // namespace threefold
