#include "engine/contradictions/hull_overlaps.h"

#include <algorithm>

namespace threefold {
namespace {

constexpr std::size_t kMinViewsToTry = 4;
constexpr double kContradictingOverlap = 0.5;
constexpr double kGoodOverlap = 0.9;

}  // namespace

std::optional<std::size_t> findViewContradictingHull(const std::vector<double>& overlap) {
    std::vector<double> ordered = overlap;
    std::sort(ordered.begin(), ordered.end());
    if (ordered[0] >= kContradictingOverlap || ordered[ordered.size() / 2] <= kGoodOverlap)
        return std::nullopt;
    const auto worst = std::find(overlap.begin(), overlap.end(), ordered[0]);
    return static_cast<std::size_t>(worst - overlap.begin());
}

std::optional<std::size_t> findViewContradictingHullByTrial(
    const std::vector<double>& overlap,
    const std::function<std::vector<double>(std::size_t)>& overlapWithout) {
    if (*std::min_element(overlap.begin(), overlap.end()) >= kContradictingOverlap)
        return std::nullopt;
    for (std::size_t i = 0; i < overlap.size() && overlap.size() >= kMinViewsToTry; ++i)
        if (findViewContradictingHull(overlapWithout(i)) == i) return i;
    return std::nullopt;
}

}  // namespace threefold
