#include "ui/window/focus_return.h"

#include <QGuiApplication>
#include <QWidget>
#include <QWindow>

#include "ui/panes/viewport.h"
#include "ui/window/main_window.h"

namespace threefold::ui {

FocusReturn::FocusReturn(const WindowParts& parts)
    : QObject(&parts.window), window_(parts.window), viewport_(parts.viewport) {
    connect(qGuiApp, &QGuiApplication::focusWindowChanged, this, &FocusReturn::follow);
}

void FocusReturn::follow(const QWindow* now) {
    if (now == nullptr) return;  // on its way, or with another program
    if (now == &viewport_) {
        owed_ = false;
    } else if (now == window_.windowHandle()) {
        if (owed_) viewport_.requestActivate();
    } else {
        const QWidget* widget = window_.focusWidget();
        owed_ = widget == nullptr || widget->objectName() == QLatin1String(kPanesName);
    }
}

}  // namespace threefold::ui
