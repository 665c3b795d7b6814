#include "ui/figure/figure_page.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>

#include <fmt/format.h>

#include "engine/error.h"
#include "render/offscreen.h"
#include "ui/figure/figure_content.h"
#include "ui/figure/figure_layout.h"
#include "ui/files/picture_labels.h"
#include "ui/style/image_conversion.h"

namespace threefold::ui {

class LaidOutPage::Painter {
  public:
    Painter(FigurePage page, const render::Device& device, FigureTask task)
        : task_(std::move(task)),
          content_(figureContent(std::move(page), task_)),
          layout_(layOutFigure(content_)),
          target_(device) {}

    QSizeF size() const { return layout_.size; }
    void turnTo(double angle) { angle_ = angle; }
    void setDpi(int dpi) {
        content_.setDpi(dpi);
        layout_ = layOutFigure(content_);
        ratio_ = content_.pixelsPerUnit();
    }
    void expectPaints(int count) { paintCount_ = count; }

    void paint(QPainter& painter) {
        painter.setRenderHints(QPainter::SmoothPixmapTransform | QPainter::Antialiasing |
                               QPainter::LosslessImageRendering);
        const ThemeColours& colours = content_.colours;
        if (!content_.isTransparent()) painter.fillRect(QRectF({}, layout_.size), colours.viewport);
        for (const auto& item : layout_.items) {
            if (const auto* text = std::get_if<FigureText>(&item))
                write(painter, *text);
            else if (const auto* cell = std::get_if<FigureCell>(&item)) {
                paintCell(painter, *cell);
                reportPaintedCell();
            } else if (const auto* line = std::get_if<FigureLine>(&item))
                painter.fillRect(line->rect, colours.border);
        }
        if (layout_.legend)
            paintLegend(painter, *layout_.legend, *content_.legend, colours, figureFont());
        if (layout_.scaleBar)
            paintScaleBar(painter, *layout_.scaleBar, 1 / layout_.scale, colours, figureFont());
    }

  private:
    void checkCancelled() const {
        if (task_.cancel.stop_requested()) throw Cancelled();
    }

    void reportPaintedCell() {
        if (!task_.progress) return;
        const auto isCell = [](const auto& item) {
            return std::holds_alternative<FigureCell>(item);
        };
        const auto cells = static_cast<double>(std::ranges::count_if(layout_.items, isCell));
        const double painted = std::min(1.0, ++paintedCells_ / (cells * paintCount_));
        task_.progress(kContentFraction + (1 - kContentFraction) * painted);
    }

    void write(QPainter& painter, const FigureText& item) const {
        const QRectF& rect = item.rect;
        if (isOutside(painter, rect)) return;
        QString text = item.text;
        constexpr int kMinFontSize = 7;  // legible on paper
        for (QChar& character : text)    // XML allows no control characters
            if (character.category() == QChar::Other_Control || character.isNonCharacter())
                character = u' ';
        QFont font = figureFont(item.bold);
        if ((item.flags & Qt::TextWordWrap) == 0) {
            while (font.pixelSize() > kMinFontSize &&
                   QFontMetricsF(font).horizontalAdvance(text) > rect.width())
                font.setPixelSize(font.pixelSize() - 1);
            text = QFontMetricsF(font).elidedText(text, Qt::ElideRight, rect.width());
        }
        painter.setFont(font);
        painter.setPen(content_.colours.text);
        painter.drawText(rect, item.flags | Qt::AlignVCenter | Qt::TextDontClip, text);
    }

    /// Whether `rect` and its surroundings lie outside the band that is painted.
    bool isOutside(const QPainter& painter, const QRectF& rect) const {
        const QRectF near = rect.adjusted(-line_, -line_, line_, line_);
        return painter.hasClipping() && !painter.clipBoundingRect().intersects(near);
    }

    void paintCell(QPainter& painter, const FigureCell& cell) {
        checkCancelled();
        const FigureRowContent& content = content_.rows[cell.row];
        const MeshId id = content_.page.columns[cell.column];
        const QRectF& rect = cell.rect;
        const QSize size = (rect.size() * ratio_).toSize();
        // Rectangle of the whole picture relative to the cell, in pixels.
        const double side = std::round(2 * content.halfSide * layout_.scale * ratio_);
        const QPointF centre = (content.region.center() + QPointF(1, 1)) / 2 * side;
        const QRect picture(qRound(size.width() / 2.0 - centre.x()),
                            qRound(size.height() / 2.0 - centre.y()), qRound(side), qRound(side));
        if (id == MeshId::photograph) {
            drawRows(painter, rect, size, [&](const QRect& strip) {
                QImage image(strip.size(), QImage::Format_ARGB32_Premultiplied);
                if (image.isNull()) throw std::bad_alloc();
                image.fill(content_.isTransparent() ? QColor(Qt::transparent)
                                                    : content_.colours.viewport);
                QPainter photograph(&image);
                photograph.setRenderHint(QPainter::SmoothPixmapTransform);
                photograph.drawImage(picture.translated(-strip.topLeft()), content.photo);
                return image;
            });
        } else {
            render::Scene scene = *content.scenes[cell.column];
            scene.panes[0].camera = rotatedAroundUp(scene.panes[0].camera, angle_);
            drawRows(painter, rect, size, [&](const QRect& strip) {
                return drawTiled(scene, picture.translated(-strip.topLeft()), strip.size());
            });
        }
    }

    /// Draws the pixel rows of a cell's picture that lie inside the painter's clip. `make` returns
    /// the picture of a range of pixel rows.
    template <class Make>
    static void drawRows(QPainter& painter, const QRectF& rect, QSize size, const Make& make) {
        constexpr double kMaxPixels = 1 << 28;  // in memory at once
        const double pixels = static_cast<double>(size.width()) * size.height();
        if (!painter.hasClipping() && pixels > kMaxPixels)
            throw InputError({"figure", "",
                              fmt::format("a cell has {} × {} pixels", size.width(), size.height()),
                              fmt::format("Choose {:.0f} % of the dots per inch, or of the width.",
                                          std::floor(100 * std::sqrt(kMaxPixels / pixels)))});
        const double unit = rect.height() / size.height();
        int top = 0, end = size.height();
        if (painter.hasClipping()) {
            const QRectF clip = painter.clipBoundingRect();
            top = std::max(top, static_cast<int>(std::floor((clip.top() - rect.top()) / unit)));
            end = std::min(end, static_cast<int>(std::ceil((clip.bottom() - rect.top()) / unit)));
        }
        // An SVG holds a picture as one attribute, with about 6 bytes a pixel; browsers read at
        // most 10 MB of an attribute.
        constexpr int kMaxSvgPixels = 1'600'000, kOverlap = 1;
        const bool svg = painter.paintEngine()->type() == QPaintEngine::SVG;
        const int step = svg ? std::max(1, kMaxSvgPixels / size.width()) : size.height();
        for (; top < end; top += step) {
            // The overlap hides the seams that viewers with antialiasing would show.
            const int rows = std::min(end - top, step + (svg ? kOverlap : 0));
            painter.drawImage(
                QRectF(rect.left(), rect.top() + top * unit, rect.width(), rows * unit),
                make(QRect(0, top, size.width(), rows)));
        }
    }

    /// Draws a picture of any size in tiles that fit into the memory of any device.
    QImage drawTiled(render::Scene& scene, const QRect& picture, QSize size) {
        constexpr int kTile = 4096;
        const auto tile = [&](const QRect& rect) {
            checkCancelled();
            scene.tile = render::Tile{rect.x() - picture.x(), rect.y() - picture.y(),
                                      picture.width(), picture.height()};
            return toQImage(target_.draw(scene, rect.width(), rect.height()));
        };
        if (std::max(size.width(), size.height()) <= kTile) return tile({{}, size});
        QImage image(size, QImage::Format_RGBA8888);
        if (image.isNull()) throw std::bad_alloc();
        QPainter painter(&image);
        painter.setCompositionMode(QPainter::CompositionMode_Source);
        for (int y = 0; y < size.height(); y += kTile)
            for (int x = 0; x < size.width(); x += kTile)
                painter.drawImage(x, y,
                                  tile(QRect(x, y, std::min(kTile, size.width() - x),
                                             std::min(kTile, size.height() - y))));
        return image;
    }

    FigureTask task_;
    FigureContent content_;
    FigureLayout layout_;
    render::OffscreenTarget target_;
    double ratio_ = content_.pixelsPerUnit();
    const double line_ = figureLineHeight();
    double angle_ = 0;  // turnTo()
    int paintCount_ = 1;
    int paintedCells_ = 0;
};

bool FigureRow::has(MeshId column) const {
    return result && (column == MeshId::photograph || result->mesh(column));
}

std::vector<MeshId> figureColumns() {
    std::vector<MeshId> columns{MeshId::photograph};
    columns.insert(columns.end(), std::begin(kResultMeshes), std::end(kResultMeshes));
    return columns;
}

std::string figureColumnName(MeshId column) {
    return column == MeshId::photograph ? "photo" : column.name();
}

LaidOutPage::LaidOutPage(FigurePage page, const render::Device& device, FigureTask task)
    : painter_(std::make_unique<Painter>(std::move(page), device, std::move(task))) {}

LaidOutPage::~LaidOutPage() = default;

QSizeF LaidOutPage::size() const {
    return painter_->size();
}

void LaidOutPage::paint(QPainter& painter) const {
    painter_->paint(painter);
}

void LaidOutPage::turnTo(double angle) {
    painter_->turnTo(angle);
}

void LaidOutPage::setDpi(int dpi) {
    painter_->setDpi(dpi);
}

void LaidOutPage::expectPaints(int count) {
    painter_->expectPaints(count);
}

}  // namespace threefold::ui
