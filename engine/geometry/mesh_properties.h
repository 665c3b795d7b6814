#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold {

/// Size, area and topology of a mesh. Vertices at the same position count as one, since files
/// repeat vertices for texture coordinates and normals.
struct MeshProperties {
    glm::dvec3 size{0.0};            ///< sides of the bounding box, in the mesh's own unit
    double area = 0;                 ///< area of all faces, in the square of that unit
    std::size_t componentCount = 0;  ///< connected by shared vertices; unused vertices do not count
    std::size_t boundaryEdgeCount = 0;     ///< edges of one face only
    std::size_t nonManifoldEdgeCount = 0;  ///< edges of three faces or more
    std::int64_t eulerCharacteristic = 0;  ///< vertices of faces − edges + faces

    /// Whether the faces enclose a volume: each edge has two faces, and there is a face.
    bool isWatertight() const {
        return componentCount > 0 && boundaryEdgeCount == 0 && nonManifoldEdgeCount == 0;
    }
    /// Genus, the number of handles of all components together: 0 for balls, 1 for a ring or a cup.
    /// nullopt for a mesh that is not watertight, or whose sheets touch in single vertices, where
    /// the Euler characteristic does not give the genus.
    std::optional<std::size_t> genus() const;
};

/// Computes the properties of a mesh of finite vertices, at least one, whose faces name only these
/// vertices. Faces with two corners at the same position are ignored: they add no edges, form no
/// component and connect none. Thread-safe; about a second for a million faces.
MeshProperties meshProperties(std::span<const glm::vec3> vertices,
                              std::span<const glm::u32vec3> faces);

/// Defects that leave inside and outside undefined, so that signed distances are wrong somewhere.
struct EnclosureDefects {
    std::size_t boundaryEdgeCount = 0;     ///< as in MeshProperties
    std::size_t nonManifoldEdgeCount = 0;  ///< as in MeshProperties
    /// Edges whose two faces have opposite orientations. Counted only if there are no non-manifold
    /// edges.
    std::size_t misorientedEdgeCount = 0;
    std::size_t intersectingFaceCount = 0;  ///< number of intersectingFaces()
    /// Components that enclose no volume; that lie outside of the others and have inward faces; or
    /// that lie inside of another, as its cavity, and have outward faces. Counted only if the
    /// surface is watertight and has no misoriented edges and at most kMaxNestedComponents
    /// components.
    std::size_t misorientedComponentCount = 0;

    bool any() const {
        return boundaryEdgeCount + nonManifoldEdgeCount + misorientedEdgeCount +
                   intersectingFaceCount + misorientedComponentCount >
               0;
    }
};
inline constexpr std::size_t kMaxNestedComponents = 64;

/// Searches a mesh for defects. The mesh must have at least one face; otherwise the conditions of
/// meshProperties() apply. Thread-safe; some seconds for a million faces.
EnclosureDefects enclosureDefects(std::span<const glm::vec3> vertices,
                                  std::span<const glm::u32vec3> faces);

}  // namespace threefold
