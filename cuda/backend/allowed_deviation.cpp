#include "cuda/backend/allowed_deviation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <glm/geometric.hpp>

#include "cuda/backend/simulated_deviations.h"

namespace threefold::cuda {

double distanceQuantile(std::span<const glm::vec3> ours, std::span<const glm::vec3> theirs,
                        double quantile) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (ours.size() != theirs.size() || ours.empty()) return kNone;
    std::vector<double> distances;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        distances.push_back(glm::distance(ours[i], theirs[i]));
        if (!std::isfinite(distances.back())) return kNone;
    }
    const auto nth = distances.begin() + static_cast<std::ptrdiff_t>(
                                             quantile * static_cast<double>(distances.size() - 1));
    std::nth_element(distances.begin(), nth, distances.end());
    return *nth;
}

Deviation allowedDeviation(Precision precision, KernelSource kernels, SamplerKind sampler) {
    const Deviation simulated = simulatedDeviation(precision, kernels, sampler);
    const auto allowed = [](double value, double margin) {
        return std::max(margin * value, kMinDeviation);
    };
    return {allowed(simulated.maps, kDeviationMargin), allowed(simulated.levels, kDeviationMargin),
            allowed(simulated.typicalVertex, kDeviationMargin),
            allowed(simulated.maxVertex, kMaxVertexMargin), simulated.scorePoints + kScoreMargin};
}

}  // namespace threefold::cuda
