#include "engine/geometry/mesh_properties.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>

#include "engine/geometry/mesh_edges.h"
#include "engine/geometry/self_intersections.h"
#include "engine/geometry/vertex_sets.h"

namespace threefold {
namespace {

/// For each vertex, the index of one vertex at its position: the same index for all vertices at a
/// position.
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

/// Number of vertices that are ends of an edge.
std::size_t vertexCountOf(std::span<const MeshEdge> edges) {
    std::vector<std::uint32_t> ends;
    ends.reserve(2 * edges.size());
    for (const MeshEdge& edge : edges) ends.insert(ends.end(), {edge.low, edge.high});
    std::ranges::sort(ends);
    return static_cast<std::size_t>(std::unique(ends.begin(), ends.end()) - ends.begin());
}

/// Faces between welded vertices; those with two corners at the same position are left out.
Faces weldedFaces(std::span<const glm::vec3> vertices, std::span<const glm::u32vec3> faces) {
    if (faces.empty()) return {};  // avoids sorting the points
    const std::vector<std::uint32_t> welded = weldedIndices(vertices);
    Faces kept;
    kept.reserve(faces.size());
    for (const glm::u32vec3& face : faces) {
        const glm::u32vec3 corners(welded[face.x], welded[face.y], welded[face.z]);
        if (corners.x != corners.y && corners.y != corners.z && corners.z != corners.x)
            kept.push_back(corners);
    }
    return kept;
}

/// Faces of each component.
std::vector<Faces> componentsOf(std::size_t vertexCount, const Faces& faces) {
    VertexSets sets(vertexCount);
    for (const glm::u32vec3& face : faces) {
        sets.join(face.x, face.y);
        sets.join(face.y, face.z);
    }
    std::map<std::uint32_t, Faces> components;  // by root
    for (const glm::u32vec3& face : faces) components[sets.rootOf(face.x)].push_back(face);
    std::vector<Faces> result;
    for (auto& [root, component] : components) result.push_back(std::move(component));
    return result;
}

/// Number of edges that two faces traverse in the same direction.
std::size_t misorientedEdgeCount(const Faces& faces) {
    std::vector<std::uint64_t> directed;
    directed.reserve(3 * faces.size());
    for (const glm::u32vec3& face : faces)
        for (int corner = 0; corner < 3; ++corner)
            directed.push_back((static_cast<std::uint64_t>(face[corner]) << 32U) |
                               face[(corner + 1) % 3]);
    std::ranges::sort(directed);
    return static_cast<std::size_t>(directed.end() - std::unique(directed.begin(), directed.end()));
}

/// Winding number of the faces around a point: 1 inside of outward faces, 0 outside (solid angles
/// by van Oosterom and Strackee 1983).
double windingNumber(std::span<const glm::vec3> vertices, const Faces& faces,
                     const glm::dvec3& point) {
    double sum = 0;
    for (const glm::u32vec3& face : faces) {
        const glm::dvec3 a = glm::dvec3(vertices[face.x]) - point;
        const glm::dvec3 b = glm::dvec3(vertices[face.y]) - point;
        const glm::dvec3 c = glm::dvec3(vertices[face.z]) - point;
        const double la = glm::length(a), lb = glm::length(b), lc = glm::length(c);
        sum += 2 * std::atan2(glm::dot(a, glm::cross(b, c)), la * lb * lc + glm::dot(a, b) * lc +
                                                                 glm::dot(b, c) * la +
                                                                 glm::dot(c, a) * lb);
    }
    return sum / (4 * std::numbers::pi);
}

/// Volume that the faces enclose; negative if they point inward, 0 if it is lost in rounding.
double volumeOf(std::span<const glm::vec3> vertices, const Faces& faces) {
    const glm::dvec3 origin = vertices[faces.front().x];
    double volume = 0;
    double area = 0;
    for (const glm::u32vec3& face : faces) {
        const glm::dvec3 normal = doubledAreaNormal(vertices, face);
        volume += glm::dot(glm::dvec3(vertices[face.x]) - origin, normal) / 6;
        area += glm::length(normal) / 2;
    }
    constexpr double kRounding = 1e-9;  // relative to area^1.5
    return std::abs(volume) <= kRounding * std::pow(area, 1.5) ? 0 : volume;
}

/// Counts EnclosureDefects::misorientedComponentCount.
std::size_t misorientedComponentCount(std::span<const glm::vec3> vertices,
                                      const std::vector<Faces>& components) {
    std::size_t wrong = 0;
    if (components.size() > kMaxNestedComponents) return 0;
    for (std::size_t i = 0; i < components.size(); ++i) {
        double winding = 0;
        const glm::dvec3 point = vertices[components[i].front().x];
        for (std::size_t other = 0; other < components.size(); ++other)
            if (other != i) winding += windingNumber(vertices, components[other], point);
        const double volume = volumeOf(vertices, components[i]);
        if (volume == 0 || std::lround(winding) != (volume > 0 ? 0 : 1)) ++wrong;
    }
    return wrong;
}

/// Computes meshProperties(). `welded`: weldedFaces().
MeshProperties propertiesOf(std::span<const glm::vec3> vertices,
                            std::span<const glm::u32vec3> faces, const Faces& welded) {
    MeshProperties properties;
    const Box3f box = boundsOf(vertices);
    properties.size = glm::dvec3(box.max) - glm::dvec3(box.min);
    for (const glm::u32vec3& face : faces)
        properties.area += glm::length(doubledAreaNormal(vertices, face)) / 2;
    const std::vector<MeshEdge> edges = meshEdges(welded);
    for (const MeshEdge& edge : edges) {
        if (edge.faceCount == 1) ++properties.boundaryEdgeCount;
        if (edge.faceCount > 2) ++properties.nonManifoldEdgeCount;
    }
    properties.eulerCharacteristic = static_cast<std::int64_t>(vertexCountOf(edges)) -
                                     static_cast<std::int64_t>(edges.size()) +
                                     static_cast<std::int64_t>(welded.size());
    VertexSets sets(vertices.size());
    for (const glm::u32vec3& face : welded) {
        sets.join(face.x, face.y);
        sets.join(face.y, face.z);
    }
    std::vector<std::uint32_t> roots;
    roots.reserve(welded.size());
    for (const glm::u32vec3& face : welded) roots.push_back(sets.rootOf(face.x));
    std::ranges::sort(roots);
    properties.componentCount =
        static_cast<std::size_t>(std::unique(roots.begin(), roots.end()) - roots.begin());
    return properties;
}

}  // namespace

std::optional<std::size_t> MeshProperties::genus() const {
    const std::int64_t doubled =
        2 * static_cast<std::int64_t>(componentCount) - eulerCharacteristic;
    if (!isWatertight() || doubled < 0 || doubled % 2 != 0) return std::nullopt;
    return static_cast<std::size_t>(doubled / 2);
}

MeshProperties meshProperties(std::span<const glm::vec3> vertices,
                              std::span<const glm::u32vec3> faces) {
    return propertiesOf(vertices, faces, weldedFaces(vertices, faces));
}

EnclosureDefects enclosureDefects(std::span<const glm::vec3> vertices,
                                  std::span<const glm::u32vec3> faces) {
    const Faces welded = weldedFaces(vertices, faces);
    const MeshProperties properties = propertiesOf(vertices, faces, welded);
    EnclosureDefects defects;
    defects.boundaryEdgeCount = properties.boundaryEdgeCount;
    defects.nonManifoldEdgeCount = properties.nonManifoldEdgeCount;
    if (properties.nonManifoldEdgeCount == 0)
        defects.misorientedEdgeCount = misorientedEdgeCount(welded);
    defects.intersectingFaceCount = intersectingFaces(vertices, welded).size();
    if (properties.isWatertight() && defects.misorientedEdgeCount == 0)
        defects.misorientedComponentCount =
            misorientedComponentCount(vertices, componentsOf(vertices.size(), welded));
    return defects;
}

}  // namespace threefold
