#include "ui/inspect/value_range_handle.h"

#include <utility>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr double kStep = 0.01;
constexpr double kLargeStep = 0.1;

}  // namespace

ValueRangeHandle::ValueRangeHandle(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::SizeHorCursor);
}

void ValueRangeHandle::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lively = hasFocus() || dragging_ || underMouse();
    const QColor colour = hasFocus() || dragging_ ? colours.accent : colours.text;
    const qreal middle = width() / 2.0;
    painter.setPen(QPen(colour, lively ? 2 : 1));
    painter.drawLine(QPointF(middle, 10), QPointF(middle, height()));
    painter.setPen(QPen(colours.viewport, 1));
    painter.setBrush(colour);
    painter.drawRoundedRect(QRectF(middle - 4, 0.5, 8, 11), 2.5, 2.5);
}

void ValueRangeHandle::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    dragging_ = true;
    grabbed_ = event->position().x() - width() / 2.0;
    update();
}

void ValueRangeHandle::mouseMoveEvent(QMouseEvent* event) {
    if (dragging_) Q_EMIT draggedTo(mapToParent(event->position()).x() - grabbed_);
}

void ValueRangeHandle::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !dragging_) return;
    dragging_ = false;
    update();
    Q_EMIT released();
}

void ValueRangeHandle::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    dragging_ = false;
    Q_EMIT resetWanted();
}

void ValueRangeHandle::keyPressEvent(QKeyEvent* event) {
    const double step = event->modifiers() & Qt::ShiftModifier ? kLargeStep : kStep;
    const std::pair<int, double> steps[] = {
        {Qt::Key_Left, -step}, {Qt::Key_Down, -step},           {Qt::Key_Right, step},
        {Qt::Key_Up, step},    {Qt::Key_PageDown, -kLargeStep}, {Qt::Key_PageUp, kLargeStep}};
    const int key = event->key();
    for (const auto& [each, share] : steps) {
        if (each == key) return stepped(share);
    }
    if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
        Q_EMIT resetWanted();
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        Q_EMIT typingWanted();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void ValueRangeHandle::enterEvent(QEnterEvent* event) {
    QWidget::enterEvent(event);
    update();
}

void ValueRangeHandle::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    update();
}

}  // namespace threefold::ui
