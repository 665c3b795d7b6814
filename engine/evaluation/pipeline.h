#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/record.h"
#include "engine/network/backend.h"
#include "engine/network/reconstruction.h"
#include "engine/sample/ground_truth.h"
#include "engine/views/network_input.h"

namespace threefold {

/// A sample on its way: each part fills in what the next ones need.
struct SampleInWork {
    SampleRecord record;  ///< with an error: it goes straight to the end
    std::vector<int> views;
    NetworkInput input;
    GroundTruth truth;  ///< without points where there is none
    Reconstruction reconstruction;
};

/// The parts of the way, but for the network. A failure of one sample is thrown as an Error by
/// `load`, and goes into its record.
struct PipelineParts {
    /// Files to views and truth. Called by several threads at once, in the entries' order and
    /// without a gap but for those with a problem: one call may wait for those of earlier entries.
    std::function<void(const ListEntry&, SampleInWork&)> load;
    /// After each call of the network, on its thread. What it throws ends the run, and the result
    /// is not used. May be empty.
    std::function<void()> check;
    /// How long warming up took, on the network's thread. May be empty.
    std::function<void(double milliseconds)> warmed;
    /// See ListRunOptions::waited. May be empty.
    std::function<double()> waited;
    /// Scores, then meshes to disk. Called by several threads at once. An InputError goes into the
    /// record, anything else ends the run.
    std::function<void(SampleInWork&)> finish;
    /// Finished samples, in any order, for good. One thread. What it throws ends the run.
    std::function<void(std::span<const SampleRecord>)> keep;
};

struct PipelineOptions {
    std::size_t batch = 1;      ///< samples that the network is given at once
    std::size_t loaders = 1;    ///< threads that load ahead
    std::size_t finishers = 1;  ///< threads that score and write
    /// Of the network on the first sample, or the first batch of each size, before it counts.
    int warmUpRuns = 0;
    /// Whether what the network has computed is still finished after a cancel. False where that
    /// takes longer than the network.
    bool finishCancelled = true;
    std::stop_token cancel;
};

/// Takes all entries through load → network → finish → keep, with a bounded queue between each two:
/// loading goes ahead of the network, scoring and writing follow it, the network runs on the
/// calling thread. Network times are taken around Backend::reconstruct alone, preprocessing
/// subtracted where the backend times it; a batch's are divided evenly.
///
/// Cancelled, or after a failure that is not one sample's: nothing new begins, what the network has
/// finished is still kept (see finishCancelled), then it throws Cancelled or that failure (IoError,
/// DeviceError, …).
void runPipeline(Backend& backend, std::span<const ListEntry> entries, const PipelineParts& parts,
                 const PipelineOptions& options);

}  // namespace threefold
