#pragma once

#include <string>

#include "app/score/request.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/sample/ground_truth.h"

namespace threefold {

/// Converts the file in world space to camera space if the given spaces differ. Returns a warning
/// if no space was given and the files seem to differ in space or unit, else an empty string.
/// Throws UsageError if the spaces differ and no cameras are named, as readRenderingMetadata(), and
/// InputError if the row does not exist.
std::string intoOneSpace(const SpaceOptions& options, LoadedMesh& mesh, GroundTruth& truth);

}  // namespace threefold
