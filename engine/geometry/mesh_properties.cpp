#include "engine/geometry/mesh_properties.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>

namespace threefold {
namespace {

/// For each vertex, one vertex at the same position: the same one for all vertices there.
std::vector<std::uint32_t> weldedIndices(std::span<const glm::vec3> vertices) {
    std::vector<std::uint32_t> order(vertices.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto position = [&](std::uint32_t index) {
        const glm::vec3& vertex = vertices[index];
        return std::tuple(vertex.x, vertex.y, vertex.z);
    };
    std::ranges::sort(order, {}, position);
    std::vector<std::uint32_t> welded(vertices.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool isSame = i > 0 && vertices[order[i]] == vertices[order[i - 1]];
        welded[order[i]] = isSame ? welded[order[i - 1]] : order[i];
    }
    return welded;
}

/// Disjoint sets of vertices.
class VertexSets {
  public:
    explicit VertexSets(std::size_t count) : parents_(count) {
        std::iota(parents_.begin(), parents_.end(), 0U);
    }
    std::uint32_t rootOf(std::uint32_t vertex) {
        while (parents_[vertex] != vertex) vertex = parents_[vertex] = parents_[parents_[vertex]];
        return vertex;
    }
    void join(std::uint32_t a, std::uint32_t b) { parents_[rootOf(a)] = rootOf(b); }

  private:
    std::vector<std::uint32_t> parents_;
};

std::uint64_t edgeBetween(std::uint32_t a, std::uint32_t b) {
    return (static_cast<std::uint64_t>(std::min(a, b)) << 32U) | std::max(a, b);
}

/// Number of vertices that are corners of an edge.
std::size_t cornersOf(std::span<const std::uint64_t> edges) {
    std::vector<std::uint32_t> corners;
    corners.reserve(2 * edges.size());
    for (const std::uint64_t edge : edges) {
        corners.push_back(static_cast<std::uint32_t>(edge >> 32U));
        corners.push_back(static_cast<std::uint32_t>(edge));
    }
    std::ranges::sort(corners);
    return static_cast<std::size_t>(std::unique(corners.begin(), corners.end()) - corners.begin());
}

}  // namespace

std::optional<std::size_t> MeshProperties::genus() const {
    const std::int64_t doubled = 2 * static_cast<std::int64_t>(components) - eulerCharacteristic;
    if (!isWatertight() || doubled < 0 || doubled % 2 != 0) return std::nullopt;
    return static_cast<std::size_t>(doubled / 2);
}

MeshProperties meshProperties(std::span<const glm::vec3> vertices,
                              std::span<const glm::u32vec3> faces) {
    MeshProperties properties;
    const Box3f box = boundsOf(vertices);
    properties.size = glm::dvec3(box.max) - glm::dvec3(box.min);
    if (faces.empty()) return properties;

    const std::vector<std::uint32_t> welded = weldedIndices(vertices);
    VertexSets sets(vertices.size());
    std::vector<std::uint64_t> edges;
    edges.reserve(3 * faces.size());
    for (const glm::u32vec3& face : faces) {
        properties.area += glm::length(areaNormal(vertices, face)) / 2;
        const std::uint32_t a = welded[face.x], b = welded[face.y], c = welded[face.z];
        sets.join(a, b);
        sets.join(b, c);
        if (a != b && b != c && c != a)
            edges.insert(edges.end(), {edgeBetween(a, b), edgeBetween(b, c), edgeBetween(c, a)});
    }
    std::ranges::sort(edges);
    for (auto edge = edges.begin(); edge != edges.end();) {
        const auto next =
            std::find_if(edge, edges.end(), [&](auto other) { return other != *edge; });
        if (next - edge == 1) ++properties.boundaryEdges;
        if (next - edge > 2) ++properties.nonManifoldEdges;
        edge = next;
    }
    const auto facesOfEdges = static_cast<std::int64_t>(edges.size() / 3);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    properties.eulerCharacteristic = static_cast<std::int64_t>(cornersOf(edges)) -
                                     static_cast<std::int64_t>(edges.size()) + facesOfEdges;
    std::vector<std::uint32_t> roots;
    roots.reserve(faces.size());
    for (const glm::u32vec3& face : faces) {
        const std::uint32_t a = welded[face.x], b = welded[face.y], c = welded[face.z];
        if (a != b && b != c && c != a) roots.push_back(sets.rootOf(a));
    }
    std::ranges::sort(roots);
    properties.components =
        static_cast<std::size_t>(std::unique(roots.begin(), roots.end()) - roots.begin());
    return properties;
}

}  // namespace threefold
