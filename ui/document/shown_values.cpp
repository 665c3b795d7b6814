#include "ui/document/shown_values.h"

#include <algorithm>
#include <cstddef>

#include "ui/document/opened_mesh_values.h"
#include "ui/document/photograph_paint.h"
#include "ui/results/morphed_mesh.h"
#include "ui/results/quantities.h"

namespace threefold::ui {
namespace {

SurfacePaint ownPaint(const render::SceneMeshRef& mesh) {
    return mesh ? SurfacePaint{mesh->colours, mesh->texture} : SurfacePaint{};
}

// Why no mesh has colours or a texture of this kind; empty if one has or may have.
QString whyUnpainted(const Document& document, Quantity quantity) {
    if (quantity == Quantity::photographs)
        return document.result() ? QString() : Quantities::tr("Nothing reconstructed yet");
    const bool any = std::ranges::any_of(
        document.openedIds(), [&](MeshId id) { return bool(ownPaint(document.opened(id)->mesh)); });
    return any ? QString() : Quantities::tr("No opened mesh has colours of its own");
}

}  // namespace

QuantityInfo shownQuantity(const Document& document) {
    QuantityInfo info = quantityInfo(document.quantity());
    if (info.ofFile)
        if (const std::string name = document.fileValues(); !name.empty())
            info.name = QString::fromStdString(name);
    return info;
}

SurfaceValues surfaceValues(const Document& document, MeshId id, Quantity quantity) {
    if (std::ranges::count(kPaneViews, id) > 0) return withoutValues(quantity, {});
    if (!quantityInfo(quantity).hasValues()) return withoutValues(quantity, {});
    if (id.isOpened()) {
        const auto* values = document.openedMeshValues();
        return values != nullptr ? values->values(id, quantity)
                                 : withoutValues(quantity, Quantities::tr("There is no such mesh"));
    }
    const ResultRef& shown = document.shownResult(id);
    if (!shown) return withoutValues(quantity, Quantities::tr("Nothing reconstructed yet"));
    if (id == MeshId::fitted && document.fitSoFar() && shown == document.result())
        return fitSoFarValues(*shown, document.fitSoFar(), quantity);
    return id == MeshId::result ? morphedValues(*shown, document.look().shownPosition(), quantity)
                                : quantityValues(*shown, id, quantity);
}

SurfaceValues surfaceValues(const Document& document, MeshId id) {
    return surfaceValues(document, id, document.quantity());
}

QString whyUnavailable(const Document& document, Quantity quantity) {
    const QuantityInfo info = quantityInfo(quantity);
    if (document.overlaysMeshesAlone() && quantity != Quantity::none)
        return Quantities::tr("In an overlay each mesh has one colour");
    if (info.colouring == render::Colouring::colours) return whyUnpainted(document, quantity);
    if (!info.hasValues()) return {};
    const auto* values = document.openedMeshValues();
    if (values != nullptr && values->possible(quantity)) return {};
    const ResultRef& result = document.result();
    if (info.ofFile) return Quantities::tr("No opened file has values of its vertices");
    if (!result || !result->quantities) return Quantities::tr("Nothing reconstructed yet");
    QString reason;
    for (const std::size_t stage : {result->morph.result(), result->morph.firstPublished()}) {
        if (!result->morph.stages[stage].mesh) continue;
        reason = whyWithoutValues(*result, stage, info);
        if (reason.isEmpty()) break;
    }
    return reason;
}

Quantity quantityOf(const Document& document, MeshId id) {
    return id == MeshId::textured ? Quantity::photographs : document.quantity();
}

SurfacePaint surfacePaint(const Document& document, MeshId id, const render::SceneMeshRef& mesh) {
    switch (quantityOf(document, id)) {
        case Quantity::ownColours:
            return id.isOpened() ? ownPaint(mesh) : SurfacePaint{};
        case Quantity::photographs:
            if (const auto* photographs = document.photographs())
                return {nullptr, photographs->on(mesh)};
            [[fallthrough]];
        default:
            return {};
    }
}

bool awaitsColours(const Document& document, MeshId id, const render::SceneMeshRef& mesh) {
    const Quantity quantity = quantityOf(document, id);
    if (quantity == Quantity::photographs)
        return document.photographs() != nullptr && document.photographs()->awaits(mesh);
    return id.isOpened() && document.openedMeshValues() != nullptr &&
           document.openedMeshValues()->awaits(id, quantity);
}

}  // namespace threefold::ui
