#include "ui/window/theme_follower.h"

#include <QApplication>
#include <QEvent>

namespace threefold::ui {

QPalette systemPalette() {
    // An application without a palette of its own uses the system's.
    QApplication::setPalette(QPalette());
    return QApplication::palette();
}

ThemeFollower::ThemeFollower(const WindowParts& parts)
    : QObject(&parts.window), window_(parts.window) {
    parts.window.installEventFilter(this);
}

bool ThemeFollower::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ThemeChange) window_.followSystem(readPalette_());
    return QObject::eventFilter(watched, event);
}

}  // namespace threefold::ui
