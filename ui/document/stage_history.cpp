#include "ui/document/stage_history.h"

namespace threefold::ui {
namespace {

std::optional<double> timeOf(const StageTimings& run, Stage stage) {
    for (const StageTiming& timing : run) {
        if (timing.stage == stage) return timing.milliseconds;
    }
    return std::nullopt;
}

}  // namespace

void StageHistory::add(const StageTimings& timings, double wall) {
    if (runs_.size() == kKept) {
        runs_.erase(runs_.begin());
        totals_.erase(totals_.begin());
    }
    runs_.push_back(timings);
    totals_.push_back(wall > 0 ? wall : networkMilliseconds(timings));
}

void StageHistory::addFit(double milliseconds) {
    if (fits_.size() == kKept) fits_.erase(fits_.begin());
    fits_.push_back(milliseconds);
}

std::optional<double> StageHistory::lastFit() const {
    return fits_.empty() ? std::nullopt : std::optional(fits_.back());
}

std::optional<double> StageHistory::last(Stage stage) const {
    return runs_.empty() ? std::nullopt : timeOf(runs_.back(), stage);
}

std::vector<double> StageHistory::timesOf(Stage stage) const {
    std::vector<double> values;
    for (const StageTimings& run : runs_) {
        if (const auto time = timeOf(run, stage)) values.push_back(*time);
    }
    return values;
}

std::optional<double> StageHistory::lastTotal() const {
    if (totals_.empty()) return std::nullopt;
    return totals_.back();
}

}  // namespace threefold::ui
