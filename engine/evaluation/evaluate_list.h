#pragma once

#include <filesystem>
#include <functional>

#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/journal.h"
#include "engine/network/service/network_service.h"
#include "engine/pipeline/pipeline.h"

namespace threefold {

struct ListRunOptions {
    std::filesystem::path imageRoot;  ///< folder in which names are found; empty: the list's own
    /// Folder of the truths; a sample without one fails. Empty: truths are beside the images
    /// (findSample()), and a sample without one gets meshes and silhouettes, but no scores.
    std::filesystem::path truthRoot;
    bool meshes = true;      ///< write {name}_predict.obj and .xyz (METHOD.md §10)
    bool thumbnails = true;  ///< of the worst so far
    /// How the samples overlap. Warm-up and what is finished after a cancel follow from the run.
    PipelineOptions pipeline = {};
    /// Called for each sample once it is stored, from a thread of the run. May be empty.
    std::function<void(const SampleRecord&)> kept;
    /// Called for each measured sample, with its meshes, from any of the finishers. May be empty.
    std::function<void(const MeasuredSample&, const SampleRecord&)> measured;
};

/// Whether a sample needs no more work: it has its scores, and its meshes if they are requested.
/// False for a failed sample, and for one without a truth if a `truthRoot` is given.
bool isFinished(const SampleRecord& record, const std::filesystem::path& folder,
                const ListRunOptions& options);

/// Runs the unfinished samples of the journal's shard and stores each as soon as it is done; meshes
/// and thumbnails go into `folder`, the journal's. The run's identity decides what to compute
/// (views, protocols, τ). `report`: where the time went; filled in any case.
///
/// Throws Cancelled, IoError (a folder that cannot be written to, or that was removed), DeviceError
/// (also if another device took over: records of two devices must not be mixed), InputError (1000
/// samples failed for one reason, and none is done: the list or a root is wrong, and the rest is
/// not tried). The journal then holds the finished samples.
void evaluateList(NetworkService& network, const EvaluationList& list, Journal& journal,
                  const std::filesystem::path& folder, const ListRunOptions& options,
                  PipelineReport* report = nullptr);

}  // namespace threefold
