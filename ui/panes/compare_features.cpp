#include "ui/panes/compare_features.h"

#include <QCoreApplication>
#include <QMenu>

#include "ui/panes/compare_blink.h"
#include "ui/panes/compare_hover.h"
#include "ui/panes/compare_layouts.h"
#include "ui/panes/compare_viewpoints.h"
#include "ui/panes/compare_way.h"
#include "ui/panes/compare_worst.h"
#include "ui/shell/actions.h"
#include "ui/shell/shell.h"

namespace threefold::ui {

void addComparing(const WindowParts& parts) {
    QMenu& view = parts.actions.menu(MenuName::view);
    view.addSeparator();
    QMenu& menu = *view.addMenu(QCoreApplication::translate("Comparing", "&Compare"));
    new CompareLayouts(parts, menu);
    new CompareBlink(parts, menu);
    new CompareWay(parts);
    menu.addSeparator();
    auto* trees = new PickTrees(parts.document, &parts.window);
    new CompareHover(parts, *trees);
    new CompareWorst(parts, *trees, menu);
    new CompareViewpoints(
        parts, *view.addMenu(QCoreApplication::translate("Comparing", "Ph&oto viewpoints")));
}

}  // namespace threefold::ui
