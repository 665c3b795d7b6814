#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include <QFont>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include "ui/figure/figure_content.h"

namespace threefold::ui {

/// Text of a figure; a single line is shrunk, then elided, to fit.
struct FigureText {
    QRectF rect;
    int flags = 0;  ///< Qt::Alignment, or Qt::TextWordWrap
    QString text;
    bool bold = false;
};
/// Cell with a picture; row and column are indices in FigureContent.
struct FigureCell {
    QRectF rect;
    std::size_t row = 0;
    std::size_t column = 0;
};
/// Line between two rows.
struct FigureLine {
    QRectF rect;
};

/// Positions of a figure's items, in units of 1/96 inch.
struct FigureLayout {
    QSizeF size;       ///< of the page
    double scale = 0;  ///< units per object unit; 0: nothing to show
    std::vector<std::variant<FigureText, FigureCell, FigureLine>> items = {};  ///< from the top
    std::optional<QRectF> legend = {};
    std::optional<QRectF> scaleBar = {};
};

inline constexpr double kFigureCellMargin = 1.06;  ///< ratio of a cell to its content

/// Lays a page out from top to bottom. Needs a QGuiApplication for fonts.
FigureLayout layOutFigure(const FigureContent& content);

/// Font whose glyphs do not depend on the screen's settings.
QFont figureFont(bool bold = false);
/// Height of a line of text.
double figureLineHeight();

}  // namespace threefold::ui
