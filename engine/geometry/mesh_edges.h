#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

namespace threefold {

/// Undirected edge of a mesh.
struct MeshEdge {
    std::uint32_t low;        ///< index of one end
    std::uint32_t high;       ///< index of the other end, not below `low`
    std::uint32_t faceCount;  ///< number of faces at the edge: 1 at a border
};

/// Edges of the faces, each once, ascending by `low`, then by `high`.
std::vector<MeshEdge> meshEdges(std::span<const glm::u32vec3> faces);

}  // namespace threefold
