#pragma once

#include "ui/panes/picking.h"
#include "ui/shell/window_parts.h"

class QAction;
class QKeySequence;
class QMenu;

namespace threefold::ui {

class CompareHover;

/// Adds everything that compares meshes: what is declared below, CompareStages and CompareHover.
void addComparing(const WindowParts& parts);

/// Layouts of the panes: the segmented control in the tool bar, commands and keys, and the seam of
/// a wipe, which mouse and keys move. In an overlay the same keys change the opacity.
void addCompareLayouts(const WindowParts& parts, QMenu& menu);

/// While a key is held, or until the focus goes, the two meshes change places in their panes, so
/// that the eye sees what differs.
void addCompareBlink(const WindowParts& parts, QMenu& menu);

/// Goes through the vertices in which the shown quantity is locally worst, and marks them: of the
/// refined mesh, or else of the first one with values. The camera turns only where the vertex would
/// not be seen.
void addCompareWorst(const WindowParts& parts, PickTrees& trees, QMenu& menu);

/// The distance between two vertices, of one mesh or of two: Shift and a click take each, or a key
/// the one under the pointer or the marked one. A line of dots joins them; the status line says how
/// far they are apart.
void addCompareDistance(const WindowParts& parts, PickTrees& trees, CompareHover& hover,
                        QMenu& menu);

/// Looks at the meshes from where the chosen photos were taken: a command for each slot.
void addCompareViewpoints(const WindowParts& parts, QMenu& menu);

/// A command of the View menu that stands in its submenu `menu`.
QAction* addCompareCommand(const WindowParts& parts, QMenu& menu, const QString& text,
                           const QKeySequence& keys, const QString& tooltip);

}  // namespace threefold::ui
