#pragma once

#include <filesystem>
#include <string>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/sample/ground_truth.h"

namespace threefold {

/// What the user says of the two files' coordinates. "view", "world", or empty: not said.
struct SpaceOptions {
    std::string mesh;
    std::string truth;
    std::filesystem::path cameras;  ///< a rendering_metadata.txt
    std::size_t view = 0;           ///< its row whose space "view" is
};

/// Takes the one that is in the world's space into the view's where both were said to differ.
/// Returns a warning, or nothing: where they were not said, and lie as if they differed, in space
/// or in unit. Throws UsageError where they differ and no cameras are named; what
/// readRenderingMetadata throws; InputError where it has no such row.
std::string intoOneSpace(const SpaceOptions& options, MeshFile& mesh, GroundTruth& truth);

}  // namespace threefold
