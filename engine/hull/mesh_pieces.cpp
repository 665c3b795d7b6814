#include "engine/hull/mesh_pieces.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>

namespace threefold::hull {

void dropSmallPieces(Mesh& mesh) {
    std::vector<std::uint32_t> piece(mesh.vertices.size());
    std::iota(piece.begin(), piece.end(), 0U);
    const auto rootOf = [&](std::uint32_t vertex) {
        while (piece[vertex] != vertex) vertex = piece[vertex] = piece[piece[vertex]];
        return vertex;
    };
    for (const glm::u32vec3 face : mesh.faces) {
        piece[rootOf(face.y)] = rootOf(face.x);
        piece[rootOf(face.z)] = rootOf(face.x);
    }
    std::vector<double> volume(mesh.vertices.size());
    for (const glm::u32vec3 face : mesh.faces) {
        const glm::dvec3 a(mesh.vertices[face.x]);
        const glm::dvec3 b(mesh.vertices[face.y]);
        volume[rootOf(face.x)] += glm::dot(a, glm::cross(b, glm::dvec3(mesh.vertices[face.z])));
    }
    constexpr double kLeastShare = 0.0003;
    const double least =
        volume.empty() ? 0 : kLeastShare * *std::max_element(volume.begin(), volume.end());
    const auto isKept = [&](std::uint32_t vertex) { return volume[rootOf(vertex)] >= least; };
    std::erase_if(mesh.faces, [&](glm::u32vec3 face) { return !isKept(face.x); });
    std::vector<std::uint32_t> number(mesh.vertices.size());
    Points kept;
    for (std::uint32_t i = 0; i < mesh.vertices.size(); ++i) {
        number[i] = static_cast<std::uint32_t>(kept.size());
        if (isKept(i)) kept.push_back(mesh.vertices[i]);
    }
    for (glm::u32vec3& face : mesh.faces) face = {number[face.x], number[face.y], number[face.z]};
    mesh.vertices = std::move(kept);
}

}  // namespace threefold::hull
