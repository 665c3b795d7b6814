#include "ui/window/pane_room.h"

#include <algorithm>

#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>

namespace threefold::ui {
namespace {

constexpr int kRoom = 400;
constexpr int kLeast = 160;  // in a window too small for that

}  // namespace

PaneRoom::PaneRoom(QMainWindow& window, QWidget& panes, QWidget& below)
    : QObject(&window), window_(window), panes_(panes), below_(below) {
    window_.installEventFilter(this);
    panes_.setMinimumHeight(kLeast);
}

bool PaneRoom::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &window_ && event->type() == QEvent::ChildAdded) {
        // Docks come with the features, after this.
        for (QDockWidget* dock :
             window_.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
            dock->installEventFilter(this);
    }
    const bool dock =
        watched != &window_ && (event->type() == QEvent::Show || event->type() == QEvent::Hide);
    if (dock || (watched == &window_ && event->type() == QEvent::Resize))
        QMetaObject::invokeMethod(this, &PaneRoom::share, Qt::QueuedConnection);  // once laid out
    return QObject::eventFilter(watched, event);
}

void PaneRoom::share() {
    int docks = 0;  // the least they need
    int taken = 0;
    for (QDockWidget* dock :
         window_.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (!dock->isVisible() || dock->isFloating()) continue;
        docks = std::max(docks, dock->minimumSizeHint().height());
        taken = std::max(taken, dock->height());
    }
    const int below = below_.sizeHint().height();
    if (docks == 0) {
        below_.show();
        panes_.setMinimumHeight(kLeast);
        return;
    }
    // What stands above the panes and below the docks keeps its height.
    const QWidget& centre = *window_.centralWidget();
    const int others =
        centre.height() - panes_.height() - (below_.isVisible() ? below_.height() : 0);
    const int frame = window_.height() - centre.height() - taken;
    const int room = window_.height() - frame - others - docks;
    below_.setVisible(room - below >= kRoom);
    panes_.setMinimumHeight(std::clamp(room - (below_.isVisible() ? below : 0), kLeast, kRoom));
}

}  // namespace threefold::ui
