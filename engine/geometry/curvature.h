#pragma once

#include <span>
#include <vector>

#include "engine/mesh.h"

namespace threefold {

/// Mean curvature H at each vertex, in 1 / object unit; positive where the surface is convex as
/// seen from outside (faces counter-clockwise): 1/r on a sphere, 1/(2r) on a cylinder, 0 on a plane
/// and on a minimal surface. Computed by the cotangent Laplacian over mixed Voronoi areas (Meyer et
/// al. 2003):
///     Σ_j (cot α_ij + cot β_ij) (x_i − x_j) / (2 A_i) = 2 H n.
/// NaN where undefined: on the border of an open mesh, and at vertices whose faces all have
/// zero area. Throws InputError if a face's vertex index is out of range.
std::vector<float> meanCurvature(std::span<const glm::vec3> vertices,
                                 std::span<const glm::u32vec3> faces);

}  // namespace threefold
