#include "ui/input/outline_picture.h"

#include <vector>

#include <QLineF>
#include <QList>
#include <QPainter>
#include <QPen>

#include "ui/input/outline.h"
#include "ui/input/projected_mesh.h"

namespace threefold::ui {
namespace {

const QColor kLine(0x1f, 0x6f, 0xff);
const QColor kRim(0xff, 0xff, 0xff);

}  // namespace

OutlinePicture drawOutline(const Points& vertices, const Faces& faces, const Camera& camera,
                           const QImage& photograph, QSize size, qreal pixelRatio, OutlineKind kind,
                           const PhotographMapping& mapping) {
    OutlinePicture picture;
    if (faces.empty() || size.isEmpty()) return picture;
    const ProjectedMesh projection = project(vertices, camera);
    const Mask silhouette = silhouetteMask(vertices, faces, camera);
    picture.score = silhouetteScoreOf(vertices, faces, camera, photograph);
    if (kind == OutlineKind::none) return picture;

    picture.lines = QImage(size * pixelRatio, QImage::Format_ARGB32_Premultiplied);
    picture.lines.setDevicePixelRatio(pixelRatio);
    picture.lines.fill(Qt::transparent);
    QPainter painter(&picture.lines);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto scaled = [&](const std::vector<ImageLine>& lines) {
        const auto mapped = [&](glm::dvec2 pixel) {
            return mapping ? mapping(pixel)
                           : std::optional(pixel / static_cast<double>(kInputSide));
        };
        QList<QLineF> result;
        result.reserve(static_cast<qsizetype>(lines.size()));
        for (const ImageLine& line : lines) {
            const auto from = mapped(line.from);
            const auto to = mapped(line.to);
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
    const QList<QLineF> outline = scaled(outlineOf(projection, faces, silhouette));
    draw(outline, kRim, 2.75);
    draw(outline, kLine, 1.25);
    return picture;
}

}  // namespace threefold::ui
