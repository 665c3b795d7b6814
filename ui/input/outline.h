#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QImage>
#include <QRectF>
#include <QSize>
#include <glm/vec2.hpp>

#include "engine/mesh.h"
#include "engine/metrics/silhouette.h"
#include "engine/views/camera.h"
#include "engine/views/mask.h"

namespace threefold::ui {

/// A straight line in a 224×224 image, in pixels (METHOD.md §2): x to the right, y down.
struct ImageLine {
    glm::dvec2 from{0.0};
    glm::dvec2 to{0.0};
};

/// Mesh projected into a view by projectToPixel(). All functions in this file are pure and may run
/// on any thread.
struct ProjectedMesh {
    std::vector<glm::dvec2> pixels;  ///< one for each vertex, not clamped
    std::vector<bool> inFront;       ///< false: behind the camera; its pixel is meaningless
};

/// Projects `world`, vertices in ShapeNet's world space.
ProjectedMesh project(const Points& world, const Camera& camera);

/// Silhouette of a mesh; by default twice as fine as the network's image. Empty if the mesh cannot
/// be drawn: coordinates that are not finite, faces with invalid indices.
Mask silhouetteMask(const Points& world, const Faces& faces, const Camera& camera,
                    int width = 2 * kImageSize, int height = 2 * kImageSize);

/// Whether the cell of `pixel` is uncovered, or next to an uncovered cell or the image's border.
bool atBorder(const Mask& silhouette, glm::dvec2 pixel);

/// Outline of the silhouette: edges between a front-facing and a back-facing face, and edges of a
/// single face, where they lie at the border of `silhouette`. Excludes folds in front of the mesh
/// itself.
std::vector<ImageLine> outlineOf(const ProjectedMesh& projection, const Faces& faces,
                                 const Mask& silhouette);

/// All edges, each once.
std::vector<ImageLine> wireframe(const ProjectedMesh& projection, const Faces& faces);

/// Ellipsoid drawn before there is a mesh, of typical position and size (METHOD.md §2: unit-box
/// diagonal scaled by 0.57), in ShapeNet's world space.
Mesh placeholderMesh();

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

/// Intersection over union of mesh and photograph; none if the photograph has no foreground or the
/// mesh no faces. For any thread.
std::optional<double> overlapOf(const Points& vertices, const Faces& faces, const Camera& camera,
                                const QImage& photograph);

/// Bounding rectangle of the photograph's foreground; null if none is known.
QRectF foregroundBounds(const QImage& photograph);

}  // namespace threefold::ui
