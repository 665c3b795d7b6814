#pragma once

#include <filesystem>
#include <string>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/sample/ground_truth.h"

namespace threefold {

/// Coordinate spaces of the two files: "view", "world", or empty where not given.
struct SpaceOptions {
    std::string mesh;
    std::string truth;
    std::filesystem::path cameras;  ///< a rendering_metadata.txt
    std::size_t view = 0;           ///< its row whose space "view" is
};

/// Converts the file in world space to the view's where the given spaces differ. Returns a warning
/// where none was given and the files seem to differ in space or unit, else nothing. Throws
/// UsageError where they differ and no cameras are named; what readRenderingMetadata throws;
/// InputError where it has no such row.
std::string intoOneSpace(const SpaceOptions& options, MeshFile& mesh, GroundTruth& truth);

}  // namespace threefold
