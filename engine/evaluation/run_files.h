#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "engine/evaluation/record.h"
#include "engine/evaluation/reports.h"

namespace threefold {

/// Where the meshes of a sample go (METHOD.md §10): `folder`/{name}_predict.obj, .xyz.
std::vector<std::filesystem::path> meshFilesOf(const std::filesystem::path& folder,
                                               std::string_view name);

/// Removes the meshes, thumbnails, reports and the like of a run, and nothing else.
void removeFilesOf(const std::filesystem::path& folder, const std::vector<SampleRecord>& records);

/// Removes the thumbnails of samples of this run that its report does not show.
void removeUnshownThumbnails(const std::filesystem::path& folder,
                             const std::vector<SampleRecord>& records);

}  // namespace threefold
