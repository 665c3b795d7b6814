#pragma once

#include <glm/vec3.hpp>

#include "engine/transform.h"

namespace threefold {

/// World of a sample's photographs, in which meshes are exported: that of their camera file. For
/// camera rows it is object space itself.
class PhotoWorldTransform {
  public:
    /// Object space.
    PhotoWorldTransform() = default;
    /// `toObject`: from this world to object space, as ObjectFrame::photosToObjectSpace.
    explicit PhotoWorldTransform(const SimilarityTransform& toObject) : toObject_(toObject) {}

    /// Transforms a point from object space to this world, and back.
    glm::dvec3 fromObject(glm::dvec3 point) const { return toObject_.applyInverse(point); }
    glm::dvec3 toObject(glm::dvec3 point) const { return toObject_.apply(point); }

    /// LoadedMesh::origin for meshes of the object; 0 for camera rows.
    glm::dvec3 origin() const;
    /// Whether z points up, to 30°; false for camera rows.
    bool isZUp() const;

  private:
    SimilarityTransform toObject_;
};

}  // namespace threefold
