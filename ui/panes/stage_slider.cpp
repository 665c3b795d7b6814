#include "ui/panes/stage_slider.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr int kMargin = 56;  // room for half a label beyond the outer dots
constexpr int kLineY = 14;   // distance of the line from the top
constexpr double kDotRadius = 4;
constexpr double kHandleRadius = 6;
constexpr int kHitRadius = 10;  // of a dot or the handle for clicks, logical pixels

}  // namespace

StageSlider::StageSlider(QWidget* parent) : QAbstractSlider(parent) {
    setOrientation(Qt::Horizontal);
    setSingleStep(kStep / 20);
    setPageStep(kStep);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Stages"));
    animation_.setEasingCurve(QEasingCurve::InOutSine);
    connect(&animation_, &QVariantAnimation::valueChanged, this,
            [this](const QVariant& value) { setValue(value.toInt()); });
    connect(&animation_, &QAbstractAnimation::stateChanged, this,
            [this](QAbstractAnimation::State state) {
                Q_EMIT playingChanged(state == QAbstractAnimation::Running);
            });
    setStops(std::vector<SliderStop>(2));
}

void StageSlider::setStops(std::vector<SliderStop> stops, bool jumps) {
    stops_ = std::move(stops);
    jumps_ = jumps;
    QString tip =
        tr("Stages of the reconstruction, from the template to the result. Drag, click a stage, "
           "or press Home, End, Page Up and Page Down.");
    if (jumps)
        tip += '\n' + tr("The fitted mesh has different vertices, so %1 does not morph into it.")
                          .arg(stops_[stops_.size() - 2].label);
    setToolTip(tip);
    const bool known =
        std::ranges::any_of(stops_, [](const SliderStop& stop) { return stop.vertices > 0; });
    if (!known) stop();
    setEnabled(known);
    shownStops_ = static_cast<int>(stops_.size()) - (stops_.back().vertices > 0 ? 0 : 1);
    setRange(0, last());
    updateAccessibleDescription();
    update();
}

QString StageSlider::shortLabel(int stage) const {
    return stops_.at(static_cast<std::size_t>(stage)).label;
}

QString StageSlider::label(int stage) const {
    const SliderStop& stop = stops_.at(static_cast<std::size_t>(stage));
    return stop.showsVertices && stop.vertices > 0
               ? tr("%1 · %2").arg(stop.label, groupedCount(stop.vertices))
               : stop.label;
}

double StageSlider::xOf(int value) const {
    return kMargin + static_cast<double>(width() - 2 * kMargin) * value / std::max(1, last());
}

QPoint StageSlider::dotCentre(int stage) const {
    return {qRound(xOf(stage * kStep)), kLineY};
}

int StageSlider::valueAtX(double x) const {
    const double length = std::max(1, width() - 2 * kMargin);
    return std::clamp(static_cast<int>(std::lround((x - kMargin) / length * last())), 0, last());
}

int StageSlider::stageAt(QPoint position) const {
    for (int stage = 0; stage < shownStops_; ++stage) {
        const QPoint offset = position - dotCentre(stage);
        const bool onDot = std::abs(offset.x()) <= kHitRadius && std::abs(offset.y()) <= kHitRadius;
        const int half = fontMetrics().horizontalAdvance(label(stage)) / 2;
        const bool onLabel = offset.y() > kHitRadius && std::abs(offset.x()) <= half;
        if (onDot || onLabel) return stage;
    }
    return -1;
}

void StageSlider::animate(int from, int to, int milliseconds) {
    animation_.stop();
    setValue(from);
    if (from == to || !isEnabled()) return;
    animation_.setStartValue(from);
    animation_.setEndValue(to);
    animation_.setDuration(milliseconds);
    animation_.start();
}

void StageSlider::play() {
    constexpr int kPlayMilliseconds = 2500;
    animate(0, last(), kPlayMilliseconds);
}

void StageSlider::goTo(int stage) {
    constexpr int kMinMilliseconds = 200;
    constexpr int kMillisecondsPerStage = 150;
    const int to = std::clamp(stage, 0, shownStops_ - 1) * kStep;
    animate(value(), to, kMinMilliseconds + kMillisecondsPerStage * std::abs(to - value()) / kStep);
}

QSize StageSlider::sizeHint() const {
    return {640, kLineY + static_cast<int>(kHandleRadius) + 4 + fontMetrics().height() + 4};
}

StageSlider::LabelRoom StageSlider::labelRoom() const {
    const double spacing = (xOf(last()) - xOf(0)) / (shownStops_ - 1);
    const auto fit = [&](auto text) {
        int maxWidth = 0;
        for (int i = 0; i < shownStops_; ++i)
            maxWidth = std::max(maxWidth, fontMetrics().horizontalAdvance(text(i)));
        return maxWidth + 12 < spacing;
    };
    if (fit([this](int i) { return label(i); })) return LabelRoom::full;
    return fit([this](int i) { return shortLabel(i); }) ? LabelRoom::brief : LabelRoom::ends;
}

// Paints the line, accented from its left end to the handle.
void StageSlider::paintLine(QPainter& painter, const ThemeColours& colours) const {
    const QPointF begin(xOf(0), kLineY);
    painter.setPen(QPen(colours.border, 2));
    painter.drawLine(begin, QPointF(xOf(last()), kLineY));
    painter.setPen(QPen(isEnabled() ? colours.accent : colours.border, 2));
    painter.drawLine(begin, QPointF(xOf(value()), kLineY));
}

void StageSlider::paintStops(QPainter& painter, const ThemeColours& colours) const {
    const LabelRoom room = labelRoom();
    const int current = (value() + kStep / 2) / kStep;
    for (int stage = 0; stage < shownStops_; ++stage) {
        const QPointF dot(xOf(stage * kStep), kLineY);
        const bool passed = isEnabled() && stage * kStep <= value();
        painter.setPen(Qt::NoPen);
        painter.setBrush(passed ? colours.accent : colours.muted);
        painter.drawEllipse(dot, kDotRadius, kDotRadius);
        const bool atEnd = stage == 0 || stage == shownStops_ - 1;
        const bool hasRoom = stage == current || (atEnd && std::abs(current - stage) > 1);
        if (room == LabelRoom::ends && !hasRoom) continue;
        painter.setPen(isEnabled() && stage == current ? colours.text : colours.muted);
        const QString text = room == LabelRoom::full ? label(stage) : shortLabel(stage);
        const double textWidth = fontMetrics().horizontalAdvance(text) + 2;
        const double left =
            std::clamp(dot.x() - textWidth / 2, 0.0, std::max(0.0, width() - textWidth));
        painter.drawText(
            QRectF(left, kLineY + kHandleRadius + 4, textWidth, fontMetrics().height()),
            Qt::AlignCenter, text);
    }
}

void StageSlider::paintHandle(QPainter& painter, const ThemeColours& colours) const {
    const QPointF handle(xOf(value()), kLineY);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.accent);
    painter.drawEllipse(handle, kHandleRadius, kHandleRadius);
    if (!hasFocus()) return;
    painter.setPen(QPen(colours.text, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(handle, kHandleRadius + 3, kHandleRadius + 3);
}

void StageSlider::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintLine(painter, colours);
    paintStops(painter, colours);
    if (isEnabled()) paintHandle(painter, colours);
}

void StageSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    stop();
    const QPoint position = event->position().toPoint();
    pressed_ = position;
    const bool onHandle = std::abs(position.x() - xOf(value())) <= kHitRadius;
    dragging_ = onHandle;
    if (stageAt(position) >= 0 || onHandle) return;
    dragging_ = true;
    setValue(valueAtX(position.x()));
}

void StageSlider::mouseMoveEvent(QMouseEvent* event) {
    if (!event->buttons().testFlag(Qt::LeftButton)) return;
    const QPoint position = event->position().toPoint();
    if (pressed_ && (position - *pressed_).manhattanLength() >= QApplication::startDragDistance()) {
        dragging_ = true;
        pressed_.reset();
    }
    if (dragging_ && !pressed_) setValue(valueAtX(position.x()));
}

void StageSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const int stage = pressed_ ? stageAt(*pressed_) : -1;
    dragging_ = false;
    if (stage >= 0) goTo(stage);
}

void StageSlider::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space) return isPlaying() ? stop() : play();
    stop();
    // Page Down goes to the previous stage, Page Up to the next stage, also from between two
    // stages.
    if (event->key() == Qt::Key_PageDown) return goTo((value() + kStep - 1) / kStep - 1);
    if (event->key() == Qt::Key_PageUp) return goTo(value() / kStep + 1);
    QAbstractSlider::keyPressEvent(event);
}

void StageSlider::wheelEvent(QWheelEvent* event) {
    stop();
    QAbstractSlider::wheelEvent(event);
}

void StageSlider::sliderChange(SliderChange change) {
    QAbstractSlider::sliderChange(change);
    if (change == SliderValueChange) updateAccessibleDescription();
    update();
}

void StageSlider::updateAccessibleDescription() {
    const bool morphs = !jumps_ || value() < last() - kStep;
    const int stage = morphs ? value() / kStep : (value() + kStep / 2) / kStep;
    const int past = morphs ? value() % kStep : 0;
    setAccessibleDescription(
        past == 0 ? label(stage)
                  : tr("%1 %, from %2 to %3")
                        .arg(past * 100 / kStep)
                        .arg(label(stage), label(std::min(stage + 1, shownStops_ - 1))));
}

}  // namespace threefold::ui
