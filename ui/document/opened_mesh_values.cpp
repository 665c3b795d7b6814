#include "ui/document/opened_mesh_values.h"

#include "ui/document/background.h"

#include <algorithm>

namespace threefold::ui {
namespace {

/// The values with this name in the mesh's file; null: the file has none.
const VertexScalars* scalarsOf(const OpenedMesh& opened, const std::string& name) {
    if (!opened.scalars) return nullptr;
    const auto found = std::ranges::find(*opened.scalars, name, &VertexScalars::name);
    return found == opened.scalars->end() ? nullptr : &*found;
}

}  // namespace

OpenedMeshValues::Key OpenedMeshValues::keyOf(const render::SceneMeshRef& mesh,
                                              Quantity quantity) const {
    return {mesh, quantity,
            quantityInfo(quantity).isFromFile ? document_.fileValues() : std::string()};
}

OpenedMeshValues::OpenedMeshValues(Document& document) : QObject(&document), document_(document) {
    connect(&document.opened, &OpenedMeshes::changed, this, &OpenedMeshValues::dropUnused);
    connect(&document.result, &ResultModel::changed, this, &OpenedMeshValues::dropUnused);
    connect(&document.look, &LookModel::changed, this, &OpenedMeshValues::compute);
    dropUnused();
}

SurfaceValues OpenedMeshValues::values(MeshId id, Quantity quantity) const {
    const OpenedMeshRef& opened = document_.opened.find(id);
    const QString reason = missingReason(opened, quantity);
    if (reason.isEmpty()) {
        const auto found = values_.find(keyOf(opened->mesh, quantity));
        if (found != values_.end()) return found->second;
    }
    const bool needed = quantityInfo(quantity).hasValues();
    return noValues(quantity, !reason.isEmpty() || !needed ? reason : tr("Being computed…"));
}

bool OpenedMeshValues::isPending(MeshId id, Quantity quantity) const {
    const OpenedMeshRef& opened = document_.opened.find(id);
    return quantityInfo(quantity).hasValues() && missingReason(opened, quantity).isEmpty() &&
           !values_.contains(keyOf(opened->mesh, quantity));
}

bool OpenedMeshValues::mayHaveValues(Quantity quantity) const {
    return std::ranges::any_of(document_.opened.ids(), [&](MeshId id) {
        return missingReason(document_.opened.find(id), quantity).isEmpty();
    });
}

QString OpenedMeshValues::missingReason(const OpenedMeshRef& opened, Quantity quantity) const {
    if (!opened || !opened->mesh) return tr("No mesh is opened for comparison");
    const QuantityInfo info = quantityInfo(quantity);
    if (!info.hasValues()) return {};
    if (info.isFromFile)
        return scalarsOf(*opened, document_.fileValues()) != nullptr
                   ? QString()
                   : tr("The mesh's file has no values of this name");
    if (info.ofMesh == nullptr) return tr("Exists only for meshes of the network");
    if (info.needsTruth && !document_.truthPoints())
        return tr("There is no ground truth to measure against");
    if (info.needsTruthSurface && !document_.truthShape().surface)
        return tr("The truth has no faces");
    if (info.needsFaces && opened->mesh->faces.empty())
        return tr("Points without faces have no such values");
    return {};
}

void OpenedMeshValues::dropUnused() {
    const auto closed = [&](const Key& key) {
        return std::ranges::none_of(document_.opened.ids(), [&](MeshId id) {
            const OpenedMeshRef& opened = document_.opened.find(id);
            return opened && opened->mesh == std::get<render::SceneMeshRef>(key);
        });
    };
    if (std::exchange(truth_, document_.truthPoints()) != document_.truthPoints()) {
        truthToken_ = valuesTask_.restart();
        values_.clear();
        requested_.clear();
    }
    std::erase_if(values_, [&](const auto& entry) { return closed(entry.first); });
    std::erase_if(requested_, closed);
    compute();
}

void OpenedMeshValues::compute() {
    const Quantity quantity = document_.shownQuantity();
    const QuantityInfo info = quantityInfo(quantity);
    if (!info.hasValues()) return;
    for (const MeshId id : document_.opened.ids()) {
        const OpenedMeshRef& opened = document_.opened.find(id);
        if (!missingReason(opened, quantity).isEmpty()) continue;
        const Key key = keyOf(opened->mesh, quantity);
        if (!requested_.insert(key).second) continue;
        ++running_;
        inBackground(
            this,
            [opened, quantity, name = std::get<std::string>(key), ofMesh = info.ofMesh,
             truth = document_.truthShape()] {
                const VertexScalars* scalars = scalarsOf(*opened, name);
                return surfaceValuesOf(
                    quantity, opened->mesh,
                    ofMesh != nullptr ? ofMesh(*opened->mesh, truth) : scalars->values);
            },
            [this, key, truthToken = truthToken_](const TaskResult<SurfaceValues>& outcome) {
                --running_;
                if (truthToken.stop_requested() || !requested_.contains(key)) return;
                values_[key] = outcome.value
                                   ? *outcome.value
                                   : noValues(std::get<Quantity>(key),
                                              QString::fromStdString(outcome.problem->problem));
                Q_EMIT changed();
            });
    }
}

}  // namespace threefold::ui
