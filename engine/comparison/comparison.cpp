#include "engine/comparison/comparison.h"

#include <algorithm>
#include <cmath>

namespace threefold {
namespace {

/// Maximum difference of similar values, as a fraction of the first.
constexpr double kSimilarFraction = 0.01;

}  // namespace

bool isSimilar(double first, double second) {
    return std::abs(second - first) <= kSimilarFraction * std::abs(first);
}

std::optional<bool> ComparedMeasure::secondIsBetter() const {
    if (!statistics.differs()) return std::nullopt;
    return (statistics.difference.mean > 0) == (measure->better == BetterDirection::higher);
}

std::size_t ComparedMeasure::betterCount() const {
    return measure->better == BetterDirection::higher ? statistics.higherCount
                                                      : statistics.lowerCount;
}

std::size_t ComparedMeasure::worseCount() const {
    return measure->better == BetterDirection::higher ? statistics.lowerCount
                                                      : statistics.higherCount;
}

const ComparedMeasure* ComparedGroup::find(std::string_view key) const {
    const auto found = std::ranges::find_if(
        measures, [&](const ComparedMeasure& each) { return each.measure->key == key; });
    return found == measures.end() ? nullptr : &*found;
}

const PairedStatistics* ComparedGroup::statisticsOf(std::string_view key) const {
    const ComparedMeasure* const found = find(key);
    return found == nullptr ? nullptr : &found->statistics;
}

std::size_t Comparison::similarCount() const {
    return static_cast<std::size_t>(std::ranges::count_if(pairs, &SamplePair::isSimilar));
}

std::optional<double> Comparison::minCorrelationPercent() const {
    const PairedStatistics* chamfer = all.statisticsOf("chamfer");
    const PairedStatistics* f = all.statisticsOf("f_tau");
    if (chamfer == nullptr || f == nullptr || !chamfer->correlation || !f->correlation)
        return std::nullopt;
    return 100 * std::min(*chamfer->correlation, *f->correlation);
}

}  // namespace threefold
