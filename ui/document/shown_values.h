#pragma once

#include <QString>

#include "render/scene.h"
#include "ui/document/document.h"
#include "ui/results/mesh_values.h"

namespace threefold::ui {

/// Values of the document's shown mesh: `refined` at the look's morph position, the comparison mesh
/// through ComparisonValues, the fitted mesh so far while a fit is under way. Without values there
/// is a reason, unless the quantity needs none. For the window's thread; below 2 ms.
SurfaceValues surfaceValues(const Document& document, MeshId id, Quantity quantity);
SurfaceValues surfaceValues(const Document& document, MeshId id);  ///< of the look's quantity

/// Colours or texture of a mesh, for a quantity without values (Colouring::colours).
struct SurfacePaint {
    render::SceneValuesRef colours;   ///< packed, one for each vertex; or null
    render::SceneTextureRef texture;  ///< counts before `colours`; or null

    explicit operator bool() const { return colours != nullptr || texture != nullptr; }
};

/// The paint of the document's mesh of an id, shown as `mesh`, for the look's quantity; empty if
/// there is none, or none yet. For the window's thread.
SurfacePaint surfacePaint(const Document& document, MeshId id, const render::SceneMeshRef& mesh);

/// Why no shown mesh has such values; empty if one has, or will have. Computes nothing.
QString whyUnavailable(const Document& document, Quantity quantity);

}  // namespace threefold::ui
