#pragma once

#include <filesystem>
#include <string>

#include "engine/comparison/comparison.h"

namespace threefold {

/// A sample's mesh in a folder: NAME_fitted.*, NAME_predict.* or NAME.*, in any format that is
/// read; without vertices where there is none. Throws as readMesh().
Mesh meshOf(const std::filesystem::path& folder, const std::string& name);

/// A run that `eval` wrote, named as its folder is; its meshes are read when they are asked for.
/// Throws what readJournal() throws.
ComparedRun readRun(const std::filesystem::path& folder);

}  // namespace threefold
