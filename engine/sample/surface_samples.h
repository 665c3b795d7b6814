#pragma once

#include <cstddef>

#include "engine/mesh.h"

namespace threefold {

struct SurfaceSamples {
    Points points;
    Points normals;  ///< of the faces they lie on, of length 1
};

/// As many as METHOD.md §9's surface protocol takes.
inline constexpr std::size_t kSurfaceSamples = 10'000;

/// Points spread evenly over the faces by area: one in each of `count` equal shares of the whole
/// area, at a random place in it. The same mesh always gives the same points. Throws InputError for
/// a mesh without area, or with faces that name missing vertices.
SurfaceSamples sampleSurface(const Mesh& mesh, std::size_t count = kSurfaceSamples);

}  // namespace threefold
