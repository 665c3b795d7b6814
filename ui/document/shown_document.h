#pragma once

#include <QString>

#include "render/scene.h"
#include "ui/document/document.h"
#include "ui/results/mesh_values.h"
#include "ui/results/quantities.h"

namespace threefold::ui {

class OpenedMeshValues;
class PhotographTextures;

/// A document with the values and textures that are computed for its meshes in the background. Null
/// pointers: none are computed.
struct ShownDocument {
    const Document& document;
    const OpenedMeshValues* openedValues = nullptr;
    const PhotographTextures* photographs = nullptr;
};

/// Values of a quantity on a shown mesh: for MeshId::result at the look's morph position; for an
/// opened mesh from OpenedMeshValues; for MeshId::fitted, during a fit, on the converging mesh.
/// Without values, SurfaceValues::reason says why; the reason is empty for kPaneOnlyIds, and for
/// quantities that never have values. GUI thread only; takes less than 2 ms.
SurfaceValues surfaceValues(const ShownDocument& shown, MeshId id, Quantity quantity);
/// The values of Document::shownQuantity().
SurfaceValues surfaceValues(const ShownDocument& shown, MeshId id);

/// The quantity that colours a pane's mesh: the photographs for MeshId::textured,
/// Document::shownQuantity() for all other meshes.
Quantity paneQuantity(const Document& document, MeshId id);

/// Description of Document::shownQuantity(); values of a file have the name that the file gives
/// them.
QuantityInfo shownQuantityInfo(const Document& document);

/// Colours or texture of a mesh for a quantity without values (Colouring::vertexColours).
struct SurfacePaint {
    render::SceneValuesRef colours;   ///< packed colour of each vertex; or null
    render::SceneTextureRef texture;  ///< takes precedence over `colours`; or null

    explicit operator bool() const { return colours != nullptr || texture != nullptr; }
};

/// The paint of the document's mesh `id`, shown as `mesh`, for paneQuantity(); empty if there
/// is none, or none yet. GUI thread only.
SurfacePaint surfacePaint(const ShownDocument& shown, MeshId id, const render::SceneMeshRef& mesh);

/// Whether the colours of mesh `id`, shown as `mesh`, are still being computed.
bool areColoursPending(const ShownDocument& shown, MeshId id, const render::SceneMeshRef& mesh);

/// Why no mesh has values or paint of the quantity; empty if one has or may have. Computes nothing.
QString missingReason(const ShownDocument& shown, Quantity quantity);

}  // namespace threefold::ui
