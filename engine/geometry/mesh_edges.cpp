#include "engine/geometry/mesh_edges.h"

#include <algorithm>

namespace threefold {

std::vector<MeshEdge> meshEdges(std::span<const glm::u32vec3> faces) {
    // Sorts numbers of 64 bits, which is faster than sorting pairs.
    std::vector<std::uint64_t> keys;
    keys.reserve(3 * faces.size());
    for (const glm::u32vec3& face : faces)
        for (int corner = 0; corner < 3; ++corner) {
            const auto [low, high] = std::minmax(face[corner], face[(corner + 1) % 3]);
            keys.push_back((std::uint64_t{low} << 32U) | high);
        }
    std::ranges::sort(keys);
    std::vector<MeshEdge> edges;
    std::uint64_t last = 0;
    for (const std::uint64_t key : keys) {
        if (edges.empty() || key != last)
            edges.push_back(
                {static_cast<std::uint32_t>(key >> 32U), static_cast<std::uint32_t>(key), 0});
        ++edges.back().faceCount;
        last = key;
    }
    return edges;
}

}  // namespace threefold
