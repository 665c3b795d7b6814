#include "ui/document/run_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ui/document/input_state.h"

namespace threefold::ui {

void RunModel::set(RunState state) {
    state_ = std::move(state);
    Q_EMIT changed();
}

void RunModel::advance(const Progress& step) {
    state_.step = step;
    state_.fraction = 0;
    for (std::size_t i = 0; i < state_.stepFractions.size(); ++i) {
        if (kAllRunSteps[i] == step.step) {
            state_.fraction += state_.stepFractions[i] * std::clamp(step.fraction, 0.0F, 1.0F);
            break;
        }
        state_.fraction += state_.stepFractions[i];
    }
    Q_EMIT advanced();
}

void RunModel::end(ResultRef result) {
    state_ = {};  // before the result, so that the panes change only once
    result_.set(std::move(result));
    Q_EMIT changed();
}

void RunModel::advanceFit(const FitProgress& progress, std::vector<double> stepFractions) {
    state_ = {};
    state_.phase = RunState::Phase::fitting;
    state_.fit = progress;
    state_.stepFractions = std::move(stepFractions);
    const auto step = static_cast<std::size_t>(progress.step);
    const std::size_t doneSteps = std::min(step, state_.stepFractions.size());
    const double fraction = step < state_.stepFractions.size() ? state_.stepFractions[step] : 1;
    const double done =
        std::accumulate(state_.stepFractions.begin(),
                        state_.stepFractions.begin() + static_cast<std::ptrdiff_t>(doneSteps), 0.0);
    state_.fraction = std::min(done + fraction * std::clamp(progress.fraction, 0.0, 1.0), 1.0);
    Q_EMIT advanced();
}

void RunModel::endFit() {
    state_ = {};
    Q_EMIT advanced();
}

void RunModel::cancelFit() {
    if (!state_.reconstructing()) state_ = {RunState::Phase::cancelled};
    Q_EMIT advanced();
}

const ResultRef& RunModel::shownResult(MeshId id) const {
    const ResultRef& result = result_.current();
    if (!state_.partial) return result;
    const bool isSame = result && sameSample(result->sample, state_.sample);
    return id == MeshId::first || !isSame ? state_.partial : result;
}

void RunModel::setShowsAnotherSample(bool another) {
    if (std::exchange(showsAnotherSample_, another) != another) Q_EMIT changed();
}

}  // namespace threefold::ui
