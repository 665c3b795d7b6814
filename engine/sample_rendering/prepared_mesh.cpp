#include "engine/sample_rendering/prepared_mesh.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/bounding_box.h"
#include "engine/error.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/formats/meshes/mesh_origin.h"
#include "engine/sample_rendering/crease_normals.h"
#include "engine/sample_rendering/poll_cancel.h"

namespace threefold {
namespace {

[[noreturn]] void refuse(const TexturedMesh& textured, const std::string& problem,
                         const std::string& remedy) {
    throw InputError({textured.mesh.source.string(), "", problem, remedy});
}

glm::dvec3 toYUp(const glm::vec3& point, const MeshConversion& conversion) {
    return conversion.isZUp ? glm::dvec3(point.x, point.z, -point.y) : glm::dvec3(point);
}

/// Extracts the faces with area and the vertices that they use.
class UsedMeshExtractor {
  public:
    UsedMeshExtractor(TexturedMesh& from, const MeshConversion& conversion,
                      const std::stop_token& cancel)
        : from_(from),
          conversion_(conversion),
          cancel_(cancel),
          newIndex_(from.mesh.vertices.size(), kNone) {}

    PreparedMesh extract() {
        const bool coloured = !from_.mesh.colours.empty();
        const bool mapped = !from_.appearance.textureCoordinates.empty();
        numberVertices();
        for (std::size_t i = 0; i < from_.mesh.faces.size(); ++i) {
            pollCancel(i, cancel_);
            const glm::u32vec3 face = from_.mesh.faces[i];
            if (!hasArea(face)) {
                ++prepared_.degenerateFaceCount;
                continue;
            }
            prepared_.mesh.faces.emplace_back(newIndex_[face.x], newIndex_[face.y],
                                              newIndex_[face.z]);
            if (!from_.appearance.materialOfFace.empty())
                prepared_.faceMaterials.materialOfFace.push_back(
                    from_.appearance.materialOfFace[i]);
            for (std::size_t k = 0; mapped && k < 3; ++k)
                prepared_.faceMaterials.textureCoordinates.push_back(
                    from_.appearance.textureCoordinates[3 * i + k]);
        }
        if (prepared_.mesh.faces.empty())
            refuse(from_, fmt::format("none of its {} faces has an area", from_.mesh.faces.size()),
                   "Export the mesh again.");
        transformVertices();
        if (coloured)
            for (const std::uint32_t vertex : usedVertices_)
                prepared_.colours.push_back(
                    glm::clamp(from_.mesh.colours[vertex], glm::vec3(0.0F), glm::vec3(1.0F)));
        if (!from_.appearance.linearColours.empty())
            for (const std::uint32_t vertex : usedVertices_)
                prepared_.faceMaterials.linearColours.push_back(
                    from_.appearance.linearColours[vertex]);
        return std::move(prepared_);
    }

  private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    bool hasArea(const glm::u32vec3& face) const {
        return doubledAreaNormal(from_.mesh.vertices, face) != glm::dvec3(0.0);
    }

    /// Numbers the vertices that faces with area use, in the file's order.
    void numberVertices() {
        for (std::size_t i = 0; i < from_.mesh.faces.size(); ++i) {
            pollCancel(i, cancel_);
            const glm::u32vec3 face = from_.mesh.faces[i];
            if (hasArea(face))
                for (int k = 0; k < 3; ++k) newIndex_[face[k]] = 0;
        }
        for (std::uint32_t vertex = 0; vertex < newIndex_.size(); ++vertex) {
            if (newIndex_[vertex] == kNone) continue;
            newIndex_[vertex] = static_cast<std::uint32_t>(usedVertices_.size());
            usedVertices_.push_back(vertex);
        }
    }

    void transformVertices() {
        Box3d box;
        for (const std::uint32_t vertex : usedVertices_)
            box.include(toYUp(from_.mesh.vertices[vertex], conversion_));
        const glm::dvec3 centre = conversion_.keepsCoordinates ? glm::dvec3(0.0) : box.centre();
        const double scale = conversion_.keepsCoordinates ? 1 : kObjectDiagonal / box.diagonal();
        prepared_.mesh.vertices.reserve(usedVertices_.size());
        for (const std::uint32_t vertex : usedVertices_)
            prepared_.mesh.vertices.emplace_back(
                (toYUp(from_.mesh.vertices[vertex], conversion_) - centre) * scale);
    }

    TexturedMesh& from_;
    const MeshConversion& conversion_;
    const std::stop_token& cancel_;
    PreparedMesh prepared_;
    std::vector<std::uint32_t> newIndex_;  // new index of each vertex of the file
    std::vector<std::uint32_t> usedVertices_;
};

}  // namespace

PreparedMesh prepareMesh(TexturedMesh textured, const MeshConversion& conversion,
                         const std::stop_token& cancel) {
    if (textured.mesh.faces.empty())
        refuse(textured,
               fmt::format("holds {} points and no faces, a surface is needed",
                           textured.mesh.vertices.size()),
               fmt::format("Give a mesh with faces as {}.",
                           meshFormatNames(" or ", mesh_format_filters::withFaces)));
    if (conversion.keepsCoordinates) moveOrigin(textured.mesh, glm::dvec3(0.0));
    PreparedMesh prepared = UsedMeshExtractor(textured, conversion, cancel).extract();
    prepared.faceMaterials.materials = std::move(textured.appearance.materials);
    for (Image& image : textured.appearance.textures) {
        if (cancel.stop_requested()) throw Cancelled();
        prepared.textures.emplace_back(std::move(image));
    }
    prepared.normals = creaseNormals(prepared.mesh, cancel);
    return prepared;
}

}  // namespace threefold
