#pragma once

#include <filesystem>

#include "engine/evaluation/evaluate_list.h"

namespace threefold {

/// Refuses to replace another program's files: throws InputError if a folder without a journal
/// holds a mesh or a thumbnail of a sample that evaluateList() would write. Call before the journal
/// is made, unless the run may overwrite. Throws Cancelled. Looks for the list's samples only if
/// the folder contains files with such names.
void refuseUnrelatedFiles(const EvaluationList& list, const Shard& shard,
                          const std::filesystem::path& folder, const ListRunOptions& options);

}  // namespace threefold
