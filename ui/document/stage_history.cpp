#include "ui/document/stage_history.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace threefold::ui {

void StageHistory::add(const StageTimings& timings, double wall, const RunKind& kind) {
    select(kind);
    Group& shown = groups_.back();
    shown.newest = timings;
    for (const StageTiming& timing : timings)
        shown.stages[static_cast<std::size_t>(timing.stage)].add(timing.milliseconds);
    shown.totals.add(wall > 0 ? wall : networkMilliseconds(timings));
}

void StageHistory::select(const RunKind& kind) {
    const auto known = std::ranges::find(groups_, kind, &Group::kind);
    if (known != groups_.end()) {
        std::rotate(known, known + 1, groups_.end());
        return;
    }
    groups_.push_back({kind});
    if (groups_.size() > kKinds) groups_.pop_front();
}

std::optional<double> StageHistory::last(Stage stage) const {
    const StageTimings& newest = groups_.back().newest;
    const auto found = std::ranges::find(newest, stage, &StageTiming::stage);
    return found == newest.end() ? std::nullopt : std::optional(found->milliseconds);
}

std::vector<double> StageHistory::shares() const {
    // Before the first run: METHOD.md's work, most of it in the two hypothesis blocks.
    constexpr double kExpected[] = {0.02, 0.02, 0.08, 0.05, 0.05, 0.06, 0.06, 0.33, 0.33};
    static_assert(std::size(kExpected) == std::size(kAllStages));
    std::vector<double> shares(std::begin(kExpected), std::end(kExpected));
    if (runs() > 0) {
        std::ranges::transform(kAllStages, shares.begin(),
                               [&](Stage stage) { return times(stage).median().value_or(0); });
    }
    const double sum = std::max(std::accumulate(shares.begin(), shares.end(), 0.0), 1e-9);
    for (double& share : shares) share /= sum;
    return shares;
}

}  // namespace threefold::ui
