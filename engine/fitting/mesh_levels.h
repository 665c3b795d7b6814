#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/mesh.h"
#include "engine/model/template_mesh.h"

namespace threefold::fitting {

/// An edge between two faces.
struct InnerEdge {
    glm::u32vec2 ends;
    glm::u32vec2 faces;
};

/// The connectivity of the finest mesh, and how it follows from coarser ones. Its smoothness is
/// measured by the uniform Laplacian, (Lx)ᵥ = xᵥ − mean of v's neighbours, 0 without any.
/// Thread-safe.
class MeshLevels {
  public:
    /// Of a template: each level adds a midpoint to some of the edges (METHOD.md §1).
    explicit MeshLevels(const TemplateMesh& mesh);

    /// Of any mesh: one level, and one for each of `added`, addedEdges(). Throws InputError where a
    /// face names a vertex that is not there.
    MeshLevels(std::size_t vertices, Faces faces,
               std::vector<std::vector<glm::u32vec2>> added = {});

    std::size_t count() const { return added_.size() + 1; }
    std::size_t vertices() const { return neighbourStart_.size() - 1; }
    const Faces& faces() const { return faces_; }
    const std::vector<InnerEdge>& innerEdges() const { return innerEdges_; }

    /// Whether the steps of a level need each outline's places to draw a vertex (the term "in" of
    /// OutlineTerms). The finest of several has its parts near their outlines already, where the
    /// coverage's silhouette alone does better.
    bool needsPlaces(std::size_t level) const { return level + 1 < count() || count() == 1; }

    /// For each level but the finest: the edges whose midpoints the next one adds, in its order.
    const std::vector<std::vector<glm::u32vec2>>& addedEdges() const { return added_; }

    /// The neighbours of v, ascending, from neighbourStart()[v] to before neighbourStart()[v + 1].
    const std::vector<std::uint32_t>& neighbours() const { return neighbour_; }
    const std::vector<std::uint32_t>& neighbourStart() const { return neighbourStart_; }

    /// From values at `level`'s vertices to values at all vertices, linear along edges.
    void interpolate(std::size_t level, Points& values) const;
    /// The transpose of interpolate().
    void gather(std::size_t level, Points& values) const;

    /// Lx and Lᵀx; `result` is another vector than `values` and gets their size.
    void laplacian(const Points& values, Points& result) const;
    void laplacianTransposed(const Points& values, Points& result) const;

  private:
    void connect(std::size_t vertices);

    Faces faces_;
    std::vector<std::vector<glm::u32vec2>> added_;
    std::vector<std::uint32_t> neighbourStart_;
    std::vector<std::uint32_t> neighbour_;
    std::vector<float> share_;  ///< 1 / number of neighbours; 0 without any
    std::vector<InnerEdge> innerEdges_;
};

/// Mean of 1 − cos between normals of neighbouring faces, 0…2; 1 for faces without area.
double meanCrease(const MeshLevels& levels, const Points& vertices);

/// Faces that lie folded back onto a neighbour, ascending: more than 120° between their normals.
std::vector<std::uint32_t> foldedFaces(const MeshLevels& levels, const Points& vertices);

struct Subdivided {
    MeshLevels levels;  ///< two: of the mesh before, and with a midpoint added to each of its edges
    Points vertices;    ///< on the smooth surface that the mesh before stands for
};

/// Splits each face into four. The vertices are those of Loop's scheme (Loop 1987, with Warren's
/// weights), but that borders keep their vertices. `vertices` has levels.vertices() of them.
Subdivided subdivide(const MeshLevels& levels, const Points& vertices);

}  // namespace threefold::fitting
