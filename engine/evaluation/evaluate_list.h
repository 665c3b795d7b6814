#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "engine/evaluation/journal/journal.h"
#include "engine/evaluation/list/evaluation_list.h"
#include "engine/network/service/network_service.h"
#include "engine/pipeline/pipeline.h"

namespace threefold {

/// Options of evaluateList().
struct ListRunOptions {
    /// Folder in which the list's names are looked up; empty: EvaluationList::imageRoot.
    std::filesystem::path imageRoot;
    /// Folder of truths; a sample without a truth fails. Empty: truths are beside the images
    /// (findSample()), and a sample without a truth gets meshes and silhouettes, but no scores.
    std::filesystem::path truthRoot;
    bool writeMeshes = true;  ///< write {name}_predict.obj and .xyz (METHOD.md §10)
    /// Write a thumbnail of each sample that is in the report's lists when the sample finishes.
    bool writeThumbnails = true;
    /// Options of the pipeline. evaluateList() sets `warmUpRuns` and `finishesAfterCancel`.
    PipelineOptions pipeline = {};
    /// Called for each stored sample, on a thread of the run. May be empty.
    std::function<void(const SampleRecord&)> onStored;
    /// Called for each measured sample, with its meshes, on a finisher's thread. May be empty.
    std::function<void(const MeasuredSample&, const SampleRecord&)> onMeasured;
};

/// Whether a sample needs no more work: it is done, and its mesh files, if requested, are as the
/// run wrote them (hasUnchangedMeshFiles()). False for a failed sample, and for a sample without a
/// truth if a `truthRoot` is given.
bool isFinished(const SampleRecord& record, const std::filesystem::path& folder,
                const ListRunOptions& options);

/// Samples of the earlier sessions of a run that is continued.
struct EarlierSamples {
    std::vector<SampleRecord> finished;  ///< sorted by position; all other samples are evaluated
    /// Existing files with the names of meshes that evaluateList() will write, but not with the
    /// content that the run wrote earlier (changedMeshFilesOf()): they will be replaced.
    std::vector<std::filesystem::path> changedMeshFiles;
};

/// Finds the samples of `contents` that need no more work. If meshes are written, reads the meshes
/// of samples that are done.
EarlierSamples earlierSamples(const JournalContents& contents, const std::filesystem::path& folder,
                              const ListRunOptions& options);

/// Runs the unfinished samples of the journal's shard and stores each sample once it is done or has
/// failed; writes meshes and thumbnails into `folder`, which holds the journal. The run's identity
/// determines views, protocols and τ. `report`, unless null: time use of the run, filled in even if
/// an exception is thrown.
///
/// Throws Cancelled, IoError (a folder that cannot be written to, or that was removed), DeviceError
/// (also if another device took over: records of two devices must not be mixed), InputError (once
/// 1000 samples failed for the same reason and none is done; not if the whole list failed). The
/// journal then holds the finished samples.
void evaluateList(NetworkService& network, const EvaluationList& list, Journal& journal,
                  const std::filesystem::path& folder, const ListRunOptions& options,
                  PipelineReport* report = nullptr);

}  // namespace threefold
