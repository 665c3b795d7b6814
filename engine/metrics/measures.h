#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/metrics/nearest.h"

namespace threefold {

/// The published threshold on squared distances (METHOD.md §9).
inline constexpr double kTau = 1e-4;

/// Precision, recall and F at one threshold on the squared distance; all three in percent.
struct FScore {
    double threshold = 0;
    double precision = 0;
    double recall = 0;
    double f = 0;
};

/// METHOD.md §9, published protocol unless the caller sampled the surfaces first. Squared
/// distances, object units².
struct Measures {
    double chamfer = 0;
    std::vector<FScore> scores;                  ///< at τ/2, τ, 3τ/2, 2τ
    std::map<std::string, double> further = {};  ///< by key: what TruthMeasure::compute() gives
    const FScore& atTau() const { return scores[1]; }
    const FScore& atTwoTau() const { return scores[3]; }
};

/// Throws InputError where `tau` is not finite or not above zero.
void requireThreshold(double tau);

/// From the neighbours in both directions. Throws InputError: one is empty, or as above.
Measures measure(const Nearest& predictionToTruth, const Nearest& truthToPrediction,
                 double tau = kTau);

/// The scores at each of `thresholds` (squared distances, ≥ 0, in any order), the same as measure()
/// would give: O((n + m + thresholds) log (n + m)). Throws InputError when either is empty.
std::vector<FScore> scoresAt(const Nearest& predictionToTruth, const Nearest& truthToPrediction,
                             std::span<const double> thresholds);

/// Finds the neighbours, then measures. Also throws InputError: a coordinate is not finite.
Measures measure(std::span<const glm::vec3> prediction, std::span<const glm::vec3> truth,
                 double tau = kTau);

}  // namespace threefold
