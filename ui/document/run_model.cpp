#include "ui/document/run_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ui/document/input_state.h"

namespace threefold::ui {

void RunModel::beginReconstruction(ReconstructionRun run) {
    state_ = std::move(run);
    Q_EMIT changed();
}

void RunModel::updateReconstruction(ReconstructionRun run) {
    if (!state_.isReconstructing()) return;
    state_ = std::move(run);
    Q_EMIT changed();
}

void RunModel::endReconstruction() {
    if (!state_.isReconstructing()) return;
    state_ = {};
    Q_EMIT changed();
}

void RunModel::advance(const Progress& progress) {
    if (!state_.isReconstructing()) return;
    ReconstructionRun run = *state_.reconstruction();
    run.progress = progress;
    run.totalFraction = 0;
    for (std::size_t i = 0; i < run.stepFractions.size(); ++i) {
        if (kAllRunSteps[i] == progress.step) {
            run.totalFraction += run.stepFractions[i] * std::clamp(progress.fraction, 0.0F, 1.0F);
            break;
        }
        run.totalFraction += run.stepFractions[i];
    }
    state_ = std::move(run);
    Q_EMIT advanced();
}

void RunModel::finish(ResultRef result) {
    state_ = {};  // before the result, so that the panes change only once
    result_.set(std::move(result));
    Q_EMIT changed();
}

void RunModel::advanceFit(const FitProgress& progress, std::vector<double> phaseFractions) {
    const auto phase = static_cast<std::size_t>(progress.phase);
    const std::size_t donePhases = std::min(phase, phaseFractions.size());
    const double fraction = phase < phaseFractions.size() ? phaseFractions[phase] : 1;
    const double done =
        std::accumulate(phaseFractions.begin(),
                        phaseFractions.begin() + static_cast<std::ptrdiff_t>(donePhases), 0.0);
    state_ = FitRun{
        .progress = progress,
        .phaseFractions = std::move(phaseFractions),
        .totalFraction = std::min(done + fraction * std::clamp(progress.fraction, 0.0, 1.0), 1.0)};
    Q_EMIT advanced();
}

void RunModel::endFit() {
    if (state_.fit() == nullptr) return;
    state_ = {};
    Q_EMIT advanced();
}

const ResultRef& RunModel::shownResult(MeshId id) const {
    const ResultRef& result = result_.current();
    const ReconstructionRun* run = state_.reconstruction();
    if (run == nullptr || !run->partial) return result;
    const bool isSame = result && isSameSample(result->sample, run->sample);
    return id == MeshId::firstPublished || !isSame ? run->partial : result;
}

void RunModel::setShowsAnotherSample(bool another) {
    if (std::exchange(showsAnotherSample_, another) != another) Q_EMIT changed();
}

}  // namespace threefold::ui
