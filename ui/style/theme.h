#pragma once

#include <glm/vec3.hpp>

#include <QApplication>
#include <QColor>
#include <QFont>
#include <QIcon>
#include <QPalette>
#include <QString>
#include <QWidget>

#include "engine/stage.h"

namespace threefold::ui {

enum class ThemeChoice { system, dark, light };
QString themeName(ThemeChoice choice);  ///< "system", "dark", "light": as kept in the settings
ThemeChoice themeFromName(const QString& name);  ///< system for anything unknown

/// The colours of one theme: greys, one accent, and colours for verdicts and hot spots.
struct ThemeColours {
    bool dark = true;
    QColor viewport;  ///< behind the meshes
    QColor panel;     ///< behind everything else
    QColor raised;    ///< fields and buttons
    QColor border;
    QColor text;
    QColor muted;  ///< second-rank text
    QColor accent;
    QColor accentText;  ///< on accent and on checked
    QColor checked;     ///< behind a button that is on
    QColor good;
    QColor bad;
    QColor warm;     ///< a warning
    QColor hot;      ///< the refined mesh and the times of its stages; the coarse one's is accent
    QColor surface;  ///< a mesh without values
    QColor banner;   ///< behind an error
};
ThemeColours themeColours(bool dark);

/// The colour of a stage's time: those of the coarse mesh share the accent's hue, those of the
/// refined one are warm.
QColor stageColour(Stage stage, const ThemeColours& colours);

/// For scenes: sRGB-encoded, 0…1.
inline glm::vec3 toVec(const QColor& colour) {
    return {colour.redF(), colour.greenF(), colour.blueF()};
}

/// How much one colour stands out from another, as WCAG 2 has it: 1 (equal) to 21 (black on white).
double contrast(const QColor& a, const QColor& b);

/// The theme of a palette, for widgets to paint with.
ThemeColours themeColours(const QPalette& palette);

/// Sets palette, style and style sheet. `systemPalette` is the one the application started with.
void applyTheme(QApplication& application, ThemeChoice choice, const QPalette& systemPalette);

/// `base` if its ten digits are equally wide, else the system's fixed font at the same size.
QFont numberFont(const QFont& base);

/// Sets the style sheet's property `rank`, such as "heading", "muted", "title".
void setRank(QWidget& widget, const char* rank);

/// A line icon of resources/icons by its file name without suffix, drawn in the given colours and
/// sharp at every pixel ratio. An unknown name gives a null icon.
QIcon icon(const QString& name, const QColor& colour, const QColor& disabled);

/// The program's icon, in its own colours.
QIcon applicationIcon();

}  // namespace threefold::ui
