#include "engine/sample_rendering/prepared_mesh.h"

#include <limits>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/sample_rendering/crease_normals.h"

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

}  // namespace threefold
