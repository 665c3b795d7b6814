#include "ui/window/window_reset.h"

#include <QAction>
#include <QCoreApplication>
#include <QSettings>

#include "ui/document/document.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

namespace threefold::ui {
namespace {

QString text(const char* source) {
    return QCoreApplication::translate("WindowReset", source);
}

}  // namespace

void addWindowReset(const WindowParts& parts) {
    QAction* reset =
        parts.actions.add(MenuName::view, text("Reset the windo&w"), {},
                          text("Panels, docks, look and theme as they came; what is open stays"));
    QObject::connect(reset, &QAction::triggered, &parts.window, [parts] {
        parts.settings.remove(QStringLiteral("hints"));
        parts.document.setLook(Look{});
        parts.window.setTheme(ThemeChoice::system);
        parts.window.resetLayout();
        parts.status.say(text("The window is as it came"));
    });
}

}  // namespace threefold::ui
