#include "engine/measures/truth_distances.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/order_statistics.h"

namespace threefold {
namespace {

std::vector<float> inSinglePrecision(const std::vector<double>& numbers) {
    std::vector<float> rounded;
    rounded.reserve(numbers.size());
    for (const double number : numbers) rounded.push_back(static_cast<float>(number));
    return rounded;
}

}  // namespace

TruthDistances::TruthDistances(const GroundTruth& truth) {
    if (truth.surface.faces.empty())
        points_.emplace(truth.points);
    else
        surface_.emplace(truth.surface.vertices, truth.surface.faces);
}

std::vector<float> TruthDistances::distancesOf(std::span<const glm::vec3> points) const {
    if (surface_) return inSinglePrecision(surface_->distances(points));
    std::vector<float> distances;
    distances.reserve(points.size());
    for (const double squared : points_->find(points).squaredDistances)
        distances.push_back(static_cast<float>(std::sqrt(squared)));
    return distances;
}

std::vector<float> TruthDistances::signedDistancesOf(std::span<const glm::vec3> points) const {
    return inSinglePrecision(surface_->signedDistances(points));
}

DistanceSummary distanceSummaryOf(std::span<const float> distances) {
    constexpr double kHalf = 0.5;
    constexpr double kNinetyFive = 0.95;
    std::vector<float> sorted(distances.begin(), distances.end());
    std::ranges::sort(sorted);
    const std::vector<float>* const lists[] = {&sorted};
    return {std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size()),
            quantileOfSorted(lists, kHalf), quantileOfSorted(lists, kNinetyFive), sorted.back()};
}

}  // namespace threefold
