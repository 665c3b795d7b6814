#include "ui/document/stage_history.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace threefold::ui {
namespace {

std::optional<double> timeOf(const StageTimings& run, Stage stage) {
    for (const StageTiming& timing : run) {
        if (timing.stage == stage) return timing.milliseconds;
    }
    return std::nullopt;
}

}  // namespace

void StageHistory::add(const StageTimings& timings, double wall, const RunKind& kind) {
    select(kind);
    Group& shown = groups_.back();
    if (shown.runs.size() == kKept) {
        shown.runs.erase(shown.runs.begin());
        shown.totals.erase(shown.totals.begin());
    }
    shown.runs.push_back(timings);
    shown.totals.push_back(wall > 0 ? wall : networkMilliseconds(timings));
}

void StageHistory::addFit(double milliseconds) {
    std::vector<double>& fits = groups_.back().fits;
    if (fits.size() == kKept) fits.erase(fits.begin());
    fits.push_back(milliseconds);
}

void StageHistory::select(const RunKind& kind) {
    const auto known = std::ranges::find(groups_, kind, &Group::kind);
    if (known != groups_.end()) {
        std::rotate(known, known + 1, groups_.end());
        return;
    }
    groups_.push_back({kind, {}, {}, {}});
    if (groups_.size() > kKinds) groups_.pop_front();
}

std::optional<double> StageHistory::lastFit() const {
    return fits().empty() ? std::nullopt : std::optional(fits().back());
}

std::optional<double> StageHistory::last(Stage stage) const {
    return runs() == 0 ? std::nullopt : timeOf(group().runs.back(), stage);
}

std::vector<double> StageHistory::shares() const {
    // Before the first run: METHOD.md's work, most of it in the two hypothesis blocks.
    constexpr double kExpected[] = {0.02, 0.02, 0.08, 0.05, 0.05, 0.06, 0.06, 0.33, 0.33};
    static_assert(std::size(kExpected) == std::size(kAllStages));
    std::vector<double> shares(std::begin(kExpected), std::end(kExpected));
    if (runs() > 0) {
        std::ranges::transform(kAllStages, shares.begin(),
                               [&](Stage stage) { return median(stage).value_or(0); });
    }
    const double sum = std::max(std::accumulate(shares.begin(), shares.end(), 0.0), 1e-9);
    for (double& share : shares) share /= sum;
    return shares;
}

std::vector<double> StageHistory::timesOf(Stage stage) const {
    std::vector<double> values;
    for (const StageTimings& run : group().runs) {
        if (const auto time = timeOf(run, stage)) values.push_back(*time);
    }
    return values;
}

std::optional<double> StageHistory::lastTotal() const {
    if (totals().empty()) return std::nullopt;
    return totals().back();
}

}  // namespace threefold::ui
