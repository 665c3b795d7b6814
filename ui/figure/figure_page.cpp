#include "ui/figure/figure_page.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
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
#include "ui/document/photograph_paint.h"
#include "ui/document/value_range.h"
#include "ui/files/picture_labels.h"
#include "ui/panes/pane_cameras.h"
#include "ui/panes/scene_making.h"
#include "ui/style/image_conversion.h"
#include "ui/style/number_format.h"
#include "ui/style/window_words.h"

namespace threefold::ui {
namespace {

struct Figure {
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

// Units of 1/96 inch: 10 are 7.5 points.
constexpr int kFontSize = 10;
constexpr double kEdge = 4, kGap = 8, kRowGap = 10, kBelowName = 4;
constexpr double kLegend = 62, kScaleBar = 44, kNarrow = 400;
constexpr double kAround = 1.06;  // size of a cell for each of its content

// The same glyphs whatever the screen's settings are.
QFont fontOf(bool bold = false) {
    QFont font(QStringLiteral("sans-serif"));
    font.setPixelSize(kFontSize);
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(QFont::NoSubpixelAntialias);
    return font;
}

/// As the first result names its meshes.
QString headingOf(const std::vector<FigureRow>& rows, FigureColumn column) {
    if (!column) return Figure::tr("Photograph");
    const auto made = std::ranges::find_if(rows, [](auto& row) { return row.result != nullptr; });
    return meshTitle(made != rows.end() ? made->result->morph : publishedMorph(), *column);
}

bool has(const FigureRow& row, FigureColumn column) {
    return row.result && (!column || row.result->mesh(*column));
}

QStringList captionsOf(const Result& result, FigureColumn column) {
    if (!column || column == MeshId::truth || column == MeshId::hull) return {};
    const MeshEvaluation* mesh = evaluationOf(result, result.morph.of(*column));
    if (mesh == nullptr) return {};
    return {QStringLiteral("CD %1").arg(shortScientific(mesh->measures.chamfer)),
            QStringLiteral("F(τ) %1 %").arg(fixed(mesh->measures.atTau().f, 2))};
}

// The object turns to the left, as on a turntable.
render::OrbitCamera turned(render::OrbitCamera camera, double angle) {
    camera.yaw = static_cast<float>(std::remainder(camera.yaw + angle, glm::two_pi<double>()));
    return camera;
}

// What a row's cells show: parts of square pictures, each 2 × 2 around its middle, y down.
struct Content {
    std::vector<std::optional<render::Scene>> scenes = {};  // by column
    QImage photo = {};
    double reach = 0;  // object units from the pictures' middle to their side
    QRectF part = {};  // with all of the object

    void include(const render::SceneMesh& mesh, const render::OrbitCamera& camera) {
        constexpr double kPoint = 1e-6;
        const glm::mat4 toClip = camera.projectionMatrix(1.0F) * camera.viewMatrix();
        for (const glm::vec3& vertex : mesh.vertices) {
            const glm::dvec4 clip(toClip * glm::vec4(vertex, 1.0F));
            if (clip.w > 0) part |= QRectF(clip.x / clip.w, clip.y / clip.w, kPoint, kPoint);
        }
    }
    // All of it where the object is not known.
    void include(const ObjectView& view) {
        photo = toQImage(view.picture);
        const Mask mask = view.mask.value_or(Mask{1, 1, {1}});
        const double wide = 2.0 / mask.width, high = 2.0 / mask.height;
        for (int i = 0; const std::uint8_t inside : mask.inside) {
            const int x = i % mask.width, y = i / mask.width;
            if (inside != 0) part |= QRectF(x * wide - 1, y * high - 1, wide, high);
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
                figureColumns(), std::back_inserter(page_.columns), [&](FigureColumn column) {
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
        double most = 0;
        for (FigureRow& row : page_.rows) {
            const Content& content = contents_.emplace_back(tryToMake(row));
            // No cell is higher than wide.
            most = std::max({most, content.reach * content.part.width(),
                             content.reach * content.part.height()});
        }
        if (most > 0) scale_ = cell_ / most / kAround;
    }

    QSizeF size() { return {width_, std::ceil(pass(nullptr) * ratio_) / ratio_}; }

    void turnTo(double angle) { angle_ = angle; }

    void paint(QPainter& painter) {
        painter.setRenderHints(QPainter::SmoothPixmapTransform | QPainter::Antialiasing |
                               QPainter::LosslessImageRendering);
        if (!clear()) painter.fillRect(QRectF({}, size()), colours_.viewport);
        pass(&painter);
    }

  private:
    bool clear() const { return page_.background == FigureBackground::transparent; }
    // To whole pixels, so that pictures of cells are not resampled.
    double snapped(double units) const { return std::round(units * ratio_) / ratio_; }
    void checkCancelled() const {
        if (cancel_.stop_requested()) throw Cancelled();
    }

    void shareRange() {
        Look& look = page_.look;
        const QuantityInfo info = quantityInfo(look.quantity);
        if (!info.hasValues() || look.range == RangeMode::manual || look.keepRange) return;
        std::vector<SurfaceValues> kept;
        std::vector<const std::vector<float>*> lists;
        for (const FigureRow& row : page_.rows)
            for (const FigureColumn column : page_.columns)
                if (column && has(row, column))
                    kept.push_back(quantityValues(*row.result, *column, look.quantity));
        for (const SurfaceValues& values : kept)
            if (values.sizes) lists.push_back(values.sizes.get());
        const ValueRange range = fittedRange(lists, look, info);
        look.range = RangeMode::manual;
        look.lowest = range.lowest;
        look.highest = range.highest;
    }

    // A row that cannot be drawn says why.
    Content tryToMake(FigureRow& row) {
        checkCancelled();
        if (!row.result) return {};
        const Result& result = *row.result;
        row.name =
            Figure::tr("%1 · views %2").arg(itemName(*result.sample), numberList(result.views));
        try {
            return contentOf(row);
        } catch (const Error& error) {
            row = {nullptr, row.name, windowWords(error.what())};
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
        cameras.lookFrom(Camera::fromRow(from));
        const render::OrbitCamera& camera = cameras.camera(0);
        Content content;
        content.reach = static_cast<double>(camera.distance * std::tan(camera.fieldOfView / 2));
        for (const FigureColumn column : page_.columns) {
            content.scenes.emplace_back();
            if (!column)
                content.include(objectView(sample, view, readViewPhotograph(sample, view)));
            if (!column || !has(row, column)) continue;
            render::Scene& scene = content.scenes.back().emplace(sceneOf(row.result, *column));
            scene.panes[0].camera = camera;
            const render::Layer& layer = scene.panes[0].layers[0];
            content.include(*layer.mesh, camera);
            // As large as it is from wherever it will be seen.
            constexpr int kAllAround = 36;
            for (int i = 1; i < kAllAround && page_.turn > 0; ++i)
                content.include(*layer.mesh,
                                turned(camera, glm::two_pi<double>() * i / kAllAround));
            if (layer.colouring == render::Colouring::values && !legend_) {
                const QuantityInfo info = quantityInfo(page_.look.quantity);
                legend_ = {legendCaption(info), layer.colours, info};
            }
        }
        return content;
    }

    // The window's one pane with that mesh.
    render::Scene sceneOf(const ResultRef& result, MeshId id) const {
        Look look = page_.look;
        look.panes = {id};
        Document document;
        if (result->fit) document.setFitChoice(result->fit->asked);
        document.setLook(look);
        document.setResult(result);
        render::Scene scene = makeScene(document, colours_);
        if (clear()) scene.background.w = 0;
        scene.pixelRatio = static_cast<float>(ratio_ / 2);
        if (document.quantity() != Quantity::photographs) return scene;
        render::Layer& layer = scene.panes[0].layers[0];
        std::vector<std::string> unread;  // the run that used them has said so
        layer.texture = projectPhotographs(
            *layer.mesh, textureViews(*result->sample, photographsOf(*result), unread));
        if (layer.texture) layer.colouring = render::Colouring::texture;
        return scene;
    }

    // Goes through the page from the top, and paints where there is a painter. Its height.
    double pass(QPainter* painter) {
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
                const double content = contents_[i].reach * contents_[i].part.height();
                const double height = std::max(snapped(content * scale_ * kAround), line_);
                for (std::size_t c = 0; c < page_.columns.size() && painter != nullptr; ++c)
                    paintCell(*painter, cellAt(c, y, height), i, c);
                y += height + (row.result->evaluation ? 2 : 0) * line_;
            } else {
                const QRectF room = QFontMetricsF(fontOf()).boundingRect(
                    QRectF(kEdge, y, inner, 1e6), Qt::TextWordWrap, row.problem);
                write(painter, {kEdge, y, inner, room.height()}, Qt::TextWordWrap, row.problem);
                y += room.height();
            }
        }
        // Beside each other, or where that is too narrow one below the other.
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

    void write(QPainter* painter, const QRectF& place, int flags, QString text,
               bool bold = false) const {
        if (painter == nullptr || isOutside(*painter, place)) return;
        constexpr int kSmallest = 7;  // legible on paper
        for (QChar& each : text)      // XML has none of these
            if (each.category() == QChar::Other_Control || each.isNonCharacter()) each = u' ';
        QFont font = fontOf(bold);
        if ((flags & Qt::TextWordWrap) == 0) {
            while (font.pixelSize() > kSmallest &&
                   QFontMetricsF(font).horizontalAdvance(text) > place.width())
                font.setPixelSize(font.pixelSize() - 1);
            text = QFontMetricsF(font).elidedText(text, Qt::ElideRight, place.width());
        }
        painter->setFont(font);
        painter->setPen(colours_.text);
        painter->drawText(place, flags | Qt::AlignVCenter | Qt::TextDontClip, text);
    }

    /// Nothing of it, nor of what is near, is in the band that is painted.
    bool isOutside(const QPainter& painter, const QRectF& place) const {
        const QRectF near = place.adjusted(-line_, -line_, line_, line_);
        return painter.hasClipping() && !painter.clipBoundingRect().intersects(near);
    }

    void paintCell(QPainter& painter, const QRectF& place, std::size_t row, std::size_t column) {
        checkCancelled();
        const Content& content = contents_[row];
        const FigureColumn what = page_.columns[column];
        const QSize size = (place.size() * ratio_).toSize();
        // Where the whole picture lies around the cell, in pixels.
        const double side = std::round(2 * content.reach * scale_ * ratio_);
        const QPointF middle = (content.part.center() + QPointF(1, 1)) / 2 * side;
        const QRect whole(qRound(size.width() / 2.0 - middle.x()),
                          qRound(size.height() / 2.0 - middle.y()), qRound(side), qRound(side));
        if (!what) {
            drawRows(painter, place, size, [&](const QRect& part) {
                QImage cell(part.size(), QImage::Format_ARGB32_Premultiplied);
                if (cell.isNull()) throw std::bad_alloc();
                cell.fill(clear() ? QColor(Qt::transparent) : colours_.viewport);
                QPainter photograph(&cell);
                photograph.setRenderHint(QPainter::SmoothPixmapTransform);
                photograph.drawImage(whole.translated(-part.topLeft()), content.photo);
                return cell;
            });
        } else if (content.scenes[column]) {
            render::Scene scene = *content.scenes[column];
            scene.panes[0].camera = turned(scene.panes[0].camera, angle_);
            drawRows(painter, place, size, [&](const QRect& part) {
                return drawn(scene, whole.translated(-part.topLeft()), part.size());
            });
        } else {
            write(&painter, place, Qt::AlignHCenter,
                  what == MeshId::truth  ? Figure::tr("no truth")
                  : what == MeshId::hull ? Figure::tr("no hull")
                                         : Figure::tr("not fitted"));
        }
        QRectF below = place;
        below.setHeight(line_);
        below.moveTop(place.bottom());
        for (const QString& caption : captionsOf(*page_.rows[row].result, what)) {
            write(&painter, below, Qt::AlignHCenter, caption);
            below.translate(0, line_);
        }
    }

    /// Those of a cell's pictures' rows that the painter does not clip off; `make` gives a part.
    template <class Make>
    static void drawRows(QPainter& painter, const QRectF& place, QSize size, const Make& make) {
        constexpr double kMostPixels = 1 << 28;  // in memory at once
        const double pixels = static_cast<double>(size.width()) * size.height();
        if (!painter.hasClipping() && pixels > kMostPixels)
            throw InputError({"figure", "",
                              fmt::format("a cell has {} × {} pixels", size.width(), size.height()),
                              fmt::format("Choose {:.0f} % of the dots per inch, or of the width.",
                                          std::floor(100 * std::sqrt(kMostPixels / pixels)))});
        const double unit = place.height() / size.height();
        int top = 0, end = size.height();
        if (painter.hasClipping()) {
            const QRectF shown = painter.clipBoundingRect();
            top = std::max(top, static_cast<int>(std::floor((shown.top() - place.top()) / unit)));
            end = std::min(end, static_cast<int>(std::ceil((shown.bottom() - place.top()) / unit)));
        }
        // An SVG holds a picture as one attribute, of which browsers read 10 MB: 6 bytes a pixel.
        constexpr int kMostPixelsOfSvg = 1'600'000, kOverlap = 1;
        const bool svg = painter.paintEngine()->type() == QPaintEngine::SVG;
        const int step = svg ? std::max(1, kMostPixelsOfSvg / size.width()) : size.height();
        for (; top < end; top += step) {
            // No seam where a viewer smooths edges.
            const int rows = std::min(end - top, step + (svg ? kOverlap : 0));
            painter.drawImage(
                QRectF(place.left(), place.top() + top * unit, place.width(), rows * unit),
                make(QRect(0, top, size.width(), rows)));
        }
    }

    /// A picture of any size, in tiles that any device has the memory for.
    QImage drawn(render::Scene& scene, const QRect& whole, QSize size) {
        constexpr int kTile = 4096;
        const auto tile = [&](const QRect& part) {
            checkCancelled();
            scene.tile = render::Tile{part.x() - whole.x(), part.y() - whole.y(), whole.width(),
                                      whole.height()};
            return toQImage(target_.draw(scene, part.width(), part.height()));
        };
        if (std::max(size.width(), size.height()) <= kTile) return tile({{}, size});
        QImage all(size, QImage::Format_RGBA8888);
        if (all.isNull()) throw std::bad_alloc();
        QPainter painter(&all);
        painter.setCompositionMode(QPainter::CompositionMode_Source);
        for (int y = 0; y < size.height(); y += kTile)
            for (int x = 0; x < size.width(); x += kTile)
                painter.drawImage(x, y,
                                  tile(QRect(x, y, std::min(kTile, size.width() - x),
                                             std::min(kTile, size.height() - y))));
        return all;
    }

    FigurePage page_;
    render::OffscreenTarget target_;
    std::stop_token cancel_;
    const double ratio_ = page_.dpi / 96.0;  // pixels of a cell for each unit
    const double line_ = std::ceil(QFontMetricsF(fontOf()).height());
    ThemeColours colours_;
    double width_ = 0, cell_ = 0;
    double angle_ = 0;               // LaidOutPage::turnTo
    double scale_ = 0;               // units for each object unit; 0: nothing to show
    std::vector<Content> contents_;  // by row
    std::optional<PictureLabels::Legend> legend_;
};

}  // namespace

std::vector<FigureColumn> figureColumns() {
    std::vector<FigureColumn> columns{std::nullopt};
    columns.insert(columns.end(), std::begin(kOwnMeshes), std::end(kOwnMeshes));
    return columns;
}

std::string figureColumnWord(FigureColumn column) {
    return column ? column->name() : "photo";
}

LaidOutPage layOut(FigurePage page, const render::Device& device, const std::stop_token& cancel) {
    const auto drawing = std::make_shared<Drawing>(std::move(page), device, cancel);
    return {drawing->size(), [drawing](QPainter& painter) { drawing->paint(painter); },
            [drawing](double angle) { drawing->turnTo(angle); }};
}

}  // namespace threefold::ui
