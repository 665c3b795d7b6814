#pragma once

#include <QString>

#include "render/scene.h"
#include "ui/document/document.h"

namespace threefold::ui {

/// What lies on a mesh for a quantity that is colours and not values (Colouring::colours).
struct SurfacePaint {
    render::SceneValuesRef colours;   ///< packed, one for each vertex; or null
    render::SceneTextureRef texture;  ///< counts before `colours`; or null

    explicit operator bool() const { return colours != nullptr || texture != nullptr; }
};

/// The paint of the document's mesh in a role, shown as `mesh`, for the look's quantity; nothing
/// where it has none, or none yet. Of the window's thread.
SurfacePaint surfacePaint(const Document& document, MeshRole role,
                          const render::SceneMeshRef& mesh);

/// Why no shown mesh has such paint; empty where one has.
QString whyUnpainted(const Document& document, Quantity quantity);

}  // namespace threefold::ui
