#include "engine/comparison/comparison_texts.h"

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace threefold {
namespace {

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

std::string verdictText(const Comparison& comparison) {
    std::array<std::vector<std::string>, 3> titles;  // better, worse, undecided
    std::size_t tooFew = 0;                          // undecided with too few samples
    for (const char* key : {"f_tau", "chamfer", "overlap"}) {
        const ComparedMeasure* const found = comparison.all.find(key);
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
        why = fmt::format(": {} {} too few for a conclusion, which needs {}.",
                          comparison.pairs.size(),
                          comparison.pairs.size() == 1 ? "sample is" : "samples are",
                          PairedStatistics::kMinConclusionCount);
    else if (isUndecided && tooFew == 0)
        why = ": the intervals include zero.";
    return fmt::format("B is {}{}", fmt::join(parts, "; "), why);
}

std::string timeVerdictText(const Comparison& comparison) {
    const std::vector<SpeedUp>& speedUps = comparison.speedUps;
    if (speedUps.empty() || speedUps.front().key != "network") return {};
    const SpeedUp& network = speedUps.front();
    if (comparison.isOnlyOneFitted)
        return fmt::format(
            "In {} fits ran at the same time as the network and slowed it: its times are not "
            "comparable.",
            comparison.firstTimes.fit ? "A" : "B");
    const std::string ratio = !network.first.hasInterval()
                                  ? fmt::format("{:.3f}", network.ratio)
                                  : fmt::format("{:.3f} (95 %: {:.3f} … {:.3f})", network.ratio,
                                                network.intervalLow, network.intervalHigh);
    return fmt::format("The network of B is {} times as fast as that of A.", ratio);
}

}  // namespace threefold
