#include "ui/document/document.h"

#include <utility>

#include "ui/document/comparison_values.h"
#include "ui/document/input_state.h"
#include "ui/document/measured_meshes.h"

namespace threefold::ui {

QString OpenedMesh::name() const {
    return title.isEmpty() ? QString::fromStdString(path.filename().string()) : title;
}

void Document::setResult(ResultRef result) {
    if (result == result_) return;
    const bool sameMeshes =
        result && result_ && result->refined && result->refined == result_->refined;
    result_ = std::move(result);
    // At once, so that the panes change once.
    const bool toFit = fitChoice_.on && result_ && !result_->fitted && !result_->fit;
    fitSoFar_ = toFit ? result_->refined : nullptr;
    // They name vertices of the meshes before.
    if (!sameMeshes) {
        setHovered(std::nullopt);
        setMarked(std::nullopt);
        setDistanceEnds({});
    }
    Q_EMIT resultChanged();
}

void Document::setPending(std::optional<PendingRun> run) {
    if (!run && !pending_) return;
    pending_ = std::move(run);
    Q_EMIT pendingChanged();
}

void Document::setPendingDone(double done) {
    if (!pending_ || pending_->done == done) return;
    pending_->done = done;
    Q_EMIT pendingAdvanced();
}

void Document::endPending(ResultRef result) {
    pending_.reset();  // first: the panes change once
    setResult(std::move(result));
    Q_EMIT pendingChanged();
}

const ResultRef& Document::shown(MeshRole role) const {
    if (!pending_ || !pending_->coarse) return result_;
    const bool same = result_ && sameItem(result_->sample, pending_->sample);
    return role == MeshRole::coarse || !same ? pending_->coarse : result_;
}

bool Document::stale(MeshRole role) const {
    return pending_ && result_ && shown(role) == result_ && role != MeshRole::comparison;
}

void Document::setFitChoice(const FitChoice& choice) {
    if (choice == fitChoice_) return;
    fitChoice_ = choice;
    Q_EMIT fitChoiceChanged();
}

void Document::setFitSoFar(render::SceneMeshRef mesh) {
    if (mesh == fitSoFar_) return;
    fitSoFar_ = std::move(mesh);
    Q_EMIT fitAdvanced();
}

void Document::setComparison(OpenedMeshRef mesh, OpenedMeshRef reference) {
    if (mesh == comparison_ && reference == reference_) return;
    comparison_ = std::move(mesh);
    reference_ = std::move(reference);
    setHovered(std::nullopt);
    setMarked(std::nullopt);
    setDistanceEnds({});
    Q_EMIT comparisonChanged();
}

render::SceneMeshRef Document::truthPoints() const {
    if (result_) return result_->truth;
    return reference_ ? reference_->points : nullptr;
}

const ComparisonValues* Document::comparisonValues() const {
    return comparisonValues_;
}

void Document::setComparisonValues(const ComparisonValues* values) {
    comparisonValues_ = values;
}

const MeasuredMeshes* Document::measured() const {
    return measured_;
}

void Document::setMeasured(const MeasuredMeshes* measured) {
    measured_ = measured;
}

void Document::setLook(const Look& look) {
    if (look == look_) return;
    const Look before = std::exchange(look_, look);
    Q_EMIT lookChanged(before);
}

void Document::setHovered(std::optional<PickedVertex> vertex) {
    if (vertex == hovered_) return;
    hovered_ = vertex;
    Q_EMIT hoveredChanged();
}

void Document::setMarked(std::optional<PickedVertex> vertex) {
    if (vertex == marked_) return;
    marked_ = vertex;
    Q_EMIT markedChanged();
}

void Document::setDistanceEnds(std::vector<PickedVertex> ends) {
    if (ends == distanceEnds_) return;
    distanceEnds_ = std::move(ends);
    Q_EMIT distanceEndsChanged();
}

void Document::setBlinking(bool blinking) {
    if (blinking == blinking_) return;
    blinking_ = blinking;
    Q_EMIT blinkingChanged();
}

}  // namespace threefold::ui
