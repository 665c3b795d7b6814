#include "ui/window/person_watch.h"

#include <QApplication>
#include <QEvent>
#include <QWindow>

#include "ui/panes/viewport.h"
#include "ui/shell/shell.h"

namespace threefold::ui {

PersonWatch::PersonWatch(const WindowParts& parts, QObject* parent)
    : QObject(parent), window_(parts.window), viewport_(parts.viewport) {
    qApp->installEventFilter(this);
}

bool PersonWatch::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseButtonRelease:
        case QEvent::KeyPress:
        case QEvent::Wheel:
        case QEvent::Drop:
            // Each event reaches one of these two windows once, then perhaps many widgets. What
            // follows must not change the layout while the event is under way.
            if (watched == &viewport_ || watched == window_.windowHandle())
                QMetaObject::invokeMethod(this, &PersonWatch::acted, Qt::QueuedConnection);
            break;
        default:
            break;
    }
    return false;
}

}  // namespace threefold::ui
