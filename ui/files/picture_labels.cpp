#include "ui/files/picture_labels.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>

#include <glm/mat4x4.hpp>

#include "render/pane_view.h"
#include "ui/document/shown_document.h"
#include "ui/document/value_range.h"
#include "ui/inspect/legend_bar.h"
#include "ui/panes/header_text.h"
#include "ui/panes/make_scene.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

// Logical pixels.
constexpr qreal kMargin = 14, kBarHeight = 10, kTick = 4, kMaxLegendWidth = 360;

class LabelPainter {
  public:
    LabelPainter(QPainter& painter, const ThemeColours& colours, const QFont& font, float ratio,
                 bool opaque)
        : painter_(painter),
          colours_(colours),
          ratio_(static_cast<qreal>(ratio)),
          opaque_(opaque),
          font_(font) {
        const qreal size = font_.pixelSize() > 0 ? font_.pixelSize() : 13;
        font_.setPixelSize(std::max(1, qRound(size * ratio_)));
        painter_.setRenderHint(QPainter::Antialiasing);
        painter_.setFont(font_);
    }

    void title(const QRectF& pane, const QString& text) {
        QFont bold = font_;
        bold.setBold(true);
        painter_.setFont(bold);
        const QFontMetricsF metrics(bold, painter_.device());
        const qreal width = 0.6 * pane.width() - 2 * px(kMargin);
        write({pane.left() + px(kMargin), pane.top() + px(kMargin), width, metrics.height()},
              Qt::AlignLeft, metrics.elidedText(text, Qt::ElideRight, width));
        painter_.setFont(font_);
    }

    // Scale bar at the depth of the orbit centre.
    void scale(const QRectF& pane, const render::OrbitCamera& camera) {
        const double height =
            2 * static_cast<double>(camera.distance) * std::tan(camera.fieldOfView / 2);
        scale(pane, height / pane.height());
    }

    void scale(const QRectF& pane, double objectUnitsPerUnit) {
        const double length = scaleBarLength(0.25 * pane.width() * objectUnitsPerUnit);
        const qreal width = length / objectUnitsPerUnit;
        const QFontMetricsF metrics(font_, painter_.device());
        const qreal right = pane.right() - px(kMargin), top = pane.top() + px(kMargin);
        const qreal y = top + metrics.height() + px(2 * kTick);
        const QRectF above(pane.left(), top, right - pane.left(), metrics.height());
        write(above, Qt::AlignRight, QObject::tr("%1 object units").arg(shortNumber(length)));
        painter_.setPen(QPen(colours_.text, px(1.5)));
        painter_.drawLine(QPointF(right - width, y), QPointF(right, y));
        for (const qreal x : {right - width, right})
            painter_.drawLine(QPointF(x, y - px(kTick)), QPointF(x, y + px(kTick)));
    }

    void distance(const QRectF& pane, const render::OrbitCamera& camera,
                  const MeasuredDistance& distance) {
        const auto aspect = static_cast<float>(pane.width() / pane.height());
        const glm::vec4 clip = camera.projectionMatrix(aspect) * camera.viewMatrix() *
                               glm::vec4((distance.from + distance.to) * 0.5F, 1.0F);
        if (!(clip.w > 0)) return;
        const QPointF centre(
            pane.left() + pane.width() * (0.5 + 0.5 * static_cast<double>(clip.x / clip.w)),
            pane.top() + pane.height() * (0.5 + 0.5 * static_cast<double>(clip.y / clip.w)));
        const qreal left = centre.x() + px(kMargin);
        const qreal line = QFontMetricsF(font_, painter_.device()).height();
        write({left, centre.y(), pane.right() - left, line}, Qt::AlignLeft, distance.text);
    }

    void legend(const QRectF& pane, const PictureLabels::Legend& legend) {
        const QFontMetricsF metrics(font_, painter_.device());
        const qreal line = metrics.height();
        const qreal width = std::min(px(kMaxLegendWidth), pane.width() - 4 * px(kMargin));
        if (width <= 0) return;
        const qreal below = px(kTick) + 2 * line;
        const QRectF bar(pane.center().x() - width / 2,
                         pane.bottom() - px(kMargin) - below - px(kBarHeight), width,
                         px(kBarHeight));
        if (opaque_)
            painter_.fillRect(bar.adjusted(-px(kMargin), -px(6), px(kMargin), below + px(6)),
                              colours_.viewport);
        colourBar(bar, legend, line);
        write({bar.left(), bar.bottom() + px(kTick) + line, bar.width(), line}, Qt::AlignHCenter,
              metrics.elidedText(legend.caption, Qt::ElideRight, bar.width()));
    }

  private:
    qreal px(qreal logical) const { return logical * ratio_; }

    void write(const QRectF& rect, Qt::Alignment side, const QString& text) {
        painter_.setPen(colours_.text);
        painter_.drawText(rect, static_cast<int>(side | Qt::AlignVCenter), text);
    }

    void colourBar(const QRectF& bar, const PictureLabels::Legend& legend, qreal line) {
        painter_.fillRect(bar, gradientOf(legend.colours.map, bar.left(), bar.right()));
        const render::ColourScale& range = legend.colours;
        const auto tick = [&](double value, const QString& text) {
            const qreal x = bar.left() + bar.width() * static_cast<double>(scalePosition(
                                                           static_cast<float>(value), range));
            painter_.setPen(QPen(colours_.text, px(1)));
            painter_.drawLine(QPointF(x, bar.bottom()), QPointF(x, bar.bottom() + px(kTick)));
            const qreal width = QFontMetricsF(font_, painter_.device()).horizontalAdvance(text);
            const qreal left = std::clamp(x - width / 2, bar.left(), bar.right() - width);
            write({left, bar.bottom() + px(kTick), width + px(1), line}, Qt::AlignLeft, text);
        };
        const int maxTicks = std::clamp(static_cast<int>(bar.width() / px(72)), 2, 5);
        if (range.scale == render::ValueScale::logarithmic) {
            for (const double value : logarithmicTicks(range.min, range.max, maxTicks))
                tick(value, shortNumber(value));
            return;
        }
        const Ticks ticks = niceTicks(range.min, range.max, maxTicks);
        for (const double value : ticks.values) tick(value, fixedText(value, ticks.decimals));
    }

    QPainter& painter_;
    const ThemeColours& colours_;
    qreal ratio_;
    bool opaque_;
    QFont font_;
};

}  // namespace

QString legendCaption(const QuantityInfo& info) {
    return info.unit.isEmpty() ? info.name : QStringLiteral("%1 (%2)").arg(info.name, info.unit);
}

PictureLabels labelsOf(const ShownDocument& shown, const ThemeColours& colours, const QFont& font) {
    const Document& document = shown.document;
    const Look& look = document.look.current();
    PictureLabels labels{.titles = {},
                         .legend = {},
                         .paneLegends = {},
                         .distance = measuredDistance(document),
                         .colours = chosenColours(look, colours),
                         .font = font};
    const QuantityInfo info = shownQuantityInfo(document);
    const bool perPane = look.hasPaneRanges();
    const QString caption = legendCaption(info);
    for (const ArrangedPane& pane : arrangePanes(document)) {
        QStringList titles;
        std::optional<PictureLabels::Legend> legend;
        for (const ArrangedMesh& mesh : pane.meshes) {
            titles << headerText(shown, mesh.id).title;
            if (!legend && surfaceValues(shown, mesh.id).values)
                legend = {caption, colourScaleOf(shown, mesh.id)};
        }
        labels.titles << titles.join(QStringLiteral(" | "));
        if (perPane)
            labels.paneLegends.push_back(legend);
        else if (!labels.legend)
            labels.legend = legend;
    }
    return labels;
}

double scaleBarLength(double maxLength) {
    const double power = std::pow(10.0, std::floor(std::log10(maxLength)));
    for (const double step : {5.0, 2.0})
        if (step * power <= maxLength) return step * power;
    return power;
}

void paintLabels(QPainter& painter, QSize pixels, const render::Scene& scene,
                 const PictureLabels& labels) {
    LabelPainter label(painter, labels.colours, labels.font, scene.pixelRatio,
                       scene.background.w > 0);
    const auto panes = render::paneRects(pixels.width(), pixels.height(),
                                         static_cast<int>(scene.panes.size()), scene.pixelRatio);
    const auto rectOf = [&](std::size_t i) {
        return QRectF(panes[i].x, panes[i].y, panes[i].width, panes[i].height);
    };
    for (std::size_t i = 0; i < panes.size(); ++i) {
        if (panes[i].width <= 0 || scene.panes[i].layers.empty()) continue;
        const auto index = static_cast<qsizetype>(i);
        if (index < labels.titles.size()) label.title(rectOf(i), labels.titles[index]);
        label.scale(rectOf(i), scene.panes[i].camera);
        if (labels.distance) label.distance(rectOf(i), scene.panes[i].camera, *labels.distance);
    }
    if (labels.legend) label.legend(QRectF(QPointF(0, 0), QSizeF(pixels)), *labels.legend);
    for (std::size_t i = 0; i < std::min(labels.paneLegends.size(), panes.size()); ++i)
        if (labels.paneLegends[i]) label.legend(rectOf(i), *labels.paneLegends[i]);
}

void paintLegend(QPainter& painter, const QRectF& rect, const PictureLabels::Legend& legend,
                 const ThemeColours& colours, const QFont& font) {
    LabelPainter(painter, colours, font, 1, false).legend(rect, legend);
}

void paintScaleBar(QPainter& painter, const QRectF& rect, double objectUnitsPerUnit,
                   const ThemeColours& colours, const QFont& font) {
    LabelPainter(painter, colours, font, 1, false).scale(rect, objectUnitsPerUnit);
}

}  // namespace threefold::ui
