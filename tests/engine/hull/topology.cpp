#include "tests/engine/hull/topology.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>

namespace threefold::test {
namespace {

using Edges = std::map<std::pair<unsigned, unsigned>, int>;

/// Whether the faces around every vertex form one closed fan.
bool hasOneFanEverywhere(const Mesh& mesh) {
    std::vector<std::map<unsigned, unsigned>> fans(mesh.vertices.size());
    for (const glm::u32vec3 face : mesh.faces)
        for (int i = 0; i < 3; ++i)
            if (!fans[face[i]].emplace(face[(i + 1) % 3], face[(i + 2) % 3]).second) return false;
    for (const auto& fan : fans) {
        if (fan.empty()) return false;
        const unsigned first = fan.begin()->first;
        std::size_t steps = 0;
        unsigned at = first;
        do {
            const auto next = fan.find(at);
            if (next == fan.end() || ++steps > fan.size()) return false;
            at = next->second;
        } while (at != first);
        if (steps != fan.size()) return false;
    }
    return true;
}

int componentCount(const Mesh& mesh) {
    std::vector<unsigned> parent(mesh.vertices.size());
    for (unsigned i = 0; i < parent.size(); ++i) parent[i] = i;
    const auto root = [&](unsigned at) {
        while (parent[at] != at) at = parent[at] = parent[parent[at]];
        return at;
    };
    for (const glm::u32vec3 face : mesh.faces) {
        parent[root(face.y)] = root(face.x);
        parent[root(face.z)] = root(face.x);
    }
    std::set<unsigned> roots;
    for (unsigned i = 0; i < parent.size(); ++i) roots.insert(root(i));
    return static_cast<int>(roots.size());
}

}  // namespace

Topology topologyOf(const Mesh& mesh) {
    Edges edges;
    Topology topology;
    for (const glm::u32vec3 face : mesh.faces) {
        for (int i = 0; i < 3; ++i) ++edges[{face[i], face[(i + 1) % 3]}];
        const glm::dvec3 a(mesh.vertices[face.x]);
        const glm::dvec3 b(mesh.vertices[face.y]);
        topology.volume += glm::dot(a, glm::cross(b, glm::dvec3(mesh.vertices[face.z]))) / 6;
    }
    topology.isManifold = hasOneFanEverywhere(mesh);
    for (const auto& [edge, count] : edges)
        if (count != 1 || !edges.contains({edge.second, edge.first})) topology.isManifold = false;
    topology.componentCount = componentCount(mesh);
    const auto euler = static_cast<int>(mesh.vertices.size() + mesh.faces.size()) -
                       static_cast<int>(edges.size() / 2);
    topology.genus = (2 * topology.componentCount - euler) / 2;
    return topology;
}

}  // namespace threefold::test
