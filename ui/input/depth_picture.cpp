#include "ui/input/depth_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>

#include <QLinearGradient>
#include <QPainter>
#include <QPolygonF>

#include "engine/views/camera.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr int kDepthBar = 8;
constexpr int kDepthBarLength = 220;
constexpr int kBarMargin = 24;  // left and right of the bar, for half of a number at its end

QString unitText() {
    return DepthLegend::tr("object units");
}

QRgb rgbOf(glm::vec3 colour) {
    return QColor::fromRgbF(colour.x, colour.y, colour.z).rgb();
}

std::size_t pixelOf(const ViewDepthMap& depths, int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(depths.side) +
           static_cast<std::size_t>(x);
}

/// Index + 1 of the depth map's pixel that covers each pixel of the picture; 0: none.
QImage mapPixelIndices(const ViewDepthMap& depths, QSize size, const PhotographMapping& mapping) {
    QImage indices(size, QImage::Format_RGB32);
    indices.fill(0xff000000);
    QPainter painter(&indices);
    painter.setPen(Qt::NoPen);
    const double step = static_cast<double>(kInputSide) / depths.side;
    // Neighbouring pixels of the map share corners: the lower corners of a row are the upper
    // corners of the next row.
    const auto cornersOf = [&](int y) {
        std::vector<std::optional<QPointF>> corners(static_cast<std::size_t>(depths.side) + 1);
        for (std::size_t x = 0; x < corners.size(); ++x)
            if (const auto position = mapping(glm::dvec2(static_cast<double>(x), y) * step))
                corners[x] = QPointF(position->x * size.width(), position->y * size.height());
        return corners;
    };
    auto above = cornersOf(0);
    for (int y = 0; y < depths.side; ++y) {
        const auto below = cornersOf(y + 1);
        for (int x = 0; x < depths.side; ++x) {
            const std::size_t index = pixelOf(depths, x, y);
            const auto column = static_cast<std::size_t>(x);
            const std::array corners{above[column], above[column + 1], below[column + 1],
                                     below[column]};
            if (!(depths.depth[index] > 0) || !std::ranges::all_of(corners, [](const auto& corner) {
                    return corner.has_value();
                }))
                continue;
            painter.setBrush(QColor::fromRgb(static_cast<QRgb>(index + 1)));
            painter.drawPolygon(QPolygonF({*corners[0], *corners[1], *corners[2], *corners[3]}));
        }
        above = below;
    }
    return indices;
}

}  // namespace

QString DepthPicture::depthTextAt(QPointF position) const {
    const int x = static_cast<int>(std::floor(position.x() * colours.width()));
    const int y = static_cast<int>(std::floor(position.y() * colours.height()));
    if (isNull() || !colours.rect().contains(x, y)) return {};
    const float value = depth[static_cast<std::size_t>(y) * colours.width() + x];
    if (!(value > 0)) return {};
    QString text = fixedText(value, 4);  // in object units, like the legend's upper scale
    if (cameraUnitsPerObjectUnit > 0)
        text += DepthLegend::tr(" · %1 camera units")
                    .arg(shortNumber(value * cameraUnitsPerObjectUnit));
    return text;
}

ValueRange depthRange(const ViewDepthMap& depths) {
    std::vector<float> sorted;
    std::ranges::copy_if(depths.depth, std::back_inserter(sorted),
                         [](float depth) { return depth > 0; });
    if (sorted.empty()) return {0, 0};
    std::ranges::sort(sorted);
    constexpr double kTail = 0.001;
    const std::vector<float>* const lists[] = {&sorted};
    ValueRange range{quantileOfSorted(lists, kTail), quantileOfSorted(lists, 1 - kTail)};
    if (!(range.max > range.min)) range.max = range.min * 1.001F;
    return range;
}

DepthPicture depthPicture(const ViewDepthMap& depths, QSize size, render::ColourMap map,
                          const PhotographMapping& mapping) {
    DepthPicture picture;
    const ValueRange range = depthRange(depths);
    if (size.isEmpty() || !(range.max > 0)) return picture;
    picture.scale = {.map = map, .min = range.min, .max = range.max};
    const PhotographMapping identity = [](glm::dvec2 pixel) {
        return std::optional(pixel / static_cast<double>(kInputSide));
    };
    const QImage indices = mapPixelIndices(depths, size, mapping ? mapping : identity);
    picture.colours = QImage(size, QImage::Format_ARGB32_Premultiplied);
    picture.colours.fill(Qt::transparent);
    picture.depth.assign(static_cast<std::size_t>(size.width()) * size.height(), 0);
    for (int y = 0; y < size.height(); ++y) {
        const auto* from = reinterpret_cast<const QRgb*>(indices.constScanLine(y));
        auto* to = reinterpret_cast<QRgb*>(picture.colours.scanLine(y));
        for (int x = 0; x < size.width(); ++x) {
            const QRgb index = from[x] & 0xffffffU;
            if (index == 0) continue;
            const float value = depths.depth[index - 1];
            picture.depth[static_cast<std::size_t>(y) * size.width() + x] = value;
            to[x] = rgbOf(
                render::colourAt(map, std::clamp(scalePosition(value, picture.scale), 0.0F, 1.0F)));
        }
    }
    return picture;
}

KnownDepths depthOf(const Document& document, const SampleRef& sample, int view) {
    const ResultRef& result = document.result.current();
    if (!result || !sample || result->sample != sample) return {};
    const auto find = [&](const std::vector<ViewDepthMap>& maps) -> const ViewDepthMap* {
        const auto match = std::ranges::find(maps, view, &ViewDepthMap::view);
        return match == maps.end() ? nullptr : &*match;
    };
    if (result->fitted() && result->fitted()->fit.hullFit && result->fitted()->fit.hullFit->depth)
        return {find(result->fitted()->fit.hullFit->depth->maps), true};
    return {find(document.fit.intermediateDepths()), false};
}

DepthLegend::DepthLegend(QWidget* parent) : QWidget(parent) {
    setFont(numberFont(font()));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Colours of the depths"));
}

void DepthLegend::setPicture(const DepthPicture& picture) {
    scale_ = picture.scale;
    cameraUnitsPerObjectUnit_ = picture.cameraUnitsPerObjectUnit;
    const QString ends =
        tr("%1 to %2 object units").arg(fixedText(scale_.min, 3), fixedText(scale_.max, 3));
    setAccessibleDescription(ends);
    QString tip =
        tr("Distance from the camera along its viewing direction. Pixels without a reliable depth "
           "show the dimmed photograph.");
    if (cameraUnitsPerObjectUnit_ > 0)
        tip += '\n' + tr("%1 to %2 in your cameras' units")
                          .arg(shortNumber(scale_.min * cameraUnitsPerObjectUnit_),
                               shortNumber(scale_.max * cameraUnitsPerObjectUnit_));
    setToolTip(ends + '\n' + tip);
    updateGeometry();
    update();
}

QSize DepthLegend::sizeHint() const {
    const int lines = cameraUnitsPerObjectUnit_ > 0 ? 2 : 1;
    return {kDepthBarLength + 2 * kBarMargin + fontMetrics().horizontalAdvance(unitText()),
            kDepthBar + 6 + lines * fontMetrics().height()};
}

QSize DepthLegend::minimumSizeHint() const {
    return {kDepthBarLength / 2 + 2 * kBarMargin, sizeHint().height()};
}

void DepthLegend::paintEvent(QPaintEvent*) {
    if (!(scale_.max > scale_.min)) return;
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    // In a narrow window only the tooltip names the units.
    const bool namesUnits = width() >= sizeHint().width();
    const int length = std::min(kDepthBarLength, width() - 2 * kBarMargin);
    const QRectF bar(kBarMargin, 1, length, kDepthBar);
    QLinearGradient gradient(bar.left(), 0, bar.right(), 0);
    constexpr int kStops = 64;
    for (int i = 0; i <= kStops; ++i) {
        const float fraction = static_cast<float>(i) / kStops;
        gradient.setColorAt(fraction,
                            QColor::fromRgb(rgbOf(render::colourAt(scale_.map, fraction))));
    }
    painter.fillRect(bar, gradient);
    painter.setPen(colours.border);
    painter.drawRect(bar);
    const int line = fontMetrics().height();
    const auto drawScale = [&](double unitsPerObjectUnit, double top, const QString& unit,
                               const QColor& colour) {
        const double low = scale_.min * unitsPerObjectUnit;
        const double high = scale_.max * unitsPerObjectUnit;
        const Ticks ticks = niceTicks(low, high, length < kDepthBarLength ? 2 : 4);
        painter.setPen(colour);
        for (const double value : ticks.values) {
            const double x = bar.left() + bar.width() * (value - low) / (high - low);
            painter.drawLine(QPointF(x, bar.bottom() - 2), QPointF(x, bar.bottom() + 3));
            painter.drawText(QRectF(x - 50, top, 100, line), Qt::AlignHCenter,
                             fixedText(value, ticks.decimals));
        }
        if (namesUnits)
            painter.drawText(QRectF(bar.right() + kBarMargin, top, width(), line), Qt::AlignLeft,
                             unit);
    };
    drawScale(1, bar.bottom() + 4, unitText(), colours.text);
    if (cameraUnitsPerObjectUnit_ > 0)
        drawScale(cameraUnitsPerObjectUnit_, bar.bottom() + 4 + line, tr("camera units"),
                  colours.muted);
}

}  // namespace threefold::ui
