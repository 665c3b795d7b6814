#pragma once

#include <cstddef>

#include "engine/mesh.h"

namespace threefold {

/// Points on a surface, with the normals of their faces.
struct SurfaceSamples {
    Points points;
    Points normals;  ///< of unit length, one for each point
};

/// Number of points of the surface protocol (METHOD.md §9).
inline constexpr std::size_t kSurfaceSampleCount = 10'000;

/// Stratified random points, one in each of `count` equal fractions of the mesh's area.
/// Deterministic. Throws InputError for a mesh without area, or a vertex index out of range.
SurfaceSamples sampleSurface(const Mesh& mesh, std::size_t count = kSurfaceSampleCount);

}  // namespace threefold
