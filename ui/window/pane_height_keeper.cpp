#include "ui/window/pane_height_keeper.h"

#include <algorithm>

#include <QEvent>

namespace threefold::ui {
namespace {

constexpr int kPaneHeight = 400;
constexpr int kMinPaneHeight = 160;  // in a window too small for kPaneHeight

}  // namespace

PaneHeightKeeper::PaneHeightKeeper(QMainWindow& window, QWidget& panes, QWidget& below)
    : QObject(&window), window_(window), panes_(panes), below_(below) {
    window_.installEventFilter(this);
    panes_.installEventFilter(this);
    panes_.setMinimumHeight(kMinPaneHeight);
}

bool PaneHeightKeeper::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &window_ && event->type() == QEvent::ChildAdded) {
        // Features add docks after this object is created.
        for (QDockWidget* dock : docks()) dock->installEventFilter(this);
    }
    const bool isDock = watched != &window_ && watched != &panes_;
    if (event->type() == QEvent::Resize
            ? !isDock
            : isDock && (event->type() == QEvent::Show || event->type() == QEvent::Hide))
        QMetaObject::invokeMethod(this, &PaneHeightKeeper::limitDocks,
                                  Qt::QueuedConnection);  // once the window is laid out
    return QObject::eventFilter(watched, event);
}

QList<QDockWidget*> PaneHeightKeeper::docks() const {
    return window_.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
}

void PaneHeightKeeper::limitDocks() {
    QList<QDockWidget*> open = docks();
    for (QDockWidget* dock : open) dock->setMaximumHeight(QWIDGETSIZE_MAX);
    open.removeIf([](QDockWidget* dock) { return !dock->isVisible() || dock->isFloating(); });
    int dockMinimum = 0;  // minimum height of the docks
    int dockHeight = 0;
    for (const QDockWidget* dock : open) {
        dockMinimum = std::max(dockMinimum, dock->minimumSizeHint().height());
        dockHeight = std::max(dockHeight, dock->height());
    }
    // Widgets above the panes and below the docks keep their height.
    const QWidget& centre = *window_.centralWidget();
    const int fixedHeight =
        centre.height() - panes_.height() - (below_.isVisible() ? below_.height() : 0);
    const int available = centre.height() + dockHeight - fixedHeight;
    const int below = below_.sizeHint().height();
    below_.setVisible(open.empty() || available - dockMinimum - below >= kPaneHeight);
    const int dockMaximum = available - kPaneHeight - (below_.isVisible() ? below : 0);
    for (QDockWidget* dock : open) dock->setMaximumHeight(std::max(dockMinimum, dockMaximum));
}

}  // namespace threefold::ui
