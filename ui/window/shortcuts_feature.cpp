#include "ui/window/shortcuts_feature.h"

#include <QAction>

#include "ui/shell/actions.h"
#include "ui/shell/shell.h"
#include "ui/window/shortcuts_sheet.h"

namespace threefold::ui {

ShortcutsFeature::ShortcutsFeature(const WindowParts& parts) : QObject(&parts.window) {
    auto* sheet = new ShortcutsSheet(parts.window);
    QAction* show = parts.actions.add(MenuName::help, tr("&Keys and mouse"), Qt::Key_F1,
                                      tr("List what every key does"));
    connect(show, &QAction::triggered, sheet, &ShortcutsSheet::toggle);
}

}  // namespace threefold::ui
