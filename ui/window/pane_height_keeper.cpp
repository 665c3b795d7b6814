#include "ui/window/pane_height_keeper.h"

#include <algorithm>
#include <utility>

#include <QMouseEvent>

namespace threefold::ui {
namespace {

constexpr int kPaneHeight = 400;
constexpr int kPaneHeightBesideFullDocks = 240;
constexpr int kMinPaneHeight = 160;  // in a small window, or where the user leaves no more

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
    if (watched == &window_) watchMouse(*event);
    const bool isDock = watched != &window_ && watched != &panes_;
    if (event->type() == QEvent::Resize
            ? !isDock
            : isDock && (event->type() == QEvent::Show || event->type() == QEvent::Hide)) {
        if (watched == &panes_ && pressed_) chosen_ = true;
        shareSoon();
    }
    return QObject::eventFilter(watched, event);
}

// Between the window's children, there is only the docks' border.
void PaneHeightKeeper::watchMouse(const QEvent& event) {
    if (event.type() == QEvent::MouseButtonPress) {
        const QPointF at = static_cast<const QMouseEvent&>(event).position();
        pressed_ = window_.childAt(at.toPoint()) == nullptr;
    }
    if (event.type() == QEvent::MouseButtonRelease && std::exchange(pressed_, false)) shareSoon();
}

// Shares the height once the window is laid out.
void PaneHeightKeeper::shareSoon() {
    QMetaObject::invokeMethod(this, &PaneHeightKeeper::shareHeight, Qt::QueuedConnection);
}

QList<QDockWidget*> PaneHeightKeeper::docks() const {
    return window_.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
}

void PaneHeightKeeper::shareHeight() {
    if (pressed_) return;  // the rows below appear or vanish once the drag has ended
    QList<QDockWidget*> open = docks();
    open.removeIf([](QDockWidget* dock) { return !dock->isVisible() || dock->isFloating(); });
    int minimum = 0, wanted = 0, current = 0;  // heights of the docks
    for (const QDockWidget* dock : open) {
        minimum = std::max(minimum, dock->minimumSizeHint().height());
        wanted = std::max(wanted, dock->sizeHint().height());
        current = std::max(current, dock->height());
    }
    // Widgets above the panes and below the docks keep their height.
    const QWidget& centre = *window_.centralWidget();
    const int fixedHeight =
        centre.height() - panes_.height() - (below_.isVisible() ? below_.height() : 0);
    const int available = centre.height() + current - fixedHeight;
    int height = current;
    if (!chosen_) {
        const bool full = available - wanted >= kPaneHeightBesideFullDocks;
        height = full ? wanted : std::max(minimum, std::min(wanted, available - kPaneHeight));
    }
    below_.setVisible(open.empty() ||
                      available - height - below_.sizeHint().height() >= kPaneHeight);
    if (chosen_ || open.empty()) return;
    window_.resizeDocks(open, QList<int>(open.size(), height), Qt::Vertical);
}

}  // namespace threefold::ui
