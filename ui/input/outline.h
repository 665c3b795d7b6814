#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QImage>
#include <QSize>
#include <glm/vec2.hpp>

#include "ui/input/projected_mesh.h"
#include "ui/input/silhouette_overlap.h"

namespace threefold::ui {

/// A straight line in a 224×224 image, in pixels (METHOD.md §2): x to the right, y down.
struct ImageLine {
    glm::dvec2 from{0.0};
    glm::dvec2 to{0.0};
};

/// Whether the cell of `pixel` is uncovered, or next to an uncovered cell or the image's border.
bool atBorder(const Mask& silhouette, glm::dvec2 pixel);

/// Outline of the silhouette: edges between a front-facing and a back-facing face, and edges of a
/// single face, where they lie at the border of `silhouette`. Excludes folds in front of the mesh
/// itself.
std::vector<ImageLine> outlineOf(const ProjectedMesh& projection, const Faces& faces,
                                 const Mask& silhouette);

/// All edges, each once.
std::vector<ImageLine> wireframe(const ProjectedMesh& projection, const Faces& faces);

/// Kind of overlay on the photographs in the slots.
enum class OverlayKind { none, outline, wireframe };

/// Transparent overlay for a photograph of the same size.
struct OutlinePicture {
    QImage lines;  ///< premultiplied, with its device pixel ratio set; null for OverlayKind::none
    /// Agreement of mesh and photograph, in the photograph's pixels. Empty if the photograph has no
    /// foreground or the mesh no faces.
    std::optional<SilhouetteScore> agreement;
    std::optional<double> fittedOverlap;  ///< the fitted mesh's overlapOf()
};

/// Maps a pixel of the 224×224 image to another picture of the view, as fractions of its width and
/// height; none: it has no image there.
using PhotographMapping = std::function<std::optional<glm::dvec2>(glm::dvec2 pixel)>;

/// Draws a mesh (world space) in the view of `camera`: exact projection (METHOD.md §2), the 224×224
/// image stretched over `size` logical pixels, or mapped by `mapping`. Lines have a light rim to
/// stand out on any background. For any thread; takes some milliseconds for the network's meshes.
OutlinePicture drawOutline(const Points& vertices, const Faces& faces, const Camera& camera,
                           const QImage& photograph, QSize size, qreal pixelRatio, OverlayKind kind,
                           const PhotographMapping& mapping = {});

}  // namespace threefold::ui
