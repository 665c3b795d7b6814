#include "ui/input/outline_picture.h"

#include <vector>

#include <QLineF>
#include <QList>
#include <QPainter>
#include <QPen>

#include "ui/input/outline.h"

namespace threefold::ui {
namespace {

constexpr QRgb kForeground = 0xffffffff;
const QColor kLine(0x1f, 0x6f, 0xff);
const QColor kRim(0xff, 0xff, 0xff);

std::optional<double> overlapOf(const Coverage& coverage, const QImage& photograph) {
    const QImage foreground = foregroundOf(photograph);
    if (foreground.isNull()) return std::nullopt;
    qint64 both = 0;
    qint64 either = 0;
    for (int row = 0; row < Coverage::kSide; ++row) {
        const int y = (2 * row + 1) * foreground.height() / (2 * Coverage::kSide);
        for (int column = 0; column < Coverage::kSide; ++column) {
            const int x = (2 * column + 1) * foreground.width() / (2 * Coverage::kSide);
            const bool object = foreground.pixel(x, y) == kForeground;
            const bool mesh = coverage.at(column, row);
            both += object && mesh ? 1 : 0;
            either += object || mesh ? 1 : 0;
        }
    }
    return either > 0 ? static_cast<double>(both) / static_cast<double>(either) : 0.0;
}

}  // namespace

QImage foregroundOf(const QImage& photograph) {
    if (photograph.isNull()) return {};
    const QImage colours = photograph.convertToFormat(QImage::Format_ARGB32);
    // What was white may have become a little less so by compression or scaling.
    constexpr int kWhite = 246;
    constexpr int kOpaque = 255;
    bool transparency = false;
    for (int y = 0; y < colours.height() && !transparency; ++y) {
        for (int x = 0; x < colours.width() && !transparency; ++x) {
            transparency = qAlpha(colours.pixel(x, y)) < kOpaque / 2;
        }
    }
    QImage result(colours.size(), QImage::Format_ARGB32);
    result.fill(0);
    qint64 count = 0;
    for (int y = 0; y < colours.height(); ++y) {
        const auto* from = reinterpret_cast<const QRgb*>(colours.constScanLine(y));
        auto* to = reinterpret_cast<QRgb*>(result.scanLine(y));
        for (int x = 0; x < colours.width(); ++x) {
            const QRgb c = from[x];
            const bool white = qRed(c) >= kWhite && qGreen(c) >= kWhite && qBlue(c) >= kWhite;
            const bool object = transparency ? qAlpha(c) >= kOpaque / 2 : !white;
            if (!object) continue;
            to[x] = kForeground;
            ++count;
        }
    }
    const qint64 all = qint64{colours.width()} * colours.height();
    return count == 0 || count == all ? QImage() : result;
}

QRectF foregroundBounds(const QImage& photograph) {
    const QImage foreground = foregroundOf(photograph);
    QRect bounds;
    for (int y = 0; y < foreground.height(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(foreground.constScanLine(y));
        for (int x = 0; x < foreground.width(); ++x) {
            if (row[x] == kForeground) bounds |= QRect(x, y, 1, 1);
        }
    }
    return bounds;
}

OutlinePicture drawOutline(const Points& vertices, const Faces& faces, const Camera& camera,
                           const QImage& photograph, QSize size, qreal pixelRatio,
                           OutlineKind kind) {
    OutlinePicture picture;
    if (faces.empty() || size.isEmpty()) return picture;
    const Projection projection = project(vertices, camera);
    const Coverage coverage = coverageOf(projection, faces);
    picture.overlap = overlapOf(coverage, photograph);
    if (kind == OutlineKind::none) return picture;

    picture.lines = QImage(size * pixelRatio, QImage::Format_ARGB32_Premultiplied);
    picture.lines.setDevicePixelRatio(pixelRatio);
    picture.lines.fill(Qt::transparent);
    QPainter painter(&picture.lines);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto scaled = [&](const std::vector<ImageLine>& lines) {
        const double x = static_cast<double>(size.width()) / kImageSize;
        const double y = static_cast<double>(size.height()) / kImageSize;
        QList<QLineF> result;
        result.reserve(static_cast<qsizetype>(lines.size()));
        for (const ImageLine& line : lines) {
            result.emplace_back(line.from.x * x, line.from.y * y, line.to.x * x, line.to.y * y);
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
