#include "engine/sample_rendering/crease_normals.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include <glm/geometric.hpp>

#include "engine/sample_rendering/poll_cancel.h"

namespace threefold {
namespace {

constexpr float kCosineOfCrease = 0.766F;  // 40°
/// Maximum number of corners at one position to compare pairwise; more would take minutes.
constexpr std::size_t kMaxAdjacent = 256;

struct PositionHash {
    std::size_t operator()(const glm::vec3& position) const {
        std::uint64_t hash = 0;
        for (int axis = 0; axis < 3; ++axis) {
            hash ^= std::bit_cast<std::uint32_t>(position[axis]);
            hash *= 0x9e3779b97f4a7c15U;
            hash ^= hash >> 29U;
        }
        return static_cast<std::size_t>(hash);
    }
};

struct Corner {
    std::uint32_t face;
    float angle;
};

/// Returns the position index of each vertex; sets `count` to the number of distinct positions.
/// Throws Cancelled.
std::vector<std::uint32_t> positionIndices(const Points& vertices, std::size_t& count,
                                           const std::stop_token& cancel) {
    std::unordered_map<glm::vec3, std::uint32_t, PositionHash> positions;
    positions.reserve(vertices.size());
    std::vector<std::uint32_t> indices;
    indices.reserve(vertices.size());
    for (const glm::vec3& vertex : vertices) {
        pollCancel(indices.size(), cancel);
        const glm::vec3 position = vertex + 0.0F;  // turns −0 into 0
        indices.push_back(positions.emplace(position, static_cast<std::uint32_t>(positions.size()))
                              .first->second);
    }
    count = positions.size();
    return indices;
}

float angleAt(const glm::vec3& corner, const glm::vec3& a, const glm::vec3& b) {
    const glm::vec3 one = a - corner;
    const glm::vec3 other = b - corner;
    return std::atan2(glm::length(glm::cross(one, other)), glm::dot(one, other));
}

}  // namespace

std::vector<glm::vec3> creaseNormals(const Mesh& mesh, const std::stop_token& cancel) {
    const std::size_t faceCount = mesh.faces.size();
    std::vector<glm::vec3> faceNormals;
    faceNormals.reserve(faceCount);
    for (const glm::u32vec3& face : mesh.faces) {
        pollCancel(faceNormals.size(), cancel);
        const glm::dvec3 normal = doubledAreaNormal(mesh.vertices, face);
        const double length = glm::length(normal);
        faceNormals.emplace_back(length > 0 ? normal / length : glm::dvec3(0, 1, 0));
    }

    std::size_t positionCount = 0;
    const std::vector<std::uint32_t> positionOf =
        positionIndices(mesh.vertices, positionCount, cancel);
    std::vector<std::uint32_t> start(positionCount + 1);
    for (const glm::u32vec3& face : mesh.faces)
        for (int k = 0; k < 3; ++k) ++start[positionOf[face[k]] + 1];
    for (std::size_t i = 0; i < positionCount; ++i) start[i + 1] += start[i];
    std::vector<Corner> adjacent(3 * faceCount);
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (std::size_t i = 0; i < faceCount; ++i) {
        pollCancel(i, cancel);
        const glm::u32vec3& face = mesh.faces[i];
        for (int k = 0; k < 3; ++k)
            adjacent[next[positionOf[face[k]]]++] = {
                static_cast<std::uint32_t>(i),
                angleAt(mesh.vertices[face[k]], mesh.vertices[face[(k + 1) % 3]],
                        mesh.vertices[face[(k + 2) % 3]])};
    }

    std::vector<glm::vec3> normals;
    normals.reserve(3 * faceCount);
    for (std::size_t i = 0; i < faceCount; ++i) {
        pollCancel(i, cancel);
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t position = positionOf[mesh.faces[i][k]];
            glm::vec3 sum = faceNormals[i] * 1e-6F;
            if (start[position + 1] - start[position] <= kMaxAdjacent)
                for (std::uint32_t at = start[position]; at < start[position + 1]; ++at)
                    if (glm::dot(faceNormals[adjacent[at].face], faceNormals[i]) > kCosineOfCrease)
                        sum += adjacent[at].angle * faceNormals[adjacent[at].face];
            normals.push_back(glm::normalize(sum));
        }
    }
    return normals;
}

}  // namespace threefold
