#include "ui/document/comparison_values.h"

#include <algorithm>

namespace threefold::ui {

ComparisonValues::ComparisonValues(Document& document) : QObject(&document), document_(document) {
    document.add(*this);
    connect(&document, &Document::openedChanged, this, &ComparisonValues::forget);
    connect(&document, &Document::resultChanged, this, &ComparisonValues::forget);
    connect(&document, &Document::lookChanged, this, &ComparisonValues::compute);
    forget();
}

SurfaceValues ComparisonValues::values(MeshId id, Quantity quantity) const {
    const OpenedMeshRef& opened = document_.opened(id);
    const QString reason = reasonAgainst(opened, quantity);
    if (reason.isEmpty()) {
        const auto known = known_.find({opened->mesh, quantity});
        if (known != known_.end()) return known->second;
    }
    const bool needed = quantityInfo(quantity).hasValues();
    return withoutValues(quantity, !reason.isEmpty() || !needed ? reason : tr("Being computed…"));
}

bool ComparisonValues::possible(Quantity quantity) const {
    return std::ranges::any_of(document_.openedIds(), [&](MeshId id) {
        return reasonAgainst(document_.opened(id), quantity).isEmpty();
    });
}

QString ComparisonValues::reasonAgainst(const OpenedMeshRef& opened, Quantity quantity) const {
    if (!opened || !opened->mesh) return tr("No mesh is opened for comparison");
    const QuantityInfo info = quantityInfo(quantity);
    if (!info.hasValues()) return {};
    if (info.ofMesh == nullptr) return tr("Known for the network's own meshes only");
    if (info.needsTruth && !document_.truthPoints())
        return tr("There is no ground truth to measure against");
    if (info.needsFaces && opened->mesh->faces.empty())
        return tr("Points without faces have no such values");
    return {};
}

void ComparisonValues::forget() {
    const auto gone = [&](const Of& of) {
        return std::ranges::none_of(document_.openedIds(), [&](MeshId id) {
            const OpenedMeshRef& opened = document_.opened(id);
            return opened && opened->mesh == of.first;
        });
    };
    if (std::exchange(truth_, document_.truthPoints()) != document_.truthPoints()) {
        current_ = truths_.start();
        known_.clear();
        asked_.clear();
    }
    std::erase_if(known_, [&](const auto& entry) { return gone(entry.first); });
    std::erase_if(asked_, gone);
    compute();
}

void ComparisonValues::compute() {
    const Quantity quantity = document_.quantity();
    const QuantityInfo info = quantityInfo(quantity);
    if (!info.hasValues()) return;
    for (const MeshId id : document_.openedIds()) {
        const OpenedMeshRef& opened = document_.opened(id);
        if (!reasonAgainst(opened, quantity).isEmpty()) continue;
        const Of of(opened->mesh, quantity);
        if (!asked_.insert(of).second) continue;
        ++running_;
        tryInBackground(
            this,
            [of, ofMesh = info.ofMesh, truth = truth_] {
                return surfaceValuesOf(of.second, of.first, ofMesh(*of.first, truth.get()));
            },
            [this, of, truth = current_](const Outcome<SurfaceValues>& outcome) {
                --running_;
                if (truth.stop_requested() || !asked_.contains(of)) return;
                known_[of] = outcome.value
                                 ? *outcome.value
                                 : withoutValues(of.second,
                                                 QString::fromStdString(outcome.problem->problem));
                Q_EMIT changed();
            });
    }
}

}  // namespace threefold::ui
