#include "engine/sample_rendering/prepared_mesh.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_formats.h"

namespace threefold {
namespace {

constexpr double kDiagonal = 0.57;

[[noreturn]] void refuse(const TexturedMesh& textured, const std::string& problem,
                         const std::string& remedy) {
    throw InputError({textured.mesh.source.string(), "", problem, remedy});
}

glm::dvec3 turned(const glm::vec3& point, const MeshPlacement& placing) {
    return placing.zUp ? glm::dvec3(point.x, point.z, -point.y) : glm::dvec3(point);
}

/// Keeps the faces with area and the vertices they use.
class MeshPacker {
  public:
    MeshPacker(TexturedMesh& from, const MeshPlacement& placing)
        : from_(from), placing_(placing), number_(from.mesh.vertices.size(), kNone) {}

    PreparedMesh pack() {
        const bool coloured = !from_.mesh.colours.empty();
        const bool mapped = !from_.coordinates.empty();
        take();
        for (std::size_t i = 0; i < from_.mesh.faces.size(); ++i) {
            const glm::u32vec3 face = from_.mesh.faces[i];
            if (!hasArea(face)) {
                ++prepared_.withoutArea;
                continue;
            }
            prepared_.mesh.faces.emplace_back(number_[face.x], number_[face.y], number_[face.z]);
            if (!from_.materialOfFace.empty())
                prepared_.materialOfFace.push_back(from_.materialOfFace[i]);
            for (std::size_t k = 0; mapped && k < 3; ++k)
                prepared_.coordinates.push_back(from_.coordinates[3 * i + k]);
        }
        if (prepared_.mesh.faces.empty())
            refuse(from_, fmt::format("none of its {} faces has an area", from_.mesh.faces.size()),
                   "Export the mesh again.");
        place();
        if (coloured)
            for (const std::uint32_t vertex : taken_)
                prepared_.colours.push_back(
                    glm::clamp(from_.mesh.colours[vertex], glm::vec3(0.0F), glm::vec3(1.0F)));
        if (!from_.tints.empty())
            for (const std::uint32_t vertex : taken_)
                prepared_.tints.push_back(from_.tints[vertex]);
        return std::move(prepared_);
    }

  private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    bool hasArea(const glm::u32vec3& face) const {
        const glm::dvec3 a = from_.mesh.vertices[face.x];
        const glm::dvec3 normal = glm::cross(glm::dvec3(from_.mesh.vertices[face.y]) - a,
                                             glm::dvec3(from_.mesh.vertices[face.z]) - a);
        return normal.x != 0 || normal.y != 0 || normal.z != 0;
    }

    /// Numbers the vertices that have a face, in the file's order.
    void take() {
        for (const glm::u32vec3& face : from_.mesh.faces)
            if (hasArea(face))
                for (int k = 0; k < 3; ++k) number_[face[k]] = 0;
        for (std::uint32_t vertex = 0; vertex < number_.size(); ++vertex) {
            if (number_[vertex] == kNone) continue;
            number_[vertex] = static_cast<std::uint32_t>(taken_.size());
            taken_.push_back(vertex);
        }
    }

    void place() {
        glm::dvec3 least(std::numeric_limits<double>::max());
        glm::dvec3 most(-std::numeric_limits<double>::max());
        for (const std::uint32_t vertex : taken_) {
            const glm::dvec3 point = turned(from_.mesh.vertices[vertex], placing_);
            least = glm::min(least, point);
            most = glm::max(most, point);
        }
        const glm::dvec3 centre = placing_.asIs ? glm::dvec3(0.0) : (least + most) * 0.5;
        const double scale = placing_.asIs ? 1 : kDiagonal / glm::length(most - least);
        prepared_.mesh.vertices.reserve(taken_.size());
        for (const std::uint32_t vertex : taken_)
            prepared_.mesh.vertices.emplace_back(
                (turned(from_.mesh.vertices[vertex], placing_) - centre) * scale);
    }

    TexturedMesh& from_;
    const MeshPlacement& placing_;
    PreparedMesh prepared_;
    std::vector<std::uint32_t> number_;  // of each vertex of the file
    std::vector<std::uint32_t> taken_;
};

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

PreparedMesh prepareMesh(TexturedMesh textured, const MeshPlacement& placing) {
    if (textured.mesh.faces.empty())
        refuse(textured,
               fmt::format("holds {} points and no faces, a surface is needed",
                           textured.mesh.vertices.size()),
               fmt::format("Give a mesh with faces as {}.",
                           meshFormatNames(" or ", mesh_formats::withFaces)));
    PreparedMesh prepared = MeshPacker(textured, placing).pack();
    prepared.materials = std::move(textured.materials);
    for (Image& image : textured.textures) prepared.textures.emplace_back(std::move(image));
    prepared.normals = creaseNormals(prepared.mesh);
    return prepared;
}

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
