#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace threefold::ui {

/// A line icon of resources/icons by its file name without suffix, drawn in the given colours and
/// sharp at every pixel ratio. An unknown name gives a null icon.
QIcon icon(const QString& name, const QColor& colour, const QColor& disabled);

/// The program's icon, in its own colours.
QIcon applicationIcon();

}  // namespace threefold::ui
