#include "ui/input/silhouette_overlap.h"

#include "engine/views/foreground.h"
#include "ui/input/projected_mesh.h"
#include "ui/style/image_conversion.h"

namespace threefold::ui {

std::optional<SilhouetteScore> silhouetteScoreOf(const Points& vertices, const Faces& faces,
                                                 const Camera& camera, const QImage& photograph) {
    const std::optional<Mask> foreground = foregroundOf(fromQImage(photograph));
    if (!foreground) return std::nullopt;
    const Mask covered =
        silhouetteMask(vertices, faces, camera, foreground->width, foreground->height);
    if (covered.inside.empty()) return std::nullopt;
    return compareMasks(covered, *foreground);
}

QRectF foregroundBounds(const QImage& photograph) {
    const std::optional<Mask> foreground = foregroundOf(fromQImage(photograph));
    QRect bounds;
    if (!foreground) return bounds;
    for (int y = 0; y < foreground->height; ++y)
        for (int x = 0; x < foreground->width; ++x)
            if (foreground->inside[static_cast<std::size_t>(y) * foreground->width + x] != 0)
                bounds |= QRect(x, y, 1, 1);
    return bounds;
}

std::optional<double> overlapOf(const Points& vertices, const Faces& faces, const Camera& camera,
                                const QImage& photograph) {
    if (faces.empty()) return std::nullopt;
    const auto score = silhouetteScoreOf(vertices, faces, camera, photograph);
    return score ? std::optional(score->overlap) : std::nullopt;
}

}  // namespace threefold::ui
