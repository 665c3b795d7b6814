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
    /// has no foreground, or if the mesh has no faces or cannot be drawn.
    std::optional<SilhouetteScore> score;
    std::optional<double> fittedOverlap;  ///< the fitted mesh's overlap, 0…1; none: not compared
};

/// Maps a pixel of the 224×224 image to its position in another picture of the view, in fractions
/// of that picture's width and height; nullopt if that picture does not show the pixel's direction.
using PhotographMapping = std::function<std::optional<glm::dvec2>(glm::dvec2 pixel)>;

/// Draws a mesh (world space) as `camera` sees it, projected as in METHOD.md §2. Pixels of the
/// 224×224 image are scaled to a picture of `size` logical pixels, or mapped to it by `mapping` if
/// that is given. Lines have a light rim to stand out on any background. For any thread; takes some
/// milliseconds for the network's meshes.
OutlinePicture drawOutline(const Points& vertices, const Faces& faces, const Camera& camera,
                           const QImage& photograph, QSize size, qreal pixelRatio, OutlineKind kind,
                           const PhotographMapping& mapping = {});

}  // namespace threefold::ui
