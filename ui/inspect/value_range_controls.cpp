#include "ui/inspect/value_range_controls.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QCoreApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QSignalBlocker>

#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

constexpr int kMaxWidth = 92;
constexpr int kMinWidth = 56;

QDoubleSpinBox* field(const QString& name, QWidget* parent) {
    auto* box = new QDoubleSpinBox(parent);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setKeyboardTracking(false);
    box->setLocale(QLocale::c());
    box->setRange(-1e6, 1e6);
    box->setMinimumWidth(kMinWidth);
    box->setMaximumWidth(kMaxWidth);
    box->setAlignment(Qt::AlignRight);
    box->setFont(numberFont(parent->font()));
    box->setAccessibleName(name);
    return box;
}

bool beginsNumber(const QKeyEvent& key) {
    const QString text = key.text();
    return !text.isEmpty() && QStringLiteral("0123456789.-").contains(text);
}

constexpr double kStep = 0.01;
constexpr double kLargeStep = 0.1;

}  // namespace

ValueRangeFields::ValueRangeFields(QWidget* parent)
    : QWidget(parent),
      low_(named(field(tr("Lowest value"), this), "low")),
      high_(named(field(tr("Highest value"), this), "high")) {
    setLayout(rowOf({low_, roleLabel("muted", this, tr("to")), high_, stretch()}));
    for (QDoubleSpinBox* box : {low_, high_}) {
        box->installEventFilter(this);
        connect(box, &QDoubleSpinBox::valueChanged, this, &ValueRangeFields::commit);
    }
}

void ValueRangeFields::setRange(ValueRange range, const QString& unit) {
    const double width = std::max(static_cast<double>(range.max - range.min), 1e-9);
    const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(width))), 0, 8);
    const std::pair<QDoubleSpinBox*, float> fields[] = {{low_, range.min}, {high_, range.max}};
    for (const auto& [box, value] : fields) {
        const QSignalBlocker blocker(box);
        box->setDecimals(decimals);
        box->setSingleStep(std::pow(10.0, 1 - decimals));
        box->setValue(static_cast<double>(value));
        box->setToolTip(unit.isEmpty() ? box->accessibleName()
                                       : box->accessibleName() + QStringLiteral(", ") + unit);
    }
}

void ValueRangeFields::focus(RangeEnd end) {
    QDoubleSpinBox* box = end == RangeEnd::low ? low_ : high_;
    box->setFocus(Qt::ShortcutFocusReason);
    box->selectAll();
}

void ValueRangeFields::commit() {
    const ValueRange range{static_cast<float>(low_->value()), static_cast<float>(high_->value())};
    if (range.min < range.max) Q_EMIT chosen(range);
}

bool ValueRangeFields::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Escape closes these fields instead of cancelling the run.
        if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) event->accept();
    }
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape) {
            Q_EMIT done();
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            qobject_cast<QDoubleSpinBox*>(watched)->interpretText();
            commit();
            Q_EMIT done();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

ValueRangeHandle::ValueRangeHandle(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::SizeHorCursor);
    setAttribute(Qt::WA_Hover);
}

void ValueRangeHandle::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool highlighted = hasFocus() || dragging_ || underMouse();
    const QColor colour = hasFocus() || dragging_ ? colours.accent : colours.text;
    const qreal centre = width() / 2.0;
    painter.setPen(QPen(colour, highlighted ? 2 : 1));
    painter.drawLine(QPointF(centre, 10), QPointF(centre, height()));
    painter.setPen(QPen(colours.viewport, 1));
    painter.setBrush(colour);
    painter.drawRoundedRect(QRectF(centre - 4, 0.5, 8, 11), 2.5, 2.5);
}

void ValueRangeHandle::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    dragging_ = true;
    grabbed_ = event->position().x() - width() / 2.0;
    update();
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
    Q_EMIT resetRequested();
}

void ValueRangeHandle::keyPressEvent(QKeyEvent* event) {
    const double step = event->modifiers() & Qt::ShiftModifier ? kLargeStep : kStep;
    const std::pair<int, double> steps[] = {
        {Qt::Key_Left, -step}, {Qt::Key_Down, -step},           {Qt::Key_Right, step},
        {Qt::Key_Up, step},    {Qt::Key_PageDown, -kLargeStep}, {Qt::Key_PageUp, kLargeStep}};
    const int key = event->key();
    for (const auto& [stepKey, fraction] : steps)
        if (stepKey == key) return stepped(fraction);
    if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
        Q_EMIT resetRequested();
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        Q_EMIT typingRequested();
    } else if (beginsNumber(*event)) {
        Q_EMIT typingRequested();
        QCoreApplication::postEvent(window()->focusWidget(), event->clone());
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool ValueRangeHandle::event(QEvent* event) {
    // Without this, digits would trigger the shortcuts of the standard views.
    if (event->type() == QEvent::ShortcutOverride && beginsNumber(static_cast<QKeyEvent&>(*event)))
        event->accept();
    return QWidget::event(event);
}

}  // namespace threefold::ui
