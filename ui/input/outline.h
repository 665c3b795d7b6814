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
#include "engine/views/foreground.h"

namespace threefold::ui {

/// A straight line in a 224×224 image, in pixels (METHOD.md §2): x to the right, y down.
struct ImageLine {
    glm::dvec2 from{0.0};
    glm::dvec2 to{0.0};
};

/// A mesh in a view: projectToPixel() of all its vertices. All functions here are pure, for any
/// thread.
struct Projection {
    std::vector<glm::dvec2> pixels;  ///< one for each vertex, not clamped
    std::vector<bool> inFront;       ///< false: behind the camera, its pixel means nothing
};

/// `world`: vertices in ShapeNet's world space.
Projection project(const Points& world, const Camera& camera);

/// Where the mesh covers the image, in cells; by default twice as fine as the network's image.
/// Empty if it cannot be drawn: coordinates that are not finite, faces without their vertices.
Mask coverageOf(const Points& world, const Faces& faces, const Camera& camera,
                int width = 2 * kImageSize, int height = 2 * kImageSize);

/// Whether the pixel's cell is uncovered or next to an uncovered one or to the image's border.
bool atBorder(const Mask& coverage, glm::dvec2 pixel);

/// The silhouette: edges between a front-facing and a back-facing face and edges of a single face,
/// where they lie at the border of the coverage. Excludes folds in front of the mesh itself.
std::vector<ImageLine> silhouette(const Projection& projection, const Faces& faces,
                                  const Mask& coverage);

/// Every edge once.
std::vector<ImageLine> wireframe(const Projection& projection, const Faces& faces);

/// The ellipsoid drawn before there is a mesh: of usual place and size (METHOD.md §2: unit-box
/// diagonal scaled by 0.57), in ShapeNet's world space.
Mesh placeholderMesh();

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
