#pragma once

#include <memory>
#include <optional>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/geometry/alignment.h"
#include "engine/sample/posed_photos/posed_photos.h"
#include "engine/views/camera.h"
#include "render/scene.h"
#include "ui/files/mesh_paint.h"

namespace threefold::ui {

/// Alignment of a file's mesh with the truth or the result.
struct MeshAlignment {
    SimilarityTransform transform;  ///< from the file's coordinates
    std::optional<double> fBefore;  ///< F(τ) in percent before the move; none: not measured
};

/// Placement of a file's mesh in the world. Without any of the fields, the file's coordinates are
/// the world's.
struct MeshPlacement {
    std::optional<Camera> camera = {};  ///< set for coordinates in the reference camera's space
    std::shared_ptr<const PosedPhotos> posedPhotos = {};  ///< set for the photographs' world
    std::optional<MeshAlignment> alignment = {};          ///< replaces the other two
};
/// Whether both placements are equal except for their alignments.
bool isSameFrame(const MeshPlacement& a, const MeshPlacement& b);

/// Transforms a file's mesh by its placement. World coordinates become relative to `origin`.
render::SceneMeshRef placedMesh(const LoadedMesh& file, const SurfacePaint& paint,
                                const MeshPlacement& placement, glm::dvec3 origin);

}  // namespace threefold::ui
