#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/evaluation/run/evaluation_run.h"

namespace threefold {

/// A merged run and its missing samples.
struct MergedRun {
    EvaluationRun run;                                 ///< as if one process had run the whole list
    std::vector<std::size_t> missingPositions;         ///< positions without a record in any folder
    std::vector<std::filesystem::path> sourceFolders;  ///< in the order of run.records
    std::size_t damagedLines = 0;                      ///< number of damaged lines in all journals
    std::set<std::string> truthFolders;  ///< RunFolders::truths of all runs, without empty paths
};

/// Merges the runs of several folders. Machines are combined and seconds added. Of several records
/// of a position, the first with scores is used, or else the first that is done; a folder's seconds
/// count in proportion to its used records. A folder that is given twice, by any path, counts once.
/// Of two samples with one name the later one fails, as it does in a run of one process. Throws as
/// readJournal() does; InputError if the runs cannot be mixed (with the differences) or measured
/// one sample against two truths, UsageError without folders.
MergedRun mergeRuns(std::span<const std::filesystem::path> folders);

/// Copies the existing thumbnails that the merged report shows. Throws IoError.
void copyShownThumbnails(const MergedRun& merged, const std::filesystem::path& folder);

}  // namespace threefold
