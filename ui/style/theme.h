#pragma once

#include <glm/vec3.hpp>

#include <QApplication>
#include <QColor>
#include <QFont>
#include <QIcon>
#include <QPalette>
#include <QString>
#include <QWidget>

#include "engine/model/run_step.h"

namespace threefold::ui {

enum class ThemeChoice { system, dark, light };
QString themeName(ThemeChoice choice);  ///< name in the settings: "system", "dark", "light"
ThemeChoice themeFromName(const QString& name);  ///< system for unknown names

enum class Theme { dark, light };

/// Colours of a theme: greys, an accent, and colours for verdicts and warnings.
struct ThemeColours {
    bool dark = true;
    QColor viewport;  ///< behind the meshes
    QColor panel;     ///< behind everything else
    QColor raised;    ///< fields and buttons
    QColor border;
    QColor text;
    QColor muted;  ///< secondary text
    QColor accent;
    QColor accentText;  ///< text on `accent` and `checked`
    QColor checked;     ///< behind a checked button
    QColor good;
    QColor bad;
    QColor warning;
    QColor resultAccent;  ///< the network's result and its steps; the first mesh has `accent`
    QColor surface;       ///< meshes without values
    QColor banner;        ///< behind an error message
};
ThemeColours themeColours(Theme theme);

/// Colour of a run step's bar: grey for loading, the accent's hue for CNNs and graph blocks, the
/// result's hue for hypothesis blocks, mixtures for the other steps.
QColor stepColour(RunStep step, const ThemeColours& colours);

/// Converts a colour for render scenes: sRGB-encoded, 0…1.
inline glm::vec3 toVec(const QColor& colour) {
    return {colour.redF(), colour.greenF(), colour.blueF()};
}

/// Contrast ratio of two colours by WCAG 2: 1 (equal) to 21 (black on white).
double contrast(const QColor& a, const QColor& b);

/// Opacity of numbers and of meshes that a newer input replaces.
inline constexpr double kStaleNumbersOpacity = 0.35;
inline constexpr float kStaleMeshOpacity = 0.3F;

/// Colours of the palette's theme (dark or light), for widgets to paint with.
ThemeColours themeColours(const QPalette& palette);

/// Sets palette, style and style sheet. `systemPalette`: the system's palette, which
/// ThemeChoice::system follows.
void applyTheme(QApplication& application, ThemeChoice choice, const QPalette& systemPalette);

/// Font for numbers: `base` if its digits are equally wide, else the system's fixed font in the
/// size of `base`.
QFont numberFont(const QFont& base);

/// Sets the property `role` that the style sheet selects by, such as "heading", "muted", "title".
void setTextRole(QWidget& widget, const char* role);

/// Line icon of resources/icons in the given colours, sharp at every pixel ratio. `name`: file name
/// without suffix; a null icon if unknown.
QIcon icon(const QString& name, const QColor& colour, const QColor& disabled);

/// The program's icon, in its own colours.
QIcon applicationIcon();

}  // namespace threefold::ui
