#include "engine/measures/chamfer_and_f_scores.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include <fmt/core.h>

#include "engine/error.h"

namespace threefold {
namespace {

/// Keeps F defined if precision and recall are 0 (METHOD.md §9).
constexpr double kFScoreGuard = 1e-6;

void requirePoints(std::size_t prediction, std::size_t truth) {
    if (prediction == 0 || truth == 0)
        throw InputError({prediction == 0 ? "prediction" : "truth", "", "has no points",
                          "Measures need at least one point on both sides."});
}

void requireMeasurable(std::size_t prediction, std::size_t truth, double tau) {
    requirePoints(prediction, truth);
    requireThreshold(tau);
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

FScore scoreOf(double threshold, double precision, double recall) {
    return {threshold, precision, recall,
            2 * precision * recall / (precision + recall + kFScoreGuard)};
}

double percentWithin(const std::vector<double>& values, double threshold) {
    const auto within =
        std::ranges::count_if(values, [&](double value) { return value <= threshold; });
    return 100.0 * static_cast<double>(within) / static_cast<double>(values.size());
}

}  // namespace

void requireThreshold(double tau) {
    if (tau > 0 && std::isfinite(tau)) return;
    throw InputError({"tau", "", fmt::format("is {}", tau),
                      "Give a threshold on squared distances above zero."});
}

ChamferAndFScores chamferAndFScores(const Neighbours& predictionToTruth,
                                    const Neighbours& truthToPrediction, double tau) {
    const std::vector<double>& toTruth = predictionToTruth.squaredDistances;
    const std::vector<double>& toPrediction = truthToPrediction.squaredDistances;
    requireMeasurable(toTruth.size(), toPrediction.size(), tau);
    ChamferAndFScores measures;
    measures.chamfer = mean(toTruth) + mean(toPrediction);
    for (std::size_t i = 0; i < kTauMultiples.size(); ++i) {
        const double threshold = kTauMultiples[i] * tau;
        measures.fScores[i] = scoreOf(threshold, percentWithin(toTruth, threshold),
                                      percentWithin(toPrediction, threshold));
    }
    return measures;
}

std::vector<FScore> fScoresAt(const Neighbours& predictionToTruth,
                              const Neighbours& truthToPrediction,
                              std::span<const double> thresholds) {
    std::vector<double> toTruth = predictionToTruth.squaredDistances;
    std::vector<double> toPrediction = truthToPrediction.squaredDistances;
    requirePoints(toTruth.size(), toPrediction.size());
    std::ranges::sort(toTruth);
    std::ranges::sort(toPrediction);
    const auto percent = [](const std::vector<double>& sorted, double threshold) {
        const auto within = std::ranges::upper_bound(sorted, threshold);
        return 100.0 * static_cast<double>(within - sorted.begin()) /
               static_cast<double>(sorted.size());
    };
    std::vector<FScore> scores;
    for (const double threshold : thresholds)
        scores.push_back(
            scoreOf(threshold, percent(toTruth, threshold), percent(toPrediction, threshold)));
    return scores;
}

ChamferAndFScores chamferAndFScores(std::span<const glm::vec3> prediction,
                                    std::span<const glm::vec3> truth, double tau) {
    requireMeasurable(prediction.size(), truth.size(), tau);
    return chamferAndFScores(nearestNeighbours(prediction, truth),
                             nearestNeighbours(truth, prediction), tau);
}

}  // namespace threefold
