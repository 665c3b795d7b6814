#include "engine/stereo/matching_rounds.h"

#include <algorithm>
#include <cmath>

namespace threefold::stereo {

MatchingRound coarseRound() {
    MatchingRound round{};
    round.match.sweep = {.labelCount = 48,
                         .firstLabel = -2,
                         .labelParallaxPixels = 1,
                         .orientationCount = 5,
                         .windowRadius = 2};
    round.votes.minRegionPixels = 7;
    round.surfaceOffsetLabels = 1;
    round.progress = 0.4;
    return round;
}

MatchingRound fineRound() {
    MatchingRound round{};
    round.match.sweep = {.labelCount = 17,
                         .firstLabel = -8,
                         .labelParallaxPixels = 1,
                         .orientationCount = 1,
                         .windowRadius = 3};
    round.votes = {.fullMargin = 0.30F, .minRegionPixels = 19};
    round.keepsUnobservedStart = true;
    round.progress = 0.8;
    return round;
}

VoteRules stricterRules(VoteRules rules, double dependence) {
    constexpr double kFixed = 0.1;
    constexpr double kTurning = 0.2;
    const auto caution =
        static_cast<float>(std::clamp((dependence - kFixed) / (kTurning - kFixed), 0.0, 1.0));
    if (caution == 0) return rules;
    rules.minMargin = std::lerp(rules.minMargin, 0.10F, caution);
    rules.fullMargin = std::lerp(rules.fullMargin, 0.35F, caution);
    rules.minStrongFraction = 0.3F * caution;
    return rules;
}

}  // namespace threefold::stereo
