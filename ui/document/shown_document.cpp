#include "ui/document/shown_document.h"

#include <algorithm>
#include <cstddef>

#include "ui/document/opened_mesh_values.h"
#include "ui/document/photograph_textures.h"
#include "ui/results/morphed_mesh.h"
#include "ui/results/quantities.h"

namespace threefold::ui {
namespace {

SurfacePaint ownPaint(const render::SceneMeshRef& mesh) {
    return mesh ? SurfacePaint{mesh->vertexColours, mesh->texture} : SurfacePaint{};
}

// Why no mesh has colours or a texture of this kind; empty if one has or may have.
QString whyUnpainted(const Document& document, Quantity quantity) {
    if (quantity == Quantity::photographs)
        return document.result.current() ? QString() : Quantities::tr("Nothing reconstructed yet");
    const bool any = std::ranges::any_of(document.opened.ids(), [&](MeshId id) {
        return bool(ownPaint(document.opened.find(id)->mesh));
    });
    return any ? QString() : Quantities::tr("No opened mesh has colours of its own");
}

}  // namespace

QuantityInfo shownQuantityInfo(const Document& document) {
    QuantityInfo info = quantityInfo(document.shownQuantity());
    if (info.isFromFile)
        if (const std::string name = document.fileValues(); !name.empty())
            info.name = QString::fromStdString(name);
    return info;
}

SurfaceValues surfaceValues(const ShownDocument& shown, MeshId id, Quantity quantity) {
    const Document& document = shown.document;
    if (std::ranges::count(kPaneOnlyIds, id) > 0) return noValues(quantity, {});
    if (!quantityInfo(quantity).hasValues()) return noValues(quantity, {});
    if (id.isOpened()) {
        return shown.openedValues != nullptr
                   ? shown.openedValues->values(id, quantity)
                   : noValues(quantity, Quantities::tr("There is no such mesh"));
    }
    const ResultRef& result = document.run.shownResult(id);
    if (!result) return noValues(quantity, Quantities::tr("Nothing reconstructed yet"));
    if (id == MeshId::fitted && document.fit.convergingMesh() &&
        result == document.result.current())
        return convergingValues(*result, document.fit.convergingMesh(), quantity);
    return id == MeshId::result
               ? morphedValues(*result, document.look.current().shownPosition(), quantity)
               : quantityValues(*result, id, quantity);
}

SurfaceValues surfaceValues(const ShownDocument& shown, MeshId id) {
    return surfaceValues(shown, id, shown.document.shownQuantity());
}

QString missingReason(const ShownDocument& shown, Quantity quantity) {
    const Document& document = shown.document;
    const QuantityInfo info = quantityInfo(quantity);
    if (document.overlaysMeshesAlone() && quantity != Quantity::none)
        return Quantities::tr("In an overlay each mesh has one colour");
    if (info.colouring == render::Colouring::vertexColours) return whyUnpainted(document, quantity);
    if (!info.hasValues()) return {};
    if (shown.openedValues != nullptr && shown.openedValues->mayHaveValues(quantity)) return {};
    const ResultRef& result = document.result.current();
    if (info.isFromFile) return Quantities::tr("No opened file has values of its vertices");
    if (!result || !result->quantities) return Quantities::tr("Nothing reconstructed yet");
    QString reason;
    for (const std::size_t stage :
         {result->morph.resultIndex(), result->morph.firstPublishedIndex()}) {
        if (!result->morph.stages[stage].mesh) continue;
        reason = missingReason(*result, stage, info);
        if (reason.isEmpty()) break;
    }
    return reason;
}

Quantity paneQuantity(const Document& document, MeshId id) {
    return id == MeshId::textured ? Quantity::photographs : document.shownQuantity();
}

SurfacePaint surfacePaint(const ShownDocument& shown, MeshId id, const render::SceneMeshRef& mesh) {
    switch (paneQuantity(shown.document, id)) {
        case Quantity::ownColours:
            return id.isOpened() ? ownPaint(mesh) : SurfacePaint{};
        case Quantity::photographs:
            if (shown.photographs != nullptr) return {nullptr, shown.photographs->texture(mesh)};
            [[fallthrough]];
        default:
            return {};
    }
}

bool areColoursPending(const ShownDocument& shown, MeshId id, const render::SceneMeshRef& mesh) {
    const Quantity quantity = paneQuantity(shown.document, id);
    if (quantity == Quantity::photographs)
        return shown.photographs != nullptr && shown.photographs->isPending(mesh);
    return id.isOpened() && shown.openedValues != nullptr &&
           shown.openedValues->isPending(id, quantity);
}

}  // namespace threefold::ui
