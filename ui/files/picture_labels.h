#pragma once

#include <optional>
#include <vector>

#include <QFont>
#include <QSize>
#include <QString>
#include <QStringList>

#include "render/scene.h"
#include "ui/document/document.h"
#include "ui/panes/compare_arrangement.h"
#include "ui/results/quantities.h"
#include "ui/style/theme.h"

class QPainter;

namespace threefold::ui {

/// Labels on a picture of the panes: titles, a scale bar for each pane, the legend.
struct PictureLabels {
    struct Legend {
        QString caption;
        render::ValueColours colours;
        QuantityInfo info;
    };
    QStringList titles;           ///< one for each pane
    std::vector<Legend> legends;  ///< none, one for all panes, or one for each of the first panes
    std::optional<MeasuredDistance> distance = {};  ///< written at its line in every pane
    ThemeColours colours;
    QFont font;  ///< in logical pixels
};

QString legendCaption(const QuantityInfo& info);  ///< "Distance to truth (object units)"

/// Labels for what the document shows. For the window's thread.
PictureLabels labelsOf(const Document& document, const ThemeColours& colours, const QFont& font);

/// The length of a scale bar: 1, 2 or 5 times a power of ten, at most `most`. Above 0.
double scaleBarLength(double most);

/// Paints them on a picture of the scene of that size, in device pixels. Thread-safe.
void paintLabels(QPainter& painter, QSize pixels, const render::Scene& scene,
                 const PictureLabels& labels);

/// Single labels in any rectangle, fonts and sizes in the painter's units: a legend at its bottom,
/// and top right a scale bar for so many object units a unit. Thread-safe.
void paintLegend(QPainter& painter, const QRectF& room, const PictureLabels::Legend& legend,
                 const ThemeColours& colours, const QFont& font);
void paintScaleBar(QPainter& painter, const QRectF& room, double perPixel,
                   const ThemeColours& colours, const QFont& font);

}  // namespace threefold::ui
