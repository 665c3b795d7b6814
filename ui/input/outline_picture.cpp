#include "ui/input/outline_picture.h"

#include <vector>

#include <QLineF>
#include <QList>
#include <QPainter>
#include <QPen>

#include "ui/input/outline.h"
#include "ui/style/image_conversion.h"

namespace threefold::ui {
namespace {

const QColor kLine(0x1f, 0x6f, 0xff);
const QColor kRim(0xff, 0xff, 0xff);

std::optional<SilhouetteScore> agreementOf(const Points& vertices, const Faces& faces,
                                           const Camera& camera, const QImage& photograph) {
    const std::optional<Mask> foreground = foregroundOf(fromQImage(photograph));
    if (!foreground) return std::nullopt;
    const Mask covered = coverageOf(vertices, faces, camera, foreground->width, foreground->height);
    if (covered.inside.empty()) return std::nullopt;
    return compareMasks(covered, *foreground);
}

}  // namespace

QRectF foregroundBounds(const QImage& photograph) {
    const std::optional<Mask> foreground = foregroundOf(fromQImage(photograph));
    QRect bounds;
    if (!foreground) return bounds;
    for (int y = 0; y < foreground->height; ++y) {
        for (int x = 0; x < foreground->width; ++x) {
            const auto at =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(foreground->width) +
                static_cast<std::size_t>(x);
            if (foreground->inside[at] != 0) bounds |= QRect(x, y, 1, 1);
        }
    }
    return bounds;
}

std::optional<double> overlapOf(const Points& vertices, const Faces& faces, const Camera& camera,
                                const QImage& photograph) {
    if (faces.empty()) return std::nullopt;
    const auto agreement = agreementOf(vertices, faces, camera, photograph);
    return agreement ? std::optional(agreement->overlap) : std::nullopt;
}

OutlinePicture drawOutline(const Points& vertices, const Faces& faces, const Camera& camera,
                           const QImage& photograph, QSize size, qreal pixelRatio, OutlineKind kind,
                           const OutlinePlace& place) {
    OutlinePicture picture;
    if (faces.empty() || size.isEmpty()) return picture;
    const Projection projection = project(vertices, camera);
    const Mask coverage = coverageOf(vertices, faces, camera);
    picture.agreement = agreementOf(vertices, faces, camera, photograph);
    if (kind == OutlineKind::none) return picture;

    picture.lines = QImage(size * pixelRatio, QImage::Format_ARGB32_Premultiplied);
    picture.lines.setDevicePixelRatio(pixelRatio);
    picture.lines.fill(Qt::transparent);
    QPainter painter(&picture.lines);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto scaled = [&](const std::vector<ImageLine>& lines) {
        const auto placed = [&](glm::dvec2 pixel) {
            return place ? place(pixel) : std::optional(pixel / static_cast<double>(kImageSize));
        };
        QList<QLineF> result;
        result.reserve(static_cast<qsizetype>(lines.size()));
        for (const ImageLine& line : lines) {
            const auto from = placed(line.from);
            const auto to = placed(line.to);
            if (from && to)
                result.emplace_back(from->x * size.width(), from->y * size.height(),
                                    to->x * size.width(), to->y * size.height());
        }
        return result;
    };
    const auto draw = [&](const QList<QLineF>& lines, QColor colour, qreal width) {
        painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap));
        painter.drawLines(lines);
    };
    if (kind == OutlineKind::wireframe) {
        QColor faint = kLine;
        faint.setAlphaF(0.55F);
        draw(scaled(wireframe(projection, faces)), faint, 0.5);
    }
    const QList<QLineF> outline = scaled(silhouette(projection, faces, coverage));
    draw(outline, kRim, 2.75);
    draw(outline, kLine, 1.25);
    return picture;
}

}  // namespace threefold::ui
