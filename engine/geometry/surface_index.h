#pragma once

#include <memory>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold {

/// Search index over the triangles of a mesh: exact distances of points from the surface, not from
/// vertices or samples of the surface. Thread-safe: several threads may query at once.
class SurfaceIndex {
  public:
    /// Copies the mesh. Vertices must be finite and indices in range. A face without area counts as
    /// its edges.
    SurfaceIndex(std::span<const glm::vec3> vertices, std::span<const glm::u32vec3> faces);

    /// Distance of each point, in double precision; exactly 0 at corners of faces; infinite without
    /// faces.
    std::vector<double> distances(std::span<const glm::vec3> points) const;
    /// Whether each point lies at most `distance` from the surface; false for all points if the
    /// mesh has no faces.
    std::vector<bool> within(std::span<const glm::vec3> points, double distance) const;
    /// Returns distances(), but negative ones inside the surface. The sign follows from the
    /// angle-weighted pseudonormal of the nearest face, edge or vertex (Bærentzen and Aanæs 2005):
    /// right for watertight surfaces with outward faces. Vertices at one position count as one.
    /// Requires at least one face.
    std::vector<double> signedDistances(std::span<const glm::vec3> points) const;

  private:
    class Tree;
    std::shared_ptr<const Tree> tree_;
};

}  // namespace threefold
