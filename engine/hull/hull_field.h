#pragma once

#include <cstddef>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/silhouettes/silhouette_field.h"

namespace threefold::hull {

/// Signed distance to a visual hull whose points may lie outside of `toleratedCount` silhouettes:
/// the (toleratedCount + 1)-th largest of the silhouettes' distances.
class HullField {
  public:
    /// The views must outlive the field. `toleratedCount`: less than the number of views; values
    /// above 15 count as 15.
    HullField(std::vector<const SilhouetteField*> views, std::size_t toleratedCount);

    /// Signed distance in object units, negative inside. Exact up to `maxDistance`; larger
    /// distances may come back as any value above `maxDistance`. Slope at most kMaxSlope, except at
    /// picture borders that the mask touches.
    float signedDistance(glm::dvec3 world, float maxDistance) const;
    static constexpr double kMaxSlope = SilhouetteField::kMaxSlope;

    /// Cuts off all points below a height (world y), such as baseHeight().
    void cutBelow(double height) { baseHeight_ = height; }

  private:
    std::vector<const SilhouetteField*> views_;
    std::size_t rank_;
    double baseHeight_ = -kHullHalfSide;
};

}  // namespace threefold::hull
