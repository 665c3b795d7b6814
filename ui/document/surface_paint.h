#pragma once

#include <QString>

#include "render/scene.h"
#include "ui/document/document.h"

namespace threefold::ui {

/// Colours or texture of a mesh, for a quantity without values (Colouring::colours).
struct SurfacePaint {
    render::SceneValuesRef colours;   ///< packed, one for each vertex; or null
    render::SceneTextureRef texture;  ///< counts before `colours`; or null

    explicit operator bool() const { return colours != nullptr || texture != nullptr; }
};

/// The paint of the document's mesh in a role, shown as `mesh`, for the look's quantity; empty if
/// there is none, or none yet. For the window's thread.
SurfacePaint surfacePaint(const Document& document, MeshRole role,
                          const render::SceneMeshRef& mesh);

/// Why no shown mesh has such paint; empty if one has.
QString whyUnpainted(const Document& document, Quantity quantity);

}  // namespace threefold::ui
