#pragma once

#include <functional>
#include <optional>

#include <QImage>
#include <QRectF>
#include <QSize>

#include "engine/mesh.h"
#include "engine/metrics/silhouette.h"
#include "engine/views/camera.h"

namespace threefold::ui {

/// What is drawn over the photographs in the slots.
enum class OutlineKind { none, outline, wireframe };

/// A transparent picture to be laid over a photograph of the same size.
struct OutlinePicture {
    QImage lines;  ///< premultiplied, with its device pixel ratio set; null for OutlineKind::none
    /// Mesh and photograph compared, in the photograph's pixels. Empty if it has no foreground or
    /// the mesh no faces.
    std::optional<SilhouetteScore> agreement;
    std::optional<double> fittedOverlap;  ///< of the fitted mesh, by overlapOf()
};

/// A pixel of the 224×224 image in another picture of the view: shares of its width and height.
using OutlinePlace = std::function<std::optional<glm::dvec2>(glm::dvec2 pixel)>;

/// Draws a mesh (world space) in the view of `camera`: exact projection (METHOD.md §2), the 224×224
/// image stretched over `size` logical pixels, or what `place` makes of it. Lines have a light rim
/// to stand out on any background. For any thread; takes some milliseconds for the network's
/// meshes.
OutlinePicture drawOutline(const Points& vertices, const Faces& faces, const Camera& camera,
                           const QImage& photograph, QSize size, qreal pixelRatio, OutlineKind kind,
                           const OutlinePlace& place = {});

/// Intersection over union of a mesh and a photograph; none where it has no foreground or the mesh
/// no faces. For any thread.
std::optional<double> overlapOf(const Points& vertices, const Faces& faces, const Camera& camera,
                                const QImage& photograph);

/// The smallest rectangle around the photograph's foreground; null where there is no telling.
QRectF foregroundBounds(const QImage& photograph);

}  // namespace threefold::ui
