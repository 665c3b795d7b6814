#pragma once

#include "ui/panes/picking.h"
#include "ui/shell/window_parts.h"

class QAction;
class QKeySequence;
class QMenu;

namespace threefold::ui {

class CompareHover;

/// Adds all features that compare meshes: those declared below, CompareStages and CompareHover.
void addComparing(const WindowParts& parts);

/// Layouts of the panes: the segmented control in the tool bar, commands and keys, and the seam of
/// a wipe, which mouse and keys move. In an overlay the same keys change the opacity.
void addCompareLayouts(const WindowParts& parts, QMenu& menu);

/// While a key is held, or until the focus is lost, the two meshes swap panes, which makes
/// differences visible.
void addCompareBlink(const WindowParts& parts, QMenu& menu);

/// Goes through the vertices in which the shown quantity is locally worst, and marks them: of the
/// refined mesh, or else of the first one with values. The camera turns only if the vertex is
/// hidden.
void addCompareWorst(const WindowParts& parts, PickTrees& trees, QMenu& menu);

/// The distance between two vertices, of one mesh or of two: Shift and a click choose each, or a
/// key the one under the pointer or the marked one. A line of dots joins them; the status line
/// shows their distance.
void addCompareDistance(const WindowParts& parts, PickTrees& trees, CompareHover& hover,
                        QMenu& menu);

/// Looks at the meshes from where the chosen photos were taken: a command for each slot.
void addCompareViewpoints(const WindowParts& parts, QMenu& menu);

/// A command in `menu`, a submenu of the View menu.
QAction* addCompareCommand(const WindowParts& parts, QMenu& menu, const QString& text,
                           const QKeySequence& keys, const QString& tooltip);

}  // namespace threefold::ui
