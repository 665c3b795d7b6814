#include "ui/figure/figure_page.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>

#include <fmt/format.h>
#include <glm/gtc/constants.hpp>

#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "render/offscreen.h"
#include "ui/document/photograph_textures.h"
#include "ui/document/value_range.h"
#include "ui/files/picture_labels.h"
#include "ui/panes/make_scene.h"
#include "ui/panes/pane_cameras.h"
#include "ui/style/control_names.h"
#include "ui/style/image_conversion.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

struct Figure {
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

// In units of 1/96 inch: 10 units are 7.5 points.
constexpr int kFontSize = 10;
constexpr double kEdge = 4, kGap = 8, kRowGap = 10, kBelowName = 4;
constexpr double kLegend = 62, kScaleBar = 44, kNarrow = 400;
constexpr double kCellMargin = 1.06;  // ratio of a cell to its content

// Font whose glyphs do not depend on the screen's settings.
QFont fontOf(bool bold = false) {
    QFont font(QStringLiteral("sans-serif"));
    font.setPixelSize(kFontSize);
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(QFont::NoSubpixelAntialias);
    return font;
}

/// Heading of a column, with the mesh names of the first result.
QString headingOf(const std::vector<FigureRow>& rows, MeshId column) {
    if (column == MeshId::photograph) return Figure::tr("Photograph");
    const auto match = std::ranges::find_if(rows, [](auto& row) { return row.result != nullptr; });
    return meshTitle(match != rows.end() ? match->result->morph : publishedMorph(), column);
}

bool has(const FigureRow& row, MeshId column) {
    return row.result && (column == MeshId::photograph || row.result->mesh(column));
}

QStringList captionsOf(const Result& result, MeshId column) {
    const std::optional<std::size_t> stage = result.morph.stageIndex(column);
    const MeshEvaluation* mesh = stage ? evaluationOf(result, *stage) : nullptr;
    if (mesh == nullptr) return {};
    return {QStringLiteral("CD %1").arg(shortScientific(mesh->measures.chamfer)),
            QStringLiteral("F(τ) %1 %").arg(fixed(mesh->measures.atTau().f, 2))};
}

// Turns the object to the left, as on a turntable. Radians.
render::OrbitCamera turned(render::OrbitCamera camera, double angle) {
    camera.yaw = static_cast<float>(std::remainder(camera.yaw + angle, glm::two_pi<double>()));
    return camera;
}

// Content of a row's cells: a region of square pictures, each 2 × 2 around its centre, y down.
struct Content {
    std::vector<std::optional<render::Scene>> scenes = {};  // by column
    QImage photo = {};
    double halfSide = 0;  // half the pictures' side, object units
    QRectF region = {};   // region with the whole object

    void include(const render::SceneMesh& mesh, const render::OrbitCamera& camera) {
        constexpr double kPointSize = 1e-6;
        const glm::mat4 toClip = camera.projectionMatrix(1.0F) * camera.viewMatrix();
        for (const glm::vec3& vertex : mesh.vertices) {
            const glm::dvec4 clip(toClip * glm::vec4(vertex, 1.0F));
            if (clip.w > 0)
                region |= QRectF(clip.x / clip.w, clip.y / clip.w, kPointSize, kPointSize);
        }
    }
    // Includes the whole picture if the object is not known.
    void include(const ObjectView& view) {
        photo = toQImage(view.picture);
        const Mask mask = view.mask.value_or(Mask{1, 1, {1}});
        const double cellWidth = 2.0 / mask.width, cellHeight = 2.0 / mask.height;
        for (int i = 0; const std::uint8_t inside : mask.inside) {
            const int x = i % mask.width, y = i / mask.width;
            if (inside != 0)
                region |= QRectF(x * cellWidth - 1, y * cellHeight - 1, cellWidth, cellHeight);
            ++i;
        }
    }
};

class Drawing {
  public:
    Drawing(FigurePage page, const render::Device& device, std::stop_token cancel)
        : page_(std::move(page)), target_(device), cancel_(std::move(cancel)) {
        if (page_.columns.empty())
            std::ranges::copy_if(
                figureColumns(), std::back_inserter(page_.columns), [&](MeshId column) {
                    return std::ranges::any_of(page_.rows, [&](auto& row) {
                        return has(row, column) &&
                               !(column == MeshId::first && row.result->morph.hasOnePublished());
                    });
                });
        const bool themed = page_.background == FigureBackground::theme;
        colours_ = themeColours(themed && page_.dark);
        if (!themed) colours_.viewport = Qt::white;
        width_ = std::round(page_.millimetres / 25.4 * page_.dpi) / ratio_;
        const auto columns = static_cast<double>(page_.columns.size());
        cell_ = snapped((width_ - 2 * kEdge - (columns - 1) * kGap) / columns);
        Look& look = page_.look;
        look.layout = Layout::sideBySide;
        look.truthPane = look.swapped = look.ground = look.axes = false;
        look.morphPosition = kMorphResult;
        shareRange();
        double maxExtent = 0;
        for (FigureRow& row : page_.rows) {
            const Content& content = contents_.emplace_back(contentOrProblem(row));
            // Scale for which no cell is higher than wide.
            maxExtent = std::max({maxExtent, content.halfSide * content.region.width(),
                                  content.halfSide * content.region.height()});
        }
        if (maxExtent > 0) scale_ = cell_ / maxExtent / kCellMargin;
    }

    QSizeF size() { return {width_, std::ceil(layOutRows(nullptr) * ratio_) / ratio_}; }

    void turnTo(double angle) { angle_ = angle; }

    void paint(QPainter& painter) {
        painter.setRenderHints(QPainter::SmoothPixmapTransform | QPainter::Antialiasing |
                               QPainter::LosslessImageRendering);
        if (!clear()) painter.fillRect(QRectF({}, size()), colours_.viewport);
        layOutRows(&painter);
    }

  private:
    bool clear() const { return page_.background == FigureBackground::transparent; }
    // Snaps to whole pixels, so that the pictures of cells are not resampled.
    double snapped(double units) const { return std::round(units * ratio_) / ratio_; }
    void checkCancelled() const {
        if (cancel_.stop_requested()) throw Cancelled();
    }

    void shareRange() {
        Look& look = page_.look;
        const QuantityInfo info = quantityInfo(look.quantity);
        if (!info.hasValues() || look.range == RangeMode::manual || look.keepRange) return;
        std::vector<SurfaceValues> allValues;
        std::vector<const std::vector<float>*> lists;
        for (const FigureRow& row : page_.rows)
            for (const MeshId column : page_.columns)
                if (column != MeshId::photograph && has(row, column))
                    allValues.push_back(quantityValues(*row.result, column, look.quantity));
        for (const SurfaceValues& values : allValues)
            if (values.magnitudes) lists.push_back(values.magnitudes.get());
        const ValueRange range = automaticRange(lists, look, info);
        look.range = RangeMode::manual;
        look.rangeMin = range.min;
        look.rangeMax = range.max;
    }

    // Content of a row. A row that cannot be drawn gets the problem instead.
    Content contentOrProblem(FigureRow& row) {
        checkCancelled();
        if (!row.result) return {};
        const Result& result = *row.result;
        row.name =
            Figure::tr("%1 · views %2").arg(sampleTitle(*result.sample), numberList(result.views));
        try {
            return contentOf(row);
        } catch (const Error& error) {
            row = {nullptr, row.name, withControlNames(error.what())};
            return {};
        }
    }

    Content contentOf(const FigureRow& row) {
        const Sample& sample = *row.result->sample;
        const int view = row.result->views.front();
        CameraRow from = sample.cameraRows.at(static_cast<std::size_t>(view));
        if (page_.camera) {
            from.azimuth = page_.camera->x;
            from.elevation = page_.camera->y;
        }
        PaneCameras cameras;
        cameras.setCount(1);
        cameras.setSize({1, 1});
        cameras.lookThrough(Camera::fromRow(from));
        const render::OrbitCamera& camera = cameras.camera(0);
        Content content;
        content.halfSide = static_cast<double>(camera.distance * std::tan(camera.fieldOfView / 2));
        for (const MeshId column : page_.columns) {
            content.scenes.emplace_back();
            if (column == MeshId::photograph)
                content.include(objectView(sample, view, readViewPhotograph(sample, view)));
            if (column == MeshId::photograph || !has(row, column)) continue;
            render::Scene& scene = content.scenes.back().emplace(sceneOf(row.result, column));
            scene.panes[0].camera = camera;
            const render::Layer& layer = scene.panes[0].layers[0];
            content.include(*layer.mesh, camera);
            // Includes the mesh in all directions of its turn.
            constexpr int kDirections = 36;
            for (int i = 1; i < kDirections && page_.turn > 0; ++i)
                content.include(*layer.mesh,
                                turned(camera, glm::two_pi<double>() * i / kDirections));
            if (layer.colouring == render::Colouring::values && !legend_) {
                const QuantityInfo info = quantityInfo(page_.look.quantity);
                legend_ = {legendCaption(info), layer.colourScale};
            }
        }
        return content;
    }

    // Scene of one pane with that mesh, as in the window.
    render::Scene sceneOf(const ResultRef& result, MeshId id) const {
        Look look = page_.look;
        look.panes = {id};
        Document document;
        if (result->fit) document.fit.setChoice(result->fit->outcome.requested);
        document.look.set(look);
        document.result.set(result);
        render::Scene scene = makeScene({document}, colours_);
        if (clear()) scene.background.w = 0;
        constexpr double kLineScale = 0.5;  // printed lines are finer than on the screen
        scene.pixelRatio = static_cast<float>(kLineScale * ratio_);
        if (document.shownQuantity() != Quantity::photographs) return scene;
        render::Layer& layer = scene.panes[0].layers[0];
        std::vector<std::string> unread;  // already reported by the run
        layer.texture = bakePhotographs(
            *layer.mesh, textureViews(*result->sample, photographsOf(*result), unread));
        if (layer.texture) layer.colouring = render::Colouring::texture;
        return scene;
    }

    // Lays the page out from top to bottom and returns its height; paints if `painter` is not null.
    double layOutRows(QPainter* painter) {
        const double inner = width_ - 2 * kEdge;
        double y = kEdge;
        for (std::size_t i = 0; i < page_.columns.size(); ++i)
            write(painter, cellAt(i, y, line_), Qt::AlignHCenter,
                  headingOf(page_.rows, page_.columns[i]), true);
        y += line_;
        for (std::size_t i = 0; i < contents_.size(); ++i) {
            const FigureRow& row = page_.rows[i];
            if (painter != nullptr)
                painter->fillRect(QRectF(kEdge, y + kRowGap / 2, inner, 0.5), colours_.border);
            y += kRowGap;
            write(painter, {kEdge, y, inner, line_}, Qt::AlignLeft, row.name, true);
            y = snapped(y + line_ + kBelowName);
            if (row.result) {
                const double content = contents_[i].halfSide * contents_[i].region.height();
                const double height = std::max(snapped(content * scale_ * kCellMargin), line_);
                for (std::size_t c = 0; c < page_.columns.size() && painter != nullptr; ++c)
                    paintCell(*painter, cellAt(c, y, height), i, c);
                y += height + (row.result->evaluation() ? 2 : 0) * line_;
            } else {
                const QRectF bounds = QFontMetricsF(fontOf()).boundingRect(
                    QRectF(kEdge, y, inner, 1e6), Qt::TextWordWrap, row.problem);
                write(painter, {kEdge, y, inner, bounds.height()}, Qt::TextWordWrap, row.problem);
                y += bounds.height();
            }
        }
        // Legend and scale bar beside each other, or one below the other on a narrow page.
        const bool narrow = legend_ && width_ < kNarrow;
        const double split = narrow ? 0 : 0.64 * width_;
        if (legend_ && painter != nullptr)
            paintLegend(*painter, {0, y, narrow ? width_ : split, kLegend}, *legend_, colours_,
                        fontOf());
        if (narrow) y += kLegend - kRowGap;
        if (painter != nullptr && scale_ > 0)
            paintScaleBar(*painter, {split, y, width_ - split, kScaleBar}, 1 / scale_, colours_,
                          fontOf());
        return y + (legend_ && !narrow ? kLegend : kScaleBar);
    }

    QRectF cellAt(std::size_t column, double y, double height) const {
        return {snapped(kEdge + static_cast<double>(column) * (cell_ + kGap)), y, cell_, height};
    }

    void write(QPainter* painter, const QRectF& rect, int flags, QString text,
               bool bold = false) const {
        if (painter == nullptr || isOutside(*painter, rect)) return;
        constexpr int kMinFontSize = 7;  // legible on paper
        for (QChar& character : text)    // not allowed in XML
            if (character.category() == QChar::Other_Control || character.isNonCharacter())
                character = u' ';
        QFont font = fontOf(bold);
        if ((flags & Qt::TextWordWrap) == 0) {
            while (font.pixelSize() > kMinFontSize &&
                   QFontMetricsF(font).horizontalAdvance(text) > rect.width())
                font.setPixelSize(font.pixelSize() - 1);
            text = QFontMetricsF(font).elidedText(text, Qt::ElideRight, rect.width());
        }
        painter->setFont(font);
        painter->setPen(colours_.text);
        painter->drawText(rect, flags | Qt::AlignVCenter | Qt::TextDontClip, text);
    }

    /// Whether `rect` and its surroundings lie outside the band that is painted.
    bool isOutside(const QPainter& painter, const QRectF& rect) const {
        const QRectF near = rect.adjusted(-line_, -line_, line_, line_);
        return painter.hasClipping() && !painter.clipBoundingRect().intersects(near);
    }

    void paintCell(QPainter& painter, const QRectF& rect, std::size_t row, std::size_t column) {
        checkCancelled();
        const Content& content = contents_[row];
        const MeshId id = page_.columns[column];
        const QSize size = (rect.size() * ratio_).toSize();
        // Rectangle of the whole picture relative to the cell, in pixels.
        const double side = std::round(2 * content.halfSide * scale_ * ratio_);
        const QPointF centre = (content.region.center() + QPointF(1, 1)) / 2 * side;
        const QRect picture(qRound(size.width() / 2.0 - centre.x()),
                            qRound(size.height() / 2.0 - centre.y()), qRound(side), qRound(side));
        if (id == MeshId::photograph) {
            drawRows(painter, rect, size, [&](const QRect& strip) {
                QImage cell(strip.size(), QImage::Format_ARGB32_Premultiplied);
                if (cell.isNull()) throw std::bad_alloc();
                cell.fill(clear() ? QColor(Qt::transparent) : colours_.viewport);
                QPainter photograph(&cell);
                photograph.setRenderHint(QPainter::SmoothPixmapTransform);
                photograph.drawImage(picture.translated(-strip.topLeft()), content.photo);
                return cell;
            });
        } else if (content.scenes[column]) {
            render::Scene scene = *content.scenes[column];
            scene.panes[0].camera = turned(scene.panes[0].camera, angle_);
            drawRows(painter, rect, size, [&](const QRect& strip) {
                return drawTiled(scene, picture.translated(-strip.topLeft()), strip.size());
            });
        } else {
            write(&painter, rect, Qt::AlignHCenter,
                  id == MeshId::truth  ? Figure::tr("no truth")
                  : id == MeshId::hull ? Figure::tr("no hull")
                                       : Figure::tr("not fitted"));
        }
        QRectF below = rect;
        below.setHeight(line_);
        below.moveTop(rect.bottom());
        for (const QString& caption : captionsOf(*page_.rows[row].result, id)) {
            write(&painter, below, Qt::AlignHCenter, caption);
            below.translate(0, line_);
        }
    }

    /// Draws the rows of a cell's picture that lie inside the painter's clip. `make` returns the
    /// picture of a range of rows.
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
        // An SVG holds a picture as one attribute, of which browsers read at most 10 MB: 6 bytes a
        // pixel.
        constexpr int kMaxSvgPixels = 1'600'000, kOverlap = 1;
        const bool svg = painter.paintEngine()->type() == QPaintEngine::SVG;
        const int step = svg ? std::max(1, kMaxSvgPixels / size.width()) : size.height();
        for (; top < end; top += step) {
            // Overlap hides the seam of viewers that smooth edges.
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

    FigurePage page_;
    render::OffscreenTarget target_;
    std::stop_token cancel_;
    const double ratio_ = page_.dpi / 96.0;  // pixels per unit
    const double line_ = std::ceil(QFontMetricsF(fontOf()).height());
    ThemeColours colours_;
    double width_ = 0, cell_ = 0;
    double angle_ = 0;               // LaidOutPage::turnTo
    double scale_ = 0;               // units per object unit; 0: nothing to show
    std::vector<Content> contents_;  // by row
    std::optional<PictureLabels::Legend> legend_;
};

}  // namespace

std::vector<MeshId> figureColumns() {
    std::vector<MeshId> columns{MeshId::photograph};
    columns.insert(columns.end(), std::begin(kResultMeshes), std::end(kResultMeshes));
    return columns;
}

std::string figureColumnName(MeshId column) {
    return column == MeshId::photograph ? "photo" : column.name();
}

LaidOutPage layOut(FigurePage page, const render::Device& device, const std::stop_token& cancel) {
    const auto drawing = std::make_shared<Drawing>(std::move(page), device, cancel);
    return {drawing->size(), [drawing](QPainter& painter) { drawing->paint(painter); },
            [drawing](double angle) { drawing->turnTo(angle); }};
}

}  // namespace threefold::ui
