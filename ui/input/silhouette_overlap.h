#pragma once

#include <optional>

#include <QImage>
#include <QRectF>

#include "engine/measures/silhouette.h"
#include "engine/mesh.h"
#include "engine/views/camera.h"

namespace threefold::ui {

/// Agreement of a mesh's silhouette with a photograph, in the photograph's pixels; none if the
/// photograph has no foreground or the mesh cannot be drawn (silhouetteMask()). For any thread.
std::optional<SilhouetteScore> silhouetteScoreOf(const Points& vertices, const Faces& faces,
                                                 const Camera& camera, const QImage& photograph);

/// Intersection over union of mesh and photograph; none if the photograph has no foreground, or if
/// the mesh has no faces or cannot be drawn. For any thread.
std::optional<double> overlapOf(const Points& vertices, const Faces& faces, const Camera& camera,
                                const QImage& photograph);

/// Bounding rectangle of the photograph's foreground; null if the foreground is unknown.
QRectF foregroundBounds(const QImage& photograph);

}  // namespace threefold::ui
