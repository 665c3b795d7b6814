#include "ui/window/window_reset.h"

#include <QAction>
#include <QCoreApplication>
#include <QSettings>

#include "ui/document/document.h"
#include "ui/shell/actions.h"
#include "ui/shell/status_line.h"
#include "ui/window/main_window.h"

namespace threefold::ui {
namespace {

QString text(const char* source) {
    return QCoreApplication::translate("WindowReset", source);
}

}  // namespace

void addWindowReset(MainWindow& window, const WindowParts& parts) {
    QAction* reset =
        parts.actions.add(MenuName::view, text("Reset the windo&w"), {},
                          text("Panels, docks, look and theme as they came; what is open stays"));
    QObject::connect(reset, &QAction::triggered, &window, [&window, parts] {
        parts.settings.remove(QStringLiteral("hints"));
        parts.document.setLook(Look{});
        window.setTheme(ThemeChoice::system);
        window.resetLayout();
        parts.status.say(text("The window is as it came"));
    });
}

}  // namespace threefold::ui
