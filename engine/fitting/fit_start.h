#pragma once

#include "engine/fitting/fit_solver.h"
#include "engine/fitting/mesh_levels.h"
#include "engine/mesh.h"

namespace threefold::fitting {

/// Throws InputError if `mesh` has not levels.vertexCount() vertices, or a coordinate is not
/// finite.
void requireFittable(const Points& mesh, const MeshLevels& levels);

/// Makes the start of a fit from a mesh: the mesh, smoothed if it is crumpled, and the curvature
/// that the fit keeps. `overlap`: mean overlap of the mesh with the photographs' masks, 0…1. The
/// mesh's curvature is kept as far as it is taken for true shape: fully for a smooth mesh that
/// agrees with the photographs, less for other meshes, whose curvature is noise (METHOD.md §7a).
FitStart makeFitStart(const Points& mesh, const MeshLevels& levels, double overlap);

}  // namespace threefold::fitting
