#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/mesh.h"
#include "engine/sample/sample.h"

namespace threefold {

/// Points (and normals, where the file has them) of the true surface in the space of one view.
struct GroundTruth {
    Points points;
    Points normals;  ///< empty, or as many as points
    std::filesystem::path source;
    /// If the file holds a mesh with faces: the surface that the points sample.
    Mesh surface;
    MeshSpace space = MeshSpace::view;  ///< space assumed for the file's coordinates
};

/// Reads a pickle of METHOD.md §10 in either layout, bare N×6 (or N×3) array or (image, array); or
/// a file that readMesh() reads. The truth of a mesh with faces is kSurfaceSamples points, spread
/// evenly by area. The result is in the file's own space. Throws IoError, NotThisFormat,
/// FormatError, InputError (empty, not N×3/N×6, not finite, no area).
GroundTruth readGroundTruth(const std::filesystem::path& file, const MeshReading& reading = {});
/// The same for bytes in memory, which may be untrusted; `subject` gives the extension.
GroundTruth decodeGroundTruth(std::span<const std::byte> bytes,
                              const std::filesystem::path& subject,
                              const MeshReading& reading = {});

/// The sample's truth expressed in the space of view `firstView`, through the world with the two
/// cameras (METHOD.md §2). Throws as above; InputError where the sample has none.
GroundTruth loadGroundTruth(const Sample& sample, int firstView);

}  // namespace threefold
