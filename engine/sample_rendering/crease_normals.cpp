#include "engine/sample_rendering/crease_normals.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include <glm/geometric.hpp>

namespace threefold {
namespace {

constexpr float kCosineOfCrease = 0.766F;  // 40°
/// Most corners at one position that are compared pairwise; more would take minutes.
constexpr std::size_t kMostAround = 256;

struct PlaceHash {
    std::size_t operator()(const glm::vec3& place) const {
        std::uint64_t hash = 0;
        for (int axis = 0; axis < 3; ++axis) {
            hash ^= std::bit_cast<std::uint32_t>(place[axis]);
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

/// For each vertex the index of its position; sets `count` to the number of distinct positions.
std::vector<std::uint32_t> places(const Points& vertices, std::size_t& count) {
    std::unordered_map<glm::vec3, std::uint32_t, PlaceHash> known;
    known.reserve(vertices.size());
    std::vector<std::uint32_t> numbers;
    numbers.reserve(vertices.size());
    for (const glm::vec3& vertex : vertices) {
        const glm::vec3 place = vertex + 0.0F;  // turns −0 into 0
        numbers.push_back(
            known.emplace(place, static_cast<std::uint32_t>(known.size())).first->second);
    }
    count = known.size();
    return numbers;
}

float angleAt(const glm::vec3& corner, const glm::vec3& a, const glm::vec3& b) {
    const glm::vec3 one = a - corner;
    const glm::vec3 other = b - corner;
    return std::atan2(glm::length(glm::cross(one, other)), glm::dot(one, other));
}

}  // namespace

std::vector<glm::vec3> creaseNormals(const Mesh& mesh) {
    const std::size_t faceCount = mesh.faces.size();
    std::vector<glm::vec3> flat;
    flat.reserve(faceCount);
    for (const glm::u32vec3& face : mesh.faces) {
        const glm::dvec3 a = mesh.vertices[face.x];
        const glm::dvec3 normal = glm::cross(glm::dvec3(mesh.vertices[face.y]) - a,
                                             glm::dvec3(mesh.vertices[face.z]) - a);
        const double length = glm::length(normal);
        flat.emplace_back(length > 0 ? normal / length : glm::dvec3(0, 1, 0));
    }

    std::size_t placeCount = 0;
    const std::vector<std::uint32_t> placeOf = places(mesh.vertices, placeCount);
    std::vector<std::uint32_t> start(placeCount + 1);
    for (const glm::u32vec3& face : mesh.faces)
        for (int k = 0; k < 3; ++k) ++start[placeOf[face[k]] + 1];
    for (std::size_t i = 0; i < placeCount; ++i) start[i + 1] += start[i];
    std::vector<Corner> around(3 * faceCount);
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (std::size_t i = 0; i < faceCount; ++i) {
        const glm::u32vec3& face = mesh.faces[i];
        for (int k = 0; k < 3; ++k)
            around[next[placeOf[face[k]]]++] = {
                static_cast<std::uint32_t>(i),
                angleAt(mesh.vertices[face[k]], mesh.vertices[face[(k + 1) % 3]],
                        mesh.vertices[face[(k + 2) % 3]])};
    }

    std::vector<glm::vec3> normals;
    normals.reserve(3 * faceCount);
    for (std::size_t i = 0; i < faceCount; ++i) {
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t place = placeOf[mesh.faces[i][k]];
            glm::vec3 sum = flat[i] * 1e-6F;
            if (start[place + 1] - start[place] <= kMostAround)
                for (std::uint32_t at = start[place]; at < start[place + 1]; ++at)
                    if (glm::dot(flat[around[at].face], flat[i]) > kCosineOfCrease)
                        sum += around[at].angle * flat[around[at].face];
            normals.push_back(glm::normalize(sum));
        }
    }
    return normals;
}

}  // namespace threefold
