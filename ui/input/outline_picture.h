#pragma once

#include <functional>
#include <optional>

#include <QImage>
#include <QSize>
#include <glm/vec2.hpp>

#include "ui/input/silhouette_overlap.h"

namespace threefold::ui {

/// Kind of overlay on the photographs in the slots.
enum class OutlineKind { none, outline, wireframe };

/// Transparent overlay for a photograph of the same size.
struct OutlinePicture {
    QImage lines;  ///< premultiplied, with its device pixel ratio set; null for OutlineKind::none
    /// Agreement of mesh and photograph; lengths in the photograph's pixels. None if the photograph
    /// has no foreground or the mesh no faces.
    std::optional<SilhouetteScore> score;
    std::optional<double> fittedOverlap;  ///< overlapOf() the fitted mesh, 0…1; none: not compared
};

/// Maps a pixel of the 224×224 image to another picture of the view, as fractions of its width and
/// height; none: it has no image there.
using PhotographMapping = std::function<std::optional<glm::dvec2>(glm::dvec2 pixel)>;

/// Draws a mesh (world space) in the view of `camera`: exact projection (METHOD.md §2), the 224×224
/// image stretched over `size` logical pixels, or mapped by `mapping`. Lines have a light rim to
/// stand out on any background. For any thread; takes some milliseconds for the network's meshes.
OutlinePicture drawOutline(const Points& vertices, const Faces& faces, const Camera& camera,
                           const QImage& photograph, QSize size, qreal pixelRatio, OutlineKind kind,
                           const PhotographMapping& mapping = {});

}  // namespace threefold::ui
