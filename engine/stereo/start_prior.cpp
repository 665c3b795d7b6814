#include "engine/stereo/start_prior.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace threefold::stereo {
namespace {

constexpr float kPrior = 0.15F;    ///< weight of the start where there are votes
constexpr float kStrongPrior = 3;  ///< weight near the start's surface where there are no votes
constexpr float kMaxWeight = 6;

}  // namespace

std::vector<float> addStartPrior(const StartPrior& prior, std::span<const std::uint8_t> inside,
                                 FusedDistance& fused) {
    std::vector<float> unobserved(fused.weight.size());
    for (std::size_t i = 0; i < unobserved.size(); ++i) {
        float& weight = fused.weight[i];
        const float distance = std::clamp(prior.distance[i] / prior.truncation, -1.0F, 1.0F);
        if (prior.keepsUnobserved)
            unobserved[i] = std::clamp(1 - weight, 0.0F, 1.0F) *
                            std::clamp(2 * (1 - std::abs(distance)), 0.0F, 1.0F);
        if (inside[i] == 0) continue;
        const float priorWeight = kPrior + (kStrongPrior - kPrior) * unobserved[i];
        const float sum = weight + priorWeight;
        fused.distance[i] = (weight * fused.distance[i] + priorWeight * distance) / sum;
        weight = std::min(sum, kMaxWeight);
    }
    return unobserved;
}

}  // namespace threefold::stereo
