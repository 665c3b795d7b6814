#include "ui/document/step_history.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>

namespace threefold::ui {
namespace {

/// Distributes a projection's time over the steps in which the projection runs, in proportion to
/// the steps' times.
void distribute(RunStep projection, std::vector<double>& times) {
    const auto index = static_cast<std::size_t>(projection);
    const std::size_t end =
        projection == RunStep::project1 ? static_cast<std::size_t>(RunStep::cnn2) : times.size();
    const std::span stepTimes = std::span(times).subspan(index + 1, end - index - 1);
    const double sum = std::accumulate(stepTimes.begin(), stepTimes.end(), 0.0);
    if (!(sum > 0)) return;
    for (double& time : stepTimes) time *= 1 + times[index] / sum;
    times[index] = 0;
}

}  // namespace

void StepHistory::add(const StepTimings& timings, double elapsedMilliseconds,
                      const RunConditions& conditions) {
    select(conditions);
    Group& shown = groups_.back();
    shown.newest = timings;
    for (const StepTiming& timing : timings)
        shown.steps[static_cast<std::size_t>(timing.step)].add(timing.milliseconds);
    shown.totals.add(elapsedMilliseconds > 0 ? elapsedMilliseconds
                                             : summedBackendMilliseconds(timings));
}

void StepHistory::select(const RunConditions& conditions) {
    const auto known = std::ranges::find(groups_, conditions, &Group::conditions);
    if (known != groups_.end()) {
        std::rotate(known, known + 1, groups_.end());
        return;
    }
    groups_.push_back({conditions});
    if (groups_.size() > kMaxConditions) groups_.pop_front();
}

std::optional<double> StepHistory::last(RunStep step) const {
    const StepTimings& newest = groups_.back().newest;
    const auto found = std::ranges::find(newest, step, &StepTiming::step);
    return found == newest.end() ? std::nullopt : std::optional(found->milliseconds);
}

std::vector<double> StepHistory::stepFractions() const {
    // Before the first run, the fractions follow from the numbers of operations in METHOD.md: two
    // thirds are in the two hypothesis blocks.
    constexpr double kExpected[] = {0.02, 0.02, 0.08, 0, 0.05, 0.05, 0.06, 0.06, 0, 0.33, 0.33};
    static_assert(std::size(kExpected) == runStepsOf(kPublishedHypothesisBlocks).size());
    std::vector<double> stepFractions(std::begin(kExpected), std::end(kExpected));
    const std::span<const RunStep> runSteps = steps();
    if (runs() > 0) {
        stepFractions.resize(runSteps.size());
        std::ranges::transform(runSteps, stepFractions.begin(),
                               [&](RunStep step) { return times(step).median().value_or(0); });
        for (const RunStep projection : runSteps)
            if (isProjection(projection)) distribute(projection, stepFractions);
    }
    const double sum =
        std::max(std::accumulate(stepFractions.begin(), stepFractions.end(), 0.0), 1e-9);
    for (double& fraction : stepFractions) fraction /= sum;
    return stepFractions;
}

}  // namespace threefold::ui
