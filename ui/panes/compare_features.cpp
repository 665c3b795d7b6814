#include "ui/panes/compare_features.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

#include "ui/panes/compare_hover.h"
#include "ui/panes/compare_stages.h"
#include "ui/shell/actions.h"
#include "ui/shell/shell.h"

namespace threefold::ui {

void addComparing(const WindowParts& parts) {
    QMenu& menu = parts.actions.menu(MenuName::panes);
    addCompareLayouts(parts, menu);
    addCompareBlink(parts, menu);
    new CompareStages(parts);
    menu.addSeparator();
    auto* trees = new PickTrees(parts.document, &parts.window);
    auto* hover = new CompareHover(parts, *trees);
    addCompareWorst(parts, *trees, menu);
    addCompareDistance(parts, *trees, *hover, menu);
    addCompareViewpoints(parts, parts.actions.menu(MenuName::camera));
}

QAction* addCompareCommand(const WindowParts& parts, QMenu& menu, const QString& text,
                           const QKeySequence& keys, const QString& tooltip) {
    QAction* action = parts.actions.add(MenuName::view, text, keys, tooltip);
    parts.actions.menu(MenuName::view).removeAction(action);
    menu.addAction(action);
    return action;
}

}  // namespace threefold::ui
