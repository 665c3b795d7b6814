#include "engine/comparison/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace threefold {
namespace {

/// Maximum difference of similar values, as a fraction of the first.
constexpr double kSimilarFraction = 0.01;

/// A measure's title within a sentence: F and Chamfer keep their capitals.
std::string titleInSentence(const MeasureDescription& measure) {
    std::string title(measure.title);
    if (title.starts_with("Silhouette")) title.front() = 's';
    return title;
}

/// "F(τ), Chamfer distance and silhouette overlap".
std::string enumerated(const std::vector<std::string>& words) {
    if (words.size() < 2) return words.empty() ? std::string() : words.front();
    return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

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

std::string Comparison::verdictText() const {
    std::array<std::vector<std::string>, 3> titles;  // better, worse, undecided
    std::size_t tooFew = 0;                          // undecided with too few samples
    for (const char* key : {"f_tau", "chamfer", "overlap"}) {
        const ComparedMeasure* const found = all.find(key);
        if (found == nullptr) continue;
        const std::optional<bool> better = found->secondIsBetter();
        titles.at(!better ? 2 : *better ? 0 : 1).push_back(titleInSentence(*found->measure));
        tooFew +=
            found->statistics.difference.count < PairedStatistics::kMinConclusionCount ? 1 : 0;
    }
    std::vector<std::string> parts;
    for (const auto& [text, own] :
         {std::pair("better by", &titles[0]), std::pair("worse by", &titles[1]),
          std::pair("not shown to differ by", &titles[2])})
        if (!own->empty()) parts.push_back(fmt::format("{} {}", text, enumerated(*own)));
    if (parts.empty()) return "The runs have no measure in common.";
    std::string why = ".";
    const bool isUndecided = parts.size() == 1 && !titles[2].empty();
    if (isUndecided && tooFew == titles[2].size())
        why = fmt::format(": {} {} too few for a conclusion, which needs {}.", pairs.size(),
                          pairs.size() == 1 ? "sample is" : "samples are",
                          PairedStatistics::kMinConclusionCount);
    else if (isUndecided && tooFew == 0)
        why = ": the intervals include zero.";
    return fmt::format("B is {}{}", fmt::join(parts, "; "), why);
}

std::string Comparison::timeVerdictText() const {
    if (speedUps.empty() || speedUps.front().key != "network") return {};
    const SpeedUp& network = speedUps.front();
    if (isOnlyOneFitted)
        return fmt::format(
            "In {} fits ran at the same time as the network and slowed it: its times are not "
            "comparable.",
            firstTimes.fit ? "A" : "B");
    const std::string ratio = !network.first.hasInterval()
                                  ? fmt::format("{:.3f}", network.ratio)
                                  : fmt::format("{:.3f} (95 %: {:.3f} … {:.3f})", network.ratio,
                                                network.intervalLow, network.intervalHigh);
    return fmt::format("The network of B is {} times as fast as that of A.", ratio);
}

}  // namespace threefold
