#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold::hull {

/// Signed distance to a surface, negative inside. Exact up to `maxDistance`; larger distances may
/// come back as any value above `maxDistance`. Called by several threads.
using DistanceField = std::function<float(glm::dvec3 point, float maxDistance)>;

/// Options of marchingCubes().
struct MarchingCubesOptions {
    double radius = 0;   ///< the surface lies within ±radius along each axis
    double spacing = 0;  ///< distance of the grid's points, object units
    /// Upper bound of the field's slope. Blocks of the grid in which the field cannot reach 0 by
    /// this bound are skipped.
    double maxSlope = 1;
    int threads = 1;
    std::stop_token cancel;
};

/// Extracts the field's zero level by marching cubes (Lorensen and Cline 1987) on a cubic grid,
/// evaluated only near the surface. The asymptotic decider (Nielson and Hamann 1991) resolves
/// ambiguous faces, in both cubes in the same way, so that the mesh is closed, oriented and
/// 2-manifold for any field. Misses parts thinner than the spacing, and parts where the field is
/// steeper than `maxSlope`. Empty if there is no surface. The result does not depend on the number
/// of threads. Throws InputError for 2^22 or more grid points from the origin to the radius;
/// Cancelled.
Mesh marchingCubes(const DistanceField& field, const MarchingCubesOptions& options);

/// Extracts a surface of 0.6 to 1.6 times `vertexCount` vertices. Tries up to five spacings, from
/// `options.spacing` on, and returns the last surface if none fits. The surface lies slightly
/// outside of the zero level, so that sheets of 0.4 spacings or more are found;
/// remeshIsotropically() moves the surface back.
Mesh marchingCubesWithVertexCount(const DistanceField& field, double vertexCount,
                                  MarchingCubesOptions options);

}  // namespace threefold::hull
