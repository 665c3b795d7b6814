#include "ui/document/comparison_values.h"

namespace threefold::ui {

ComparisonValues::ComparisonValues(Document& document) : QObject(&document), document_(document) {
    document.setComparisonValues(this);
    connect(&document, &Document::comparisonChanged, this, &ComparisonValues::forget);
    connect(&document, &Document::resultChanged, this, &ComparisonValues::forget);
    connect(&document, &Document::lookChanged, this, &ComparisonValues::compute);
    forget();
}

SurfaceValues ComparisonValues::values(Quantity quantity) const {
    const auto known = known_.find(quantity);
    const OpenedMeshRef& opened = document_.comparison();
    if (known != known_.end() && opened && opened->mesh == of_) return known->second;
    const QString reason = reasonAgainst(quantity);
    const bool needed = quantityInfo(quantity).hasValues();
    return withoutValues(quantity, !reason.isEmpty() || !needed ? reason : tr("Being computed…"));
}

QString ComparisonValues::reasonAgainst(Quantity quantity) const {
    if (!document_.comparison() || !document_.comparison()->mesh) {
        return tr("No mesh is opened for comparison");
    }
    const QuantityInfo info = quantityInfo(quantity);
    if (!info.hasValues()) return {};
    if (info.ofMesh == nullptr) return tr("Known for the network's own meshes only");
    if (info.needsTruth && !document_.truthPoints()) {
        return tr("There is no ground truth to measure against");
    }
    if (info.needsFaces && document_.comparison()->mesh->faces.empty()) {
        return tr("Points without faces have no such values");
    }
    return {};
}

void ComparisonValues::forget() {
    current_ = meshes_.start();
    of_ = document_.comparison() ? document_.comparison()->mesh : nullptr;
    known_.clear();
    asked_.clear();
    compute();
}

void ComparisonValues::compute() {
    const Quantity quantity = document_.quantity();
    const QuantityInfo info = quantityInfo(quantity);
    if (!info.hasValues() || !possible(quantity) || !asked_.insert(quantity).second) return;
    ++running_;
    tryInBackground(
        this,
        [quantity, ofMesh = info.ofMesh, mesh = document_.comparison()->mesh,
         truth = document_.truthPoints()] {
            return surfaceValuesOf(quantity, mesh, ofMesh(*mesh, truth.get()));
        },
        [this, quantity, meshes = current_](const Outcome<SurfaceValues>& outcome) {
            --running_;
            if (meshes.stop_requested()) return;
            known_[quantity] =
                outcome.value
                    ? *outcome.value
                    : withoutValues(quantity, QString::fromStdString(outcome.problem->problem));
            Q_EMIT changed();
        });
}

}  // namespace threefold::ui
