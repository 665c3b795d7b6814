#include "ui/document/document.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "ui/document/input_state.h"
#include "ui/results/morphed_mesh.h"

namespace threefold::ui {
std::vector<double> fitStepFractions(const Result& result, const FitChoice& choice) {
    const bool isAutomatic =
        choice.from == FitSurface::byDefault && result.sample &&
        (choice.views == FitRequest::Kind::all ? result.sample->viewCount()
                                               : result.views.size()) >= kMinViewsForHull;
    const bool depth = choice.from == FitSurface::depth || (isAutomatic && result.sample->photos);
    const bool hull = depth || isAutomatic || choice.from == FitSurface::hull;
    // Measured roughly, for 16 photographs on two cores.
    if (depth) return {0.15, 0.2, 0.65};
    if (hull) return {0.4, 0.6};
    return {1};
}

void Document::setResult(ResultRef result) {
    if (result == result_) return;
    const auto networkMesh = [](const ResultRef& other) {
        return other ? other->mesh(MeshId::result) : nullptr;
    };
    const bool sameMeshes = networkMesh(result) && networkMesh(result) == networkMesh(result_) &&
                            !fittedApart(*result) && !fittedApart(*result_);
    result_ = std::move(result);
    fitSoFar_ = meshToFit();  // before resultChanged(), so that the panes change only once
    forgetDepths();
    if (!sameMeshes) forgetVertices();
    Q_EMIT resultChanged();
}

// The vertices are indices into the previous meshes.
void Document::forgetVertices() {
    setHovered(std::nullopt);
    setMarked(std::nullopt);
    setDistanceEnds({});
}

void Document::setRun(RunState run) {
    run_ = std::move(run);
    Q_EMIT runChanged();
}

void Document::advanceRun(const Progress& stage) {
    run_.stage = stage;
    run_.fraction = 0;
    for (std::size_t i = 0; i < run_.stepFractions.size(); ++i) {
        if (kAllRunSteps[i] == stage.step) {
            run_.fraction += run_.stepFractions[i] * std::clamp(stage.fraction, 0.0F, 1.0F);
            break;
        }
        run_.fraction += run_.stepFractions[i];
    }
    Q_EMIT runAdvanced();
}

void Document::endRun(ResultRef result) {
    run_ = {};  // before setResult(), so that the panes change only once
    setResult(std::move(result));
    Q_EMIT runChanged();
}

void Document::advanceFit(const std::optional<FitProgress>& progress) {
    if (run_.reconstructing() || (!progress && !run_.active())) return;
    if (!progress || progress->step != FitStep::depth) forgetDepths();
    run_ = {};
    if (progress) {
        run_.phase = RunState::Phase::fitting;
        run_.fit = *progress;
        if (result_) run_.stepFractions = fitStepFractions(*result_, fitChoice_);
        const auto step = static_cast<std::size_t>(progress->step);
        const std::size_t doneSteps = std::min(step, run_.stepFractions.size());
        const double fraction = step < run_.stepFractions.size() ? run_.stepFractions[step] : 1;
        run_.fraction = std::accumulate(
            run_.stepFractions.begin(),
            run_.stepFractions.begin() + static_cast<std::ptrdiff_t>(doneSteps), 0.0);
        run_.fraction =
            std::min(run_.fraction + fraction * std::clamp(progress->fraction, 0.0, 1.0), 1.0);
    }
    Q_EMIT runAdvanced();
}

void Document::addDepthsSoFar(std::vector<ViewDepths> maps) {
    for (ViewDepths& map : maps) {
        const auto known = std::ranges::find(depthsSoFar_, map.view, &ViewDepths::view);
        if (known == depthsSoFar_.end())
            depthsSoFar_.push_back(std::move(map));
        else
            *known = std::move(map);
    }
    Q_EMIT depthsAdvanced();
}

void Document::forgetDepths() {
    if (!std::exchange(depthsSoFar_, {}).empty()) Q_EMIT depthsAdvanced();
}

const ResultRef& Document::shownResult(MeshId id) const {
    if (!run_.partial) return result_;
    const bool isSame = result_ && sameSample(result_->sample, run_.sample);
    return id == MeshId::first || !isSame ? run_.partial : result_;
}

bool Document::stale(MeshId id) const {
    if (id.isOpened()) {
        const ResultRef source = opened(id) ? opened(id)->result : nullptr;
        return source && result_ && (run_.reconstructing() || !sameInput(*source, *result_));
    }
    return (run_.reconstructing() || showsAnotherSample_) && result_ && shownResult(id) == result_;
}

void Document::setShowsAnotherSample(bool another) {
    if (std::exchange(showsAnotherSample_, another) != another) Q_EMIT runChanged();
}

render::SceneMeshRef Document::meshToFit() const {
    const bool toFit = fitChoice_.on && result_ && result_ != declined_ &&
                       !result_->mesh(MeshId::fitted) && !result_->fit;
    return toFit ? result_->mesh(MeshId::result) : nullptr;
}

void Document::setFitChoice(const FitChoice& choice) {
    if (choice == fitChoice_) return;
    fitChoice_ = choice;
    declined_.reset();
    const render::SceneMeshRef before = std::exchange(fitSoFar_, meshToFit());
    Q_EMIT fitChoiceChanged();
    if (result_ && fittedOtherwise(*result_)) setResult(result_->beforeFit);
    if (fitSoFar_ != before) Q_EMIT fitAdvanced();
}

void Document::declineFit() {
    declined_ = result_;
    if (!run_.reconstructing()) run_ = {RunState::Phase::cancelled};
    Q_EMIT runAdvanced();
    setFitSoFar(nullptr);
}

const OpenedMeshRef& Document::opened(MeshId id) const {
    static const OpenedMeshRef kNone;
    return id.isOpened() && id.number <= opened_.size() ? opened_[id.number - 1] : kNone;
}

const OpenedMeshRef& Document::opened() const {
    const std::vector<MeshId> ids = openedIds();
    return opened(ids.empty() ? MeshId::opened(1) : ids.front());
}

void Document::setOpened(MeshId id, OpenedMeshRef mesh) {
    if (!id.isOpened()) return;
    if (mesh == opened(id)) return;
    opened_.resize(std::max<std::size_t>(opened_.size(), id.number));
    opened_[id.number - 1] = std::move(mesh);
    forgetVertices();
    Q_EMIT openedChanged();
}

std::vector<MeshId> Document::openedIds() const {
    std::vector<MeshId> ids;
    for (std::uint32_t number = 1; number <= opened_.size(); ++number)
        if (opened(MeshId::opened(number))) ids.push_back(MeshId::opened(number));
    return ids;
}

std::vector<MeshId> Document::meshIds() const {
    std::vector<MeshId> ids(std::begin(kOwnMeshes), std::end(kOwnMeshes));
    std::ranges::copy(openedIds(), std::back_inserter(ids));
    return ids;
}

void Document::setReference(OpenedMeshRef reference) {
    if (reference == reference_) return;
    reference_ = std::move(reference);
    forgetVertices();
    Q_EMIT openedChanged();
}

render::SceneMeshRef Document::truthPoints() const {
    if (result_) return result_->truth;
    return reference_ ? reference_->points : nullptr;
}

std::vector<std::string> Document::fileValueNames() const {
    std::vector<std::string> names;
    for (const OpenedMeshRef& opened : opened_) {
        if (!opened || !opened->scalars) continue;
        for (const VertexScalars& scalars : *opened->scalars)
            if (std::ranges::count(names, scalars.name) == 0) names.push_back(scalars.name);
    }
    return names;
}

std::string Document::fileValues() const {
    const std::vector<std::string> names = fileValueNames();
    for (const std::string& wanted : {look_.fileValues, std::string("quality")})
        if (std::ranges::count(names, wanted) > 0) return wanted;
    return names.empty() ? std::string() : names.front();
}

bool Document::overlaysMeshesAlone() const {
    const auto shown = openedIds().size() + (reference_ ? 1 : 0);
    return !result_ && look_.layout == Layout::overlay && shown > 1;
}

TruthShape Document::truthShape() const {
    if (result_) return result_->truthShape();
    return reference_ ? TruthShape{reference_->points, reference_->surface} : TruthShape{};
}

Quantity Document::quantity() const {
    if (overlaysMeshesAlone()) return Quantity::none;
    const bool ofTruth = look_.quantity == Quantity::distanceToTruth ||
                         look_.quantity == Quantity::signedDistance ||
                         look_.quantity == Quantity::distanceFromTruth;
    const bool ofPhotographs = look_.quantity == Quantity::photographs;
    if (ofTruth ? truthPoints() != nullptr : !ofPhotographs) return look_.quantity;
    if (result_) return Quantity::photographs;
    const auto painted = [&](const OpenedMeshRef& opened) {
        return opened && opened->mesh && (opened->mesh->colours || opened->mesh->texture);
    };
    if (std::ranges::any_of(opened_, painted)) return Quantity::ownColours;
    if (!fileValueNames().empty()) return Quantity::fileValues;
    const bool meshesAlone = std::ranges::any_of(opened_, [](const auto& mesh) { return !!mesh; });
    return ofPhotographs && meshesAlone ? Quantity::none : look_.quantity;
}

void Document::setLook(const Look& look) {
    if (look == look_) return;
    const Look before = std::exchange(look_, look);
    const auto atHullMesh = [&](const Look& at) {
        return result_ && fittedApart(*result_) &&
               stageBlend(*result_, at.shownPosition()).from == result_->morph.fitted();
    };
    if (atHullMesh(before) != atHullMesh(look))
        forgetVertices();  // those of MeshId::result are of another mesh
    Q_EMIT lookChanged(before);
}

}  // namespace threefold::ui
