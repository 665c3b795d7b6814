#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/journal.h"
#include "engine/evaluation/reports.h"
#include "engine/network/backend.h"
#include "engine/sample/sample.h"

namespace threefold {

struct SampleInWork;

struct ListRunOptions {
    std::filesystem::path imageRoot;  ///< where names are looked for; empty: the list's own
    /// Where truths are; a sample without one fails. Empty: beside the images (findSample()), and a
    /// sample without one has no scores, but meshes and silhouettes.
    std::filesystem::path truthRoot;
    bool meshes = true;      ///< write {name}_predict.obj and .xyz (METHOD.md §10)
    bool thumbnails = true;  ///< of the worst so far
    std::size_t batch = 1;
    std::size_t loaders = 1;
    std::size_t finishers = 1;
    std::stop_token cancel;
    /// Hears of each sample once it is kept, from a thread of the run. May be empty.
    std::function<void(const SampleRecord&)> kept;
    /// Sees each sample once it is measured, with its meshes, from any of the finishers. May be
    /// empty.
    std::function<void(const SampleInWork&)> measured;
    /// How long the network's last call waited for others that share it, in milliseconds: that is
    /// no time of the network's. On its thread. May be empty.
    std::function<double()> waited;
};

/// The sample that an entry names. `truthSpace`: as RunIdentity's. Throws what findSample() throws.
Sample findEntry(const ListEntry& entry, const std::filesystem::path& imageRoot,
                 const std::filesystem::path& truthRoot, const std::string& truthSpace);

/// Whether nothing is left to do with a sample: it has its scores, and its meshes where they are
/// wanted. One that failed is tried again, and one without a truth where a `truthRoot` is given.
bool isFinished(const SampleRecord& record, const std::filesystem::path& folder,
                const ListRunOptions& options);

/// Runs the samples of the journal's shard that it does not hold as finished, and keeps each in it
/// as soon as it is done; meshes and thumbnails go into `folder`, the journal's. What to compute
/// (views, protocols, τ) is the identity's. On a processor one loader and one finisher are enough.
///
/// Throws Cancelled, IoError (a folder that cannot be written to), DeviceError (also where the
/// backend has changed to another device: records of two must not be mixed). What was finished is
/// in the journal then.
void evaluateList(Backend& backend, const EvaluationList& list, Journal& journal,
                  const std::filesystem::path& folder, const ListRunOptions& options);

}  // namespace threefold
