#include "engine/metrics/truth_distances.h"

#include <cmath>

namespace threefold {

TruthDistances::TruthDistances(const GroundTruth& truth) {
    if (truth.surface.faces.empty())
        points_.emplace(truth.points);
    else
        surface_.emplace(truth.surface.vertices, truth.surface.faces);
}

std::vector<float> TruthDistances::of(std::span<const glm::vec3> points) const {
    std::vector<float> distances;
    distances.reserve(points.size());
    if (surface_) {
        for (const double distance : surface_->distances(points))
            distances.push_back(static_cast<float>(distance));
        return distances;
    }
    for (const double squared : points_->find(points).squaredDistance)
        distances.push_back(static_cast<float>(std::sqrt(squared)));
    return distances;
}

}  // namespace threefold
