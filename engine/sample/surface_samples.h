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

/// Random points, one in each of `count` equal shares of the mesh's area; always the same for the
/// same mesh. Throws InputError for a mesh without area, or faces with missing vertices.
SurfaceSamples sampleSurface(const Mesh& mesh, std::size_t count = kSurfaceSamples);

}  // namespace threefold
