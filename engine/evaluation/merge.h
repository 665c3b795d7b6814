#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "engine/evaluation/result_files.h"

namespace threefold {

/// A merged run and its missing samples.
struct MergedRun {
    EvaluationRun run;                        ///< as if one process had run the whole list
    std::vector<std::size_t> missing;         ///< positions that no folder holds
    std::vector<std::filesystem::path> from;  ///< for each record, the folder that it came from
    std::size_t damagedLines = 0;             ///< of all journals
};

/// Joins the runs of several folders. Machines and seconds add up. A position in several folders is
/// taken from the first that has its scores; a folder's seconds count in proportion to what is
/// taken from it, so a folder named twice changes nothing. Of two samples with one name the later
/// fails, as in one process. Throws what readJournal() throws; InputError where the runs cannot be
/// mixed (what differs), UsageError without folders.
MergedRun mergeRuns(std::span<const std::filesystem::path> folders);

/// Copies the thumbnails that the merged report shows, where they are. Throws IoError.
void copyShownThumbnails(const MergedRun& merged, const std::filesystem::path& folder);

}  // namespace threefold
