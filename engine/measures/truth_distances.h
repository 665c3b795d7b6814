#pragma once

#include <optional>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/geometry/nearest.h"
#include "engine/geometry/surface_index.h"
#include "engine/sample/ground_truth.h"

namespace threefold {

/// Distances of points from a ground truth, in its space: from its surface where it has faces, else
/// from its points. Thread-safe.
class TruthDistances {
  public:
    /// Copies the shape of the truth, which must have points.
    explicit TruthDistances(const GroundTruth& truth);

    /// Whether distances are from the truth's surface: it has faces.
    bool areFromSurface() const { return surface_.has_value(); }
    /// Distance of each point, in the unit of the truth.
    std::vector<float> distancesOf(std::span<const glm::vec3> points) const;
    /// Distances by SurfaceIndex::signedDistances(); requires areFromSurface().
    std::vector<float> signedDistancesOf(std::span<const glm::vec3> points) const;

  private:
    std::optional<SurfaceIndex> surface_;
    std::optional<NearestIndex> points_;  ///< set if the truth has no faces
};

/// Statistics of the distances of a mesh's vertices; not squared.
struct DistanceSummary {
    double mean = 0;
    double lowerMedian = 0;  ///< by nearest rank, like p95: the lower of two middle values
    double p95 = 0;
    double max = 0;
};
/// Summarises at least one distance.
DistanceSummary distanceSummaryOf(std::span<const float> distances);

}  // namespace threefold
