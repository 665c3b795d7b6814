#include "ui/style/bounded_scroll.h"

#include <algorithm>
#include <utility>

#include <QEvent>
#include <QScrollBar>

namespace threefold::ui {

BoundedScroll::BoundedScroll(QWidget* content, Qt::Orientation orientation,
                             std::function<int()> maxSize, QWidget* parent)
    : QScrollArea(parent), orientation_(orientation), maxSize_(std::move(maxSize)) {
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    const bool vertical = orientation == Qt::Vertical;
    if (vertical)
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    else
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    content->installEventFilter(this);
}

QSize BoundedScroll::bounded(QSize full) const {
    if (orientation_ == Qt::Vertical) return {full.width(), std::min(full.height(), maxSize_())};
    const bool scrolls = full.width() > maxSize_();
    return {std::min(full.width(), maxSize_()),
            full.height() + (scrolls ? horizontalScrollBar()->sizeHint().height() : 0)};
}

QSize BoundedScroll::minimumSizeHint() const {
    const QSize min = bounded(widget()->minimumSizeHint());
    return {min.width(), sizeHint().height()};
}

bool BoundedScroll::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

}  // namespace threefold::ui
