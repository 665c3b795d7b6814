#pragma once

#include <glm/vec3.hpp>

#include "engine/transform.h"

namespace threefold {

/// Transform between object space and the photographs' world: the world of the camera file, in
/// which meshes are exported. For samples with camera rows (see Sample), the two spaces are equal.
class PhotoWorldTransform {
  public:
    /// Identity, for samples with camera rows.
    PhotoWorldTransform() = default;
    /// `toObject`: from the photographs' world to object space, see
    /// ObjectFrame::photosToObjectSpace.
    explicit PhotoWorldTransform(const SimilarityTransform& toObject) : toObject_(toObject) {}

    /// Transforms a point from object space to the photographs' world, and back.
    glm::dvec3 fromObject(glm::dvec3 point) const { return toObject_.applyInverse(point); }
    glm::dvec3 toObject(glm::dvec3 point) const { return toObject_.apply(point); }

    /// LoadedMesh::origin for meshes of the object; 0 for samples with camera rows.
    glm::dvec3 origin() const;
    /// Whether the world's z axis points up, within 30°; false for samples with camera rows.
    bool isZUp() const;

  private:
    SimilarityTransform toObject_;
};

}  // namespace threefold
