#include "ui/input/camera_ring.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/document/input_state.h"

namespace threefold::ui {
namespace {

constexpr double kHandleRadius = 8;  // of a numbered camera, logical pixels
constexpr double kDotRadius = 3;
constexpr double kHitRadius = 14;  // logical pixels

void drawCircle(QPainter& painter, QPointF centre, double radius, const QPen& pen,
                const QBrush& brush = Qt::NoBrush) {
    painter.setPen(pen);
    painter.setBrush(brush);
    painter.drawEllipse(centre, radius, radius);
}

}  // namespace

CameraRing::CameraRing(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Cameras seen from above"));
}

void CameraRing::setCameras(const std::vector<CameraRow>& cameras, const ViewSelection& selection) {
    cameras_ = cameras;
    selection_ = selection;
    const int count = static_cast<int>(cameras_.size());
    if (current_ >= count) current_ = -1;
    if (hovered_ >= count) hovered_ = -1;
    if (pressedView_ >= count) {
        pressedView_ = -1;
        endDrag();
    }
    setAccessibleDescription(current_ >= 0 ? describe(current_) : QString());
    update();
}

QPointF CameraRing::positionOf(int view) const {
    const CameraRow& camera = cameras_.at(static_cast<std::size_t>(view));
    const auto lower = [](const CameraRow& a, const CameraRow& b) {
        return a.elevation < b.elevation;
    };
    const double lowest = std::min_element(cameras_.begin(), cameras_.end(), lower)->elevation;
    constexpr double kZenith = 90;
    const double fraction =
        lowest < kZenith ? (kZenith - camera.elevation) / (kZenith - lowest) : 0;
    const double radius =
        std::clamp(fraction, 0.0, 1.0) * (std::min(width(), height()) / 2.0 - kHandleRadius - 4);
    const double azimuth = camera.azimuth * std::numbers::pi / 180;
    return QRectF(rect()).center() + radius * QPointF(std::cos(azimuth), std::sin(azimuth));
}

int CameraRing::viewAt(QPointF position) const {
    int nearest = -1;
    double minDistance = kHitRadius;
    for (int view = 0; view < static_cast<int>(cameras_.size()); ++view) {
        const QPointF offset = positionOf(view) - position;
        double distance = std::hypot(offset.x(), offset.y());
        // A camera in a slot is easier to hit, since it is drawn larger and on top.
        if (selection_.slotOf(view)) distance -= kHandleRadius - kDotRadius;
        if (distance >= minDistance) continue;
        minDistance = distance;
        nearest = view;
    }
    return nearest;
}

QString CameraRing::describe(int view) const {
    const CameraRow& camera = cameras_.at(static_cast<std::size_t>(view));
    const std::optional<std::size_t> slot = selection_.slotOf(view);
    const QString name = slot == 0U ? tr("View %1, in slot 1, the reference").arg(view)
                         : slot     ? tr("View %1, in slot %2").arg(view).arg(*slot + 1)
                                    : tr("View %1").arg(view);
    return tr("%1 · azimuth %2°, elevation %3°, distance %4")
        .arg(name)
        .arg(camera.azimuth, 0, 'f', 0)
        .arg(camera.elevation, 0, 'f', 0)
        .arg(camera.distance, 0, 'f', 2);
}

void CameraRing::setCurrent(int view) {
    current_ = view;
    setAccessibleDescription(view >= 0 ? describe(view) : QString());
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    update();
}

void CameraRing::setHovered(int view) {
    if (view == hovered_) return;
    hovered_ = view;
    update();
}

bool CameraRing::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Keeps the digits from the window, where they are shortcuts of the standard views.
        const auto& key = static_cast<QKeyEvent&>(*event);
        const bool digit = key.key() >= Qt::Key_1 && key.key() <= Qt::Key_8;
        if (digit && !(key.modifiers() & ~Qt::KeypadModifier)) event->accept();
    }
    if (event->type() == QEvent::ToolTip) {
        const auto& help = static_cast<QHelpEvent&>(*event);
        const int view = viewAt(help.pos());
        const QString text =
            view < 0 ? tr("All cameras, seen from above. The numbers are those of the slots.")
            : selection_.slotOf(view)
                ? tr("%1\nClick: select its slot · drag: along the ring to another camera")
                      .arg(describe(view))
                : tr("%1\nClick or Enter: into the selected slot · a digit: into that slot")
                      .arg(describe(view));
        QToolTip::showText(help.globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

void CameraRing::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    pressedView_ = viewAt(event->position());
    if (pressedView_ >= 0) pressed_ = event->position();
}

void CameraRing::mouseMoveEvent(QMouseEvent* event) {
    setHovered(viewAt(event->position()));
    if (!pressed_ || !event->buttons().testFlag(Qt::LeftButton)) return;
    if (!dragging_) {
        const std::optional<std::size_t> slot = selection_.slotOf(pressedView_);
        const QPointF moved = event->position() - *pressed_;
        if (!slot || moved.manhattanLength() < QApplication::startDragDistance()) return;
        dragging_ = true;
        Q_EMIT dragBegan(*slot);
    }
    drag(event->position());
}

void CameraRing::drag(QPointF position) {
    const auto slot = selection_.selectedSlot();
    if (slot >= selection_.views().size()) return;
    const int current = selection_.views()[slot];
    // Takes the nearest free camera, so that a dragged camera passes over the cameras of other
    // slots.
    int nearest = current;
    double minDistance = -1;
    for (int view = 0; view < static_cast<int>(cameras_.size()); ++view) {
        if (view != current && selection_.slotOf(view)) continue;
        const QPointF offset = positionOf(view) - position;
        const double distance = std::hypot(offset.x(), offset.y());
        if (minDistance >= 0 && distance >= minDistance) continue;
        minDistance = distance;
        nearest = view;
    }
    if (nearest != current) Q_EMIT draggedTo(nearest);
}

void CameraRing::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const int view = pressedView_;
    const bool dragged = dragging_;
    endDrag();
    if (dragged || view < 0 || viewAt(event->position()) != view) return;
    setCurrent(view);
    if (const std::optional<std::size_t> slot = selection_.slotOf(view))
        Q_EMIT slotChosen(*slot);
    else
        Q_EMIT viewChosen(view);
}

void CameraRing::endDrag() {
    pressed_.reset();
    pressedView_ = -1;
    if (std::exchange(dragging_, false)) Q_EMIT dragEnded();
}

void CameraRing::focusInEvent(QFocusEvent* event) {
    if (current_ < 0 && !selection_.views().empty())
        setCurrent(selection_.views()[selection_.selectedSlot()]);
    QWidget::focusInEvent(event);
}

int CameraRing::neighbourOnRing(int view, int step) const {
    std::vector<int> order(cameras_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    const auto wrappedAzimuth = [this](int camera) {
        return wrappedDegrees(cameras_[static_cast<std::size_t>(camera)].azimuth);
    };
    std::ranges::stable_sort(order, {}, wrappedAzimuth);
    const auto count = static_cast<int>(order.size());
    const auto index = static_cast<int>(std::ranges::find(order, view) - order.begin());
    return order[static_cast<std::size_t>((index + step + count) % count)];
}

void CameraRing::keyPressEvent(QKeyEvent* event) {
    if (cameras_.empty() || (event->modifiers() & ~Qt::KeypadModifier))
        return QWidget::keyPressEvent(event);
    const int current = std::max(current_, 0);
    const auto reach = [this](int view) {
        setCurrent(view);
        Q_EMIT viewFocused(view);
    };
    switch (event->key()) {
        case Qt::Key_Right:
        case Qt::Key_Down:
            return reach(neighbourOnRing(current, 1));
        case Qt::Key_Left:
        case Qt::Key_Up:
            return reach(neighbourOnRing(current, -1));
        case Qt::Key_Home:
            return reach(0);
        case Qt::Key_End:
            return reach(static_cast<int>(cameras_.size()) - 1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            setCurrent(current);
            Q_EMIT viewChosen(current);
            return;
        default:
            break;
    }
    if (event->key() < Qt::Key_1 || event->key() > Qt::Key_8) return QWidget::keyPressEvent(event);
    Q_EMIT viewAssigned(static_cast<std::size_t>(event->key() - Qt::Key_1), current);
}

void CameraRing::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintCard(painter, colours);
    paintFreeViews(painter, colours);
    paintSlots(painter, colours);
    paintLabel(painter, colours);
}

void CameraRing::paintCard(QPainter& painter, const ThemeColours& colours) const {
    const QRectF card = QRectF(rect()).adjusted(2, 2, -2, -2);
    painter.setPen(QPen(colours.border, 1));
    painter.setBrush(colours.raised);
    painter.drawRoundedRect(card, 6, 6);
    if (hasFocus()) {
        painter.setPen(QPen(colours.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(card, 6, 6);
    }
    drawCircle(painter, QRectF(rect()).center(),
               std::min(width(), height()) / 2.0 - kHandleRadius - 4, QPen(colours.border, 1));
}

void CameraRing::paintFreeViews(QPainter& painter, const ThemeColours& colours) const {
    const std::vector<int>& views = selection_.views();
    const int count = static_cast<int>(cameras_.size());
    QColor rayColour = colours.accent;
    rayColour.setAlphaF(0.5F);
    for (const int view : views) {
        if (view >= count) continue;
        painter.setPen(QPen(rayColour, view == views.front() ? 2 : 1));
        painter.drawLine(QRectF(rect()).center(), positionOf(view));
    }
    for (int view = 0; view < count; ++view) {
        if (selection_.slotOf(view)) continue;
        const bool hovered = view == hovered_;
        drawCircle(painter, positionOf(view), hovered ? kDotRadius + 2 : kDotRadius, Qt::NoPen,
                   hovered ? colours.accent : colours.muted);
    }
}

void CameraRing::paintSlots(QPainter& painter, const ThemeColours& colours) const {
    const std::vector<int>& views = selection_.views();
    QFont font = numberFont(this->font());
    font.setBold(true);
    painter.setFont(font);
    // Draws the last slot first, so that the reference is on top.
    for (std::size_t slot = views.size(); slot-- > 0;) {
        if (views[slot] >= static_cast<int>(cameras_.size())) continue;
        const QPointF position = positionOf(views[slot]);
        drawCircle(painter, position, kHandleRadius,
                   slot == selection_.selectedSlot() ? QPen(colours.text, 2) : QPen(Qt::NoPen),
                   colours.accent);
        if (slot == 0) drawCircle(painter, position, kHandleRadius + 3, QPen(colours.accent, 1.5));
        painter.setPen(colours.accentText);
        painter.drawText(QRectF(position.x() - kHandleRadius, position.y() - kHandleRadius,
                                2 * kHandleRadius, 2 * kHandleRadius),
                         Qt::AlignCenter, QString::number(slot + 1));
    }
    if (hasFocus() && current_ >= 0)
        drawCircle(painter, positionOf(current_), kHandleRadius + 2, QPen(colours.text, 1.5));
}

void CameraRing::paintLabel(QPainter& painter, const ThemeColours& colours) const {
    const int labelled = hovered_ >= 0 ? hovered_ : hasFocus() ? current_ : -1;
    if (labelled < 0) return;
    const QString text = tr("view %1").arg(labelled);
    painter.setFont(numberFont(font()));
    QRectF box = painter.fontMetrics().boundingRect(text);
    box.setSize(box.size() + QSizeF(8, 2));
    box.moveCenter(QRectF(rect()).center());
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.raised);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(colours.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

}  // namespace threefold::ui
