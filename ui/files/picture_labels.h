#pragma once

#include <optional>
#include <vector>

#include <QFont>
#include <QSize>
#include <QString>
#include <QStringList>

#include "render/scene.h"
#include "ui/document/shown_document.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/results/quantities.h"
#include "ui/style/theme.h"

class QPainter;

namespace threefold::ui {

/// Labels on a picture of the panes: titles, a scale bar for each pane, the legend.
struct PictureLabels {
    struct Legend {
        QString caption;
        render::ColourScale colours;
    };
    QStringList titles;            ///< one for each pane
    std::optional<Legend> legend;  ///< for all panes together
    /// One for each pane if panes have ranges of their own; none: the pane has no values.
    std::vector<std::optional<Legend>> paneLegends;
    std::optional<MeasuredDistance> distance = {};  ///< written at its line in every pane
    ThemeColours colours;
    QFont font;  ///< in logical pixels
};

QString legendCaption(const QuantityInfo& info);  ///< "Distance to truth (object units)"

/// Labels for the document's panes. GUI thread only.
PictureLabels labelsOf(const ShownDocument& shown, const ThemeColours& colours, const QFont& font);

/// Length of a scale bar: 1, 2 or 5 times a power of ten, above 0 and at most `maxLength`.
double scaleBarLength(double maxLength);

/// Paints labels on a picture of the scene with the size `pixels`, in device pixels. Thread-safe.
void paintLabels(QPainter& painter, QSize pixels, const render::Scene& scene,
                 const PictureLabels& labels);

/// Paints a legend at the bottom of a rectangle. Fonts and sizes in the painter's units.
/// Thread-safe.
void paintLegend(QPainter& painter, const QRectF& rect, const PictureLabels::Legend& legend,
                 const ThemeColours& colours, const QFont& font);
/// Paints a scale bar at the top right of a rectangle. Fonts and sizes in the painter's units.
/// `objectUnitsPerUnit`: object units per unit of the painter. Thread-safe.
void paintScaleBar(QPainter& painter, const QRectF& rect, double objectUnitsPerUnit,
                   const ThemeColours& colours, const QFont& font);

}  // namespace threefold::ui
