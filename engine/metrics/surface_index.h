#pragma once

#include <memory>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold {

/// Search index over the triangles of a mesh: exact distances of points from
/// its surface, not from its vertices or from samples of it. Thread-safe:
/// several threads may query at once.
class SurfaceIndex {
  public:
    /// Copies the mesh. Vertices must be finite and indices in range; there is at
    /// least one face. A face without area counts as its edges.
    SurfaceIndex(std::span<const glm::vec3> vertices, std::span<const glm::u32vec3> faces);

    /// Distance of each point, in double precision; exactly 0 for the mesh's own
    /// vertices that a face names.
    std::vector<double> distances(std::span<const glm::vec3> points) const;
    /// The same, negative inside the surface: behind the face, edge or vertex
    /// that is nearest, by the sum of its faces' normals weighted by their angles
    /// there (Bærentzen and Aanæs 2005). Right for watertight surfaces with
    /// outward faces; vertices at one position count as one.
    std::vector<double> signedDistances(std::span<const glm::vec3> points) const;

  private:
    class Tree;
    std::shared_ptr<const Tree> tree_;
};

}  // namespace threefold
