#include "tests/engine/hull/topology.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>

namespace threefold::test {
namespace {

using Edges = std::map<std::pair<unsigned, unsigned>, int>;

/// The faces around each vertex, as steps from one neighbour to the next, are one round.
bool hasOneFanEverywhere(const Mesh& mesh) {
    std::vector<std::map<unsigned, unsigned>> rounds(mesh.vertices.size());
    for (const glm::u32vec3 face : mesh.faces)
        for (int i = 0; i < 3; ++i)
            if (!rounds[face[i]].emplace(face[(i + 1) % 3], face[(i + 2) % 3]).second) return false;
    for (const auto& round : rounds) {
        if (round.empty()) return false;
        const unsigned first = round.begin()->first;
        std::size_t steps = 0;
        unsigned at = first;
        do {
            const auto next = round.find(at);
            if (next == round.end() || ++steps > round.size()) return false;
            at = next->second;
        } while (at != first);
        if (steps != round.size()) return false;
    }
    return true;
}

int piecesOf(const Mesh& mesh) {
    std::vector<unsigned> piece(mesh.vertices.size());
    for (unsigned i = 0; i < piece.size(); ++i) piece[i] = i;
    const auto root = [&](unsigned at) {
        while (piece[at] != at) at = piece[at] = piece[piece[at]];
        return at;
    };
    for (const glm::u32vec3 face : mesh.faces) {
        piece[root(face.y)] = root(face.x);
        piece[root(face.z)] = root(face.x);
    }
    std::set<unsigned> roots;
    for (unsigned i = 0; i < piece.size(); ++i) roots.insert(root(i));
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
    topology.pieces = piecesOf(mesh);
    const auto euler = static_cast<int>(mesh.vertices.size() + mesh.faces.size()) -
                       static_cast<int>(edges.size() / 2);
    topology.genus = (2 * topology.pieces - euler) / 2;
    return topology;
}

}  // namespace threefold::test
