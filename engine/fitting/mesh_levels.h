#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/mesh.h"
#include "engine/model/template_mesh.h"

namespace threefold::fitting {

/// An edge between two faces.
struct InteriorEdge {
    glm::u32vec2 ends;
    glm::u32vec2 faces;
};

/// Connectivity of the finest mesh, and its derivation from coarser meshes. The uniform Laplacian
/// measures smoothness: (Lx)ᵥ = xᵥ − mean of v's neighbours, 0 without any. Thread-safe.
class MeshLevels {
  public:
    /// Levels of a template: each adds a midpoint to some of the edges (METHOD.md §1).
    explicit MeshLevels(const TemplateMesh& mesh);

    /// Levels of any mesh: one, plus one for each element of `unpoolEdges`. Throws
    /// InputError if a face has a vertex index out of range.
    MeshLevels(std::size_t vertexCount, Faces faces,
               std::vector<std::vector<glm::u32vec2>> unpoolEdges = {});

    std::size_t levelCount() const { return unpoolEdges_.size() + 1; }
    std::size_t vertexCount() const { return neighbourOffsets_.size() - 1; }
    const Faces& faces() const { return faces_; }
    const std::vector<InteriorEdge>& interiorEdges() const { return interiorEdges_; }

    /// For each level but the finest: the edges whose midpoints the next level adds, in vertex
    /// order.
    const std::vector<std::vector<glm::u32vec2>>& unpoolEdges() const { return unpoolEdges_; }

    /// Neighbours of all vertices; those of v, ascending, are at indices neighbourOffsets()[v] to
    /// neighbourOffsets()[v + 1] − 1.
    const std::vector<std::uint32_t>& neighbours() const { return neighbours_; }
    const std::vector<std::uint32_t>& neighbourOffsets() const { return neighbourOffsets_; }

    /// Extends values at `level`'s vertices to all vertices, linearly along edges.
    void interpolate(std::size_t level, Points& values) const;
    /// The transpose of interpolate().
    void interpolateTransposed(std::size_t level, Points& values) const;

    /// Computes Lx and Lᵀx. `result` must be another vector than `values`; it is resized.
    void laplacian(const Points& values, Points& result) const;
    void laplacianTransposed(const Points& values, Points& result) const;

  private:
    void connect(std::size_t vertexCount);

    Faces faces_;
    std::vector<std::vector<glm::u32vec2>> unpoolEdges_;
    std::vector<std::uint32_t> neighbourOffsets_;
    std::vector<std::uint32_t> neighbours_;
    std::vector<float> inverseDegree_;  ///< 1 / number of neighbours; 0 without any
    std::vector<InteriorEdge> interiorEdges_;
};

/// Mean of 1 − cos between normals of neighbouring faces, 0…2; 1 for faces without area.
double meanCrease(const MeshLevels& levels, const Points& vertices);

/// Faces whose normal differs by more than 120° from that of a neighbour, ascending.
std::vector<std::uint32_t> foldedFaces(const MeshLevels& levels, const Points& vertices);

/// Result of subdivide().
struct SubdividedMesh {
    /// Two levels: the given mesh, and the mesh with a midpoint added to each of its edges.
    MeshLevels levels;
    Points vertices;  ///< positions by Loop's scheme
};

/// Splits each face into four by Loop's scheme (Loop 1987, with Warren's weights), except that
/// vertices at borders keep their positions. `vertices` has levels.vertexCount() elements.
SubdividedMesh subdivide(const MeshLevels& levels, const Points& vertices);

}  // namespace threefold::fitting
