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

constexpr int kMargin = 56;  // half a label beyond the outer dots
constexpr int kLine = 14;    // its middle, from the top
constexpr double kDot = 4;
constexpr double kHandle = 6;
constexpr int kReach = 10;  // largest distance of a click from a dot, logical pixels

}  // namespace

StageSlider::StageSlider(QWidget* parent) : QAbstractSlider(parent) {
    setOrientation(Qt::Horizontal);
    setSingleStep(kStep / 20);
    setPageStep(kStep);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Stages"));
    run_.setEasingCurve(QEasingCurve::InOutSine);
    connect(&run_, &QVariantAnimation::valueChanged, this,
            [this](const QVariant& value) { setValue(value.toInt()); });
    connect(&run_, &QAbstractAnimation::stateChanged, this,
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
        tip += '\n' + tr("The fitted mesh has vertices of its own, from the photographs' hull: "
                         "none moves there from %1.")
                          .arg(stops_[stops_.size() - 2].label);
    setToolTip(tip);
    const bool any =
        std::ranges::any_of(stops_, [](const SliderStop& each) { return each.vertices > 0; });
    if (!any) stop();
    setEnabled(any);
    stages_ = static_cast<int>(stops_.size()) - (stops_.back().vertices > 0 ? 0 : 1);
    setRange(0, last());
    describe();
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

QPoint StageSlider::place(int stage) const {
    return {qRound(xOf(stage * kStep)), kLine};
}

int StageSlider::valueAt(double x) const {
    const double free = std::max(1, width() - 2 * kMargin);
    return std::clamp(static_cast<int>(std::lround((x - kMargin) / free * last())), 0, last());
}

int StageSlider::stageAt(QPoint position) const {
    for (int stage = 0; stage < stages_; ++stage) {
        const QPoint off = position - place(stage);
        const bool onDot = std::abs(off.x()) <= kReach && std::abs(off.y()) <= kReach;
        const int half = fontMetrics().horizontalAdvance(label(stage)) / 2;
        const bool onLabel = off.y() > kReach && std::abs(off.x()) <= half;
        if (onDot || onLabel) return stage;
    }
    return -1;
}

void StageSlider::run(int from, int to, int milliseconds) {
    run_.stop();
    setValue(from);
    if (from == to || !isEnabled()) return;
    run_.setStartValue(from);
    run_.setEndValue(to);
    run_.setDuration(milliseconds);
    run_.start();
}

void StageSlider::play() {
    constexpr int kWholeWay = 2500;
    run(0, last(), kWholeWay);
}

void StageSlider::goTo(int stage) {
    constexpr int kLeast = 200;
    constexpr int kEach = 150;
    const int to = std::clamp(stage, 0, stages_ - 1) * kStep;
    run(value(), to, kLeast + kEach * std::abs(to - value()) / kStep);
}

QSize StageSlider::sizeHint() const {
    return {640, kLine + static_cast<int>(kHandle) + 4 + fontMetrics().height() + 4};
}

void StageSlider::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF begin(xOf(0), kLine);
    const QPointF end(xOf(last()), kLine);
    const QPointF at(xOf(value()), kLine);
    // The line, and the part before the dot.
    painter.setPen(QPen(colours.border, 2));
    painter.drawLine(begin, end);
    const QColor accent = isEnabled() ? colours.accent : colours.border;
    painter.setPen(QPen(accent, 2));
    painter.drawLine(begin, at);

    const double spacing = (end.x() - begin.x()) / (stages_ - 1);
    const auto widest = [&](auto text) {
        int most = 0;
        for (int i = 0; i < stages_; ++i)
            most = std::max(most, fontMetrics().horizontalAdvance(text(i)));
        return most + 12;
    };
    const bool full = widest([this](int i) { return label(i); }) < spacing;
    const bool brief = full || widest([this](int i) { return shortLabel(i); }) < spacing;
    const int current = (value() + kStep / 2) / kStep;
    for (int stage = 0; stage < stages_; ++stage) {
        const QPointF dot(xOf(stage * kStep), kLine);
        const bool passed = isEnabled() && stage * kStep <= value();
        painter.setPen(Qt::NoPen);
        painter.setBrush(passed ? colours.accent : colours.muted);
        painter.drawEllipse(dot, kDot, kDot);
        // Without room for all labels, the ends and the present one.
        const bool atEnd = stage == 0 || stage == stages_ - 1;
        const bool clear = stage == current || (atEnd && std::abs(current - stage) > 1);
        if (!brief && !clear) continue;
        painter.setPen(isEnabled() && stage == current ? colours.text : colours.muted);
        const QString text = full ? label(stage) : shortLabel(stage);
        const double wide = fontMetrics().horizontalAdvance(text) + 2;
        const double left = std::clamp(dot.x() - wide / 2, 0.0, std::max(0.0, width() - wide));
        painter.drawText(QRectF(left, kLine + kHandle + 4, wide, fontMetrics().height()),
                         Qt::AlignCenter, text);
    }
    if (!isEnabled()) return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.accent);
    painter.drawEllipse(at, kHandle, kHandle);
    if (hasFocus()) {
        painter.setPen(QPen(colours.text, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at, kHandle + 3, kHandle + 3);
    }
}

void StageSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    stop();
    pressed_ = event->position().toPoint();
    const bool onHandle = std::abs(pressed_.x() - xOf(value())) <= kReach;
    dragging_ = onHandle;
    if (stageAt(pressed_) >= 0 || onHandle) return;
    dragging_ = true;
    setValue(valueAt(pressed_.x()));
}

void StageSlider::mouseMoveEvent(QMouseEvent* event) {
    if (!event->buttons().testFlag(Qt::LeftButton)) return;
    const QPoint position = event->position().toPoint();
    if ((position - pressed_).manhattanLength() >= QApplication::startDragDistance()) {
        dragging_ = true;
        pressed_ = QPoint(-1000, -1000);  // not a click any more
    }
    if (dragging_ && pressed_.x() < 0) setValue(valueAt(position.x()));
}

void StageSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const int stage = pressed_.x() >= 0 ? stageAt(pressed_) : -1;
    dragging_ = false;
    if (stage >= 0) goTo(stage);
}

void StageSlider::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space) return playing() ? stop() : play();
    stop();
    // To the stage before, or the one after: also from between two.
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
    if (change == SliderValueChange) describe();
    update();
}

void StageSlider::describe() {
    const bool between = !jumps_ || value() < last() - kStep;
    const int stage = between ? value() / kStep : (value() + kStep / 2) / kStep;
    const int beyond = between ? value() % kStep : 0;
    setAccessibleDescription(beyond == 0
                                 ? label(stage)
                                 : tr("%1 %, from %2 to %3")
                                       .arg(beyond * 100 / kStep)
                                       .arg(label(stage), label(std::min(stage + 1, stages_ - 1))));
}

}  // namespace threefold::ui
