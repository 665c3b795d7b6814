#include "ui/document/surface_paint.h"

#include <algorithm>

#include "ui/document/photograph_paint.h"
#include "ui/document/quantities.h"

namespace threefold::ui {
namespace {

SurfacePaint ownPaint(const render::SceneMeshRef& mesh) {
    return mesh ? SurfacePaint{mesh->colours, mesh->texture} : SurfacePaint{};
}

}  // namespace

SurfacePaint surfacePaint(const Document& document, MeshRole role,
                          const render::SceneMeshRef& mesh) {
    switch (document.quantity()) {
        case Quantity::ownColours:
            return isOpened(role) ? ownPaint(mesh) : SurfacePaint{};
        case Quantity::photographs:
            return document.photographs() != nullptr
                       ? SurfacePaint{nullptr, document.photographs()->on(mesh)}
                       : SurfacePaint{};
        default:
            return {};
    }
}

QString whyUnpainted(const Document& document, Quantity quantity) {
    if (quantity == Quantity::photographs) {
        return document.result() ? QString() : Quantities::tr("Nothing reconstructed yet");
    }
    const bool any = std::ranges::any_of(document.openedRoles(), [&](MeshRole role) {
        return bool(ownPaint(document.opened(role)->mesh));
    });
    return any ? QString() : Quantities::tr("No opened mesh has colours of its own");
}

}  // namespace threefold::ui
