#pragma once

#include <optional>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/metrics/nearest.h"
#include "engine/metrics/surface_index.h"
#include "engine/sample/ground_truth.h"

namespace threefold {

/// Distances of points from a ground truth, in its space: from its surface where it has faces, else
/// from its points. Thread-safe.
class TruthDistances {
  public:
    /// Copies the shape of the truth, which has points.
    explicit TruthDistances(const GroundTruth& truth);

    /// Distance of each point, in the unit of the truth.
    std::vector<float> of(std::span<const glm::vec3> points) const;

  private:
    std::optional<SurfaceIndex> surface_;
    std::optional<NearestIndex> points_;  ///< if there is no surface
};

}  // namespace threefold
