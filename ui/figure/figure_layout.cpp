#include "ui/figure/figure_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QStringList>

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

/// Heading of a column, with the mesh names of the first result.
QString headingOf(const std::vector<FigureRow>& rows, MeshId column) {
    if (column == MeshId::photograph) return Figure::tr("Photograph");
    const auto match = std::ranges::find_if(rows, [](auto& row) { return row.result != nullptr; });
    return meshTitle(match != rows.end() ? match->result->morph : publishedMorph(), column);
}

QStringList captionsOf(const Result& result, MeshId column) {
    const std::optional<std::size_t> stage = result.morph.stageIndex(column);
    const MeshEvaluation* mesh = stage ? evaluationOf(result, *stage) : nullptr;
    if (mesh == nullptr) return {};
    return {QStringLiteral("CD %1").arg(shortScientific(mesh->measures.chamfer)),
            QStringLiteral("F(τ) %1 %").arg(fixedText(mesh->measures.atTau().fScore, 2))};
}

/// Lays out one page.
class LayoutMaker {
  public:
    explicit LayoutMaker(const FigureContent& content) : content_(content) {
        const FigurePage& page = content.page;
        width_ = std::round(page.widthMillimetres / kMillimetresPerInch * page.dpi) / ratio_;
        const auto columns = static_cast<double>(page.columns.size());
        cellWidth_ = snapped((width_ - 2 * kEdge - (columns - 1) * kGap) / columns);
        // Scale for which no cell is higher than wide.
        double maxExtent = 0;
        for (const FigureRowContent& row : content.rows)
            maxExtent = std::max(
                {maxExtent, row.halfSide * row.region.width(), row.halfSide * row.region.height()});
        if (maxExtent > 0) layout_.scale = cellWidth_ / maxExtent / kFigureCellMargin;
    }

    FigureLayout make() {
        double y = kEdge;
        const FigurePage& page = content_.page;
        for (std::size_t i = 0; i < page.columns.size(); ++i)
            add(FigureText{cellAt(i, y, line_), Qt::AlignHCenter,
                           headingOf(page.rows, page.columns[i]), true});
        y += line_;
        for (std::size_t i = 0; i < content_.rows.size(); ++i) y = addRow(i, y);
        layout_.size = {width_, std::ceil(addLegends(y) * ratio_) / ratio_};
        return std::move(layout_);
    }

  private:
    // Snaps to whole pixels, so that the pictures of cells are not resampled.
    double snapped(double units) const { return std::round(units * ratio_) / ratio_; }
    QRectF cellAt(std::size_t column, double y, double height) const {
        return {snapped(kEdge + static_cast<double>(column) * (cellWidth_ + kGap)), y, cellWidth_,
                height};
    }
    template <class Item>
    void add(Item item) {
        layout_.items.emplace_back(std::move(item));
    }

    // Adds a row below `y`; returns the row's lower end.
    double addRow(std::size_t index, double y) {
        const FigureRow& row = content_.page.rows[index];
        const double inner = width_ - 2 * kEdge;
        add(FigureLine{QRectF(kEdge, y + kRowGap / 2, inner, 0.5)});
        y += kRowGap;
        add(FigureText{{kEdge, y, inner, line_}, Qt::AlignLeft, row.name, true});
        y = snapped(y + line_ + kBelowName);
        if (!row.result) {
            const QRectF bounds =
                QFontMetricsF(figureFont())
                    .boundingRect(QRectF(kEdge, y, inner, 1e6), Qt::TextWordWrap, row.problem);
            add(FigureText{{kEdge, y, inner, bounds.height()}, Qt::TextWordWrap, row.problem});
            return y + bounds.height();
        }
        const FigureRowContent& content = content_.rows[index];
        const double extent = content.halfSide * content.region.height();
        const double height = std::max(snapped(extent * layout_.scale * kFigureCellMargin), line_);
        for (std::size_t column = 0; column < content_.page.columns.size(); ++column)
            addCell(cellAt(column, y, height), index, column);
        return y + height + (row.result->evaluation() ? 2 : 0) * line_;
    }

    void addCell(const QRectF& rect, std::size_t row, std::size_t column) {
        const MeshId id = content_.page.columns[column];
        if (id == MeshId::photograph || content_.rows[row].scenes[column])
            add(FigureCell{rect, row, column});
        else
            add(FigureText{rect, Qt::AlignHCenter,
                           id == MeshId::truth  ? Figure::tr("no truth")
                           : id == MeshId::hull ? Figure::tr("no hull")
                                                : Figure::tr("not fitted")});
        QRectF below = rect;
        below.setHeight(line_);
        below.moveTop(rect.bottom());
        for (const QString& caption : captionsOf(*content_.page.rows[row].result, id)) {
            add(FigureText{below, Qt::AlignHCenter, caption});
            below.translate(0, line_);
        }
    }

    // Adds legend and scale bar beside each other, or one below the other on a narrow page; returns
    // their lower end.
    double addLegends(double y) {
        const bool hasLegend = content_.legend.has_value();
        const bool narrow = hasLegend && width_ < kNarrow;
        const double split = narrow ? 0 : 0.64 * width_;
        if (hasLegend) layout_.legend = QRectF(0, y, narrow ? width_ : split, kLegend);
        if (narrow) y += kLegend - kRowGap;
        if (layout_.scale > 0) layout_.scaleBar = QRectF(split, y, width_ - split, kScaleBar);
        return y + (hasLegend && !narrow ? kLegend : kScaleBar);
    }

    const FigureContent& content_;
    const double ratio_ = content_.pixelsPerUnit();
    const double line_ = figureLineHeight();
    double width_ = 0;
    double cellWidth_ = 0;
    FigureLayout layout_;
};

}  // namespace

QFont figureFont(bool bold) {
    QFont font(QStringLiteral("sans-serif"));
    font.setPixelSize(kFontSize);
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(QFont::NoSubpixelAntialias);
    return font;
}

double figureLineHeight() {
    return std::ceil(QFontMetricsF(figureFont()).height());
}

FigureLayout layOutFigure(const FigureContent& content) {
    return LayoutMaker(content).make();
}

}  // namespace threefold::ui
