#include "ui/document/fit_model.h"

#include <algorithm>
#include <utility>

namespace threefold::ui {
namespace {

// Whether the result was fitted with another choice.
bool fittedOtherwise(const Result& result, const FitChoice& choice) {
    return result.fitted() && result.fitted()->requested != choice;
}

}  // namespace

std::vector<double> fitPhaseFractions(const Result& result, const FitChoice& choice) {
    const bool isAutomatic =
        choice.source == FitSource::automatic && result.sample &&
        (choice.views == FitViews::Kind::all ? result.sample->viewCount() : result.views.size()) >=
            kMinViewsForHull;
    const bool depth = choice.source == FitSource::depth || (isAutomatic && result.sample->photos);
    const bool hull = depth || isAutomatic || choice.source == FitSource::hull;
    // These fractions are rough measurements with 16 photographs on two cores.
    if (depth) return {0.15, 0.2, 0.65};
    if (hull) return {0.4, 0.6};
    return {1};
}

FitModel::FitModel(ResultModel& result, RunModel& run) : result_(result), run_(run) {
    connect(&result, &ResultModel::replaced, this, &FitModel::updateFromResult);
}

void FitModel::updateFromResult() {
    // Does not emit convergingMeshChanged(): the panes are redrawn for the new result anyway.
    convergingMesh_ = meshToFit();
    clearIntermediateDepths();
}

render::SceneMeshRef FitModel::meshToFit() const {
    const ResultRef& result = result_.current();
    const bool toFit = choice_.on && result && result != declined_ &&
                       !result->mesh(MeshId::fitted) && !result->fitted();
    return toFit ? result->mesh(MeshId::result) : nullptr;
}

void FitModel::setChoice(const FitChoice& choice) {
    if (choice == choice_) return;
    choice_ = choice;
    declined_.reset();
    const render::SceneMeshRef before = std::exchange(convergingMesh_, meshToFit());
    Q_EMIT choiceChanged();
    const ResultRef result = result_.current();
    if (result && fittedOtherwise(*result, choice_)) result_.set(result->fitted()->before);
    if (convergingMesh_ != before) Q_EMIT convergingMeshChanged();
}

void FitModel::decline() {
    declined_ = result_.current();
    run_.endFit();
    setConvergingMesh(nullptr);
}

bool FitModel::isDeclined() const {
    return declined_ && declined_ == result_.current();
}

void FitModel::advance(const FitProgress& progress) {
    if (run_.state().isReconstructing()) return;
    if (progress.phase != FitPhase::depth) clearIntermediateDepths();
    const ResultRef& result = result_.current();
    run_.advanceFit(progress, result ? fitPhaseFractions(*result, choice_) : std::vector<double>());
}

void FitModel::end() {
    if (run_.state().fit() == nullptr) return;
    clearIntermediateDepths();
    run_.endFit();
}

void FitModel::setConvergingMesh(render::SceneMeshRef mesh) {
    if (std::exchange(convergingMesh_, mesh) != mesh) Q_EMIT convergingMeshChanged();
}

void FitModel::addIntermediateDepths(std::vector<ViewDepthMap> maps) {
    for (ViewDepthMap& map : maps) {
        const auto known = std::ranges::find(intermediateDepths_, map.view, &ViewDepthMap::view);
        if (known == intermediateDepths_.end())
            intermediateDepths_.push_back(std::move(map));
        else
            *known = std::move(map);
    }
    Q_EMIT intermediateDepthsChanged();
}

void FitModel::clearIntermediateDepths() {
    if (!std::exchange(intermediateDepths_, {}).empty()) Q_EMIT intermediateDepthsChanged();
}

}  // namespace threefold::ui
