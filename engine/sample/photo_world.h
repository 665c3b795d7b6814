#pragma once

#include <glm/vec3.hpp>

#include "engine/transform.h"

namespace threefold {

/// World of a sample's photographs, in which meshes are exported: that of their camera file. For
/// camera rows it is ShapeNet's, in which the network computes.
class PhotoWorld {
  public:
    /// ShapeNet's world.
    PhotoWorld() = default;
    /// World that `toNetwork` transforms to ShapeNet's, as ObjectFrame::photoToNetwork does.
    explicit PhotoWorld(const SimilarityTransform& toNetwork) : toNetwork_(toNetwork) {}

    /// Transforms points from ShapeNet's world to this one, and back.
    glm::dvec3 fromNetwork(glm::dvec3 point) const { return toNetwork_.applyInverse(point); }
    glm::dvec3 toNetwork(glm::dvec3 point) const { return toNetwork_.apply(point); }

    /// MeshFile::origin for meshes of the object; 0 for camera rows.
    glm::dvec3 origin() const;
    /// Whether z points up, to 30°; false for camera rows.
    bool isZUp() const;

  private:
    SimilarityTransform toNetwork_;
};

}  // namespace threefold
