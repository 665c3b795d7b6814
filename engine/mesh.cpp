#include "engine/mesh.h"

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold {

void requireValidFaces(std::size_t vertexCount, std::span<const glm::u32vec3> faces) {
    for (std::size_t i = 0; i < faces.size(); ++i)
        for (int corner = 0; corner < 3; ++corner)
            if (faces[i][corner] >= vertexCount)
                throw InputError(
                    {"mesh", fmt::format("face {}", i),
                     fmt::format("names the vertex {}, but the number of vertices is {}",
                                 faces[i][corner], vertexCount),
                     "Export the mesh again."});
}

}  // namespace threefold
