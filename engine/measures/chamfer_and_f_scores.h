#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/geometry/nearest.h"

namespace threefold {

/// The published threshold on squared distances (METHOD.md §9).
inline constexpr double kTau = 1e-4;
/// Maximum threshold that a user may request: its square is finite.
inline constexpr double kMaxTau = 1e30;

/// Precision, recall and F-score at a threshold on squared distances, in percent.
struct FScore {
    double threshold = 0;
    double precision = 0;
    double recall = 0;
    double fScore = 0;
};

/// Thresholds of ChamferAndFScores::fScores, as multiples of τ.
enum class TauMultiple : std::size_t { half, one, threeHalves, two };
inline constexpr std::array<double, 4> kTauMultiples = {0.5, 1.0, 1.5, 2.0};
static_assert(kTauMultiples.size() == static_cast<std::size_t>(TauMultiple::two) + 1);

/// Measures of METHOD.md §9, by the published protocol unless the caller sampled the surfaces
/// first. Distances are squared, in object units².
struct ChamferAndFScores {
    double chamfer = 0;
    std::array<FScore, kTauMultiples.size()> fScores = {};  ///< by TauMultiple

    FScore& at(TauMultiple multiple) { return fScores[static_cast<std::size_t>(multiple)]; }
    const FScore& at(TauMultiple multiple) const {
        return fScores[static_cast<std::size_t>(multiple)];
    }
    FScore& atTau() { return at(TauMultiple::one); }
    const FScore& atTau() const { return at(TauMultiple::one); }
    FScore& atTwoTau() { return at(TauMultiple::two); }
    const FScore& atTwoTau() const { return at(TauMultiple::two); }
};

/// Throws InputError unless `tau` is finite and above zero.
void requireThreshold(double tau);

/// Computes the measures from the neighbours of both directions. Throws InputError if a direction
/// has no neighbours, and as requireThreshold() does.
ChamferAndFScores chamferAndFScores(const Neighbours& predictionToTruth,
                                    const Neighbours& truthToPrediction, double tau = kTau);

/// F-scores at `thresholds` (squared distances, ≥ 0, in any order), equal to those that
/// chamferAndFScores() computes, in O((n + m + thresholds) log (n + m)). Throws InputError if a
/// direction has no neighbours.
std::vector<FScore> fScoresAt(const Neighbours& predictionToTruth,
                              const Neighbours& truthToPrediction,
                              std::span<const double> thresholds);

/// Finds the neighbours, then measures. Also throws InputError if a coordinate is not finite.
ChamferAndFScores chamferAndFScores(std::span<const glm::vec3> prediction,
                                    std::span<const glm::vec3> truth, double tau = kTau);

}  // namespace threefold
