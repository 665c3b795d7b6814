#include "ui/window/theme_follower.h"

#include <utility>

#include <QApplication>
#include <QEvent>

#include "ui/shell/shell.h"

namespace threefold::ui {

QPalette systemPalette() {
    // Without one of its own the application has the system's.
    QApplication::setPalette(QPalette());
    return QApplication::palette();
}

ThemeFollower::ThemeFollower(const WindowParts& parts, std::function<QPalette()> readPalette)
    : QObject(&parts.window), window_(parts.window), readPalette_(std::move(readPalette)) {
    parts.window.installEventFilter(this);
}

bool ThemeFollower::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ThemeChange) window_.followSystem(readPalette_());
    return QObject::eventFilter(watched, event);
}

}  // namespace threefold::ui
