#include "ui/inspect/value_range_fields.h"

#include <algorithm>
#include <cmath>

#include <QBoxLayout>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>

#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

constexpr int kWidth = 92;
constexpr int kLeastWidth = 56;

QDoubleSpinBox* field(const QString& name, QWidget* parent) {
    auto* box = new QDoubleSpinBox(parent);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setKeyboardTracking(false);
    box->setLocale(QLocale::c());
    box->setRange(-1e6, 1e6);
    box->setMinimumWidth(kLeastWidth);
    box->setMaximumWidth(kWidth);
    box->setAlignment(Qt::AlignRight);
    box->setFont(numberFont(parent->font()));
    box->setAccessibleName(name);
    return box;
}

}  // namespace

ValueRangeFields::ValueRangeFields(QWidget* parent)
    : QWidget(parent),
      low_(field(tr("Lowest value"), this)),
      high_(field(tr("Highest value"), this)) {
    auto* to = new QLabel(tr("to"), this);
    setRank(*to, "muted");
    setLayout(rowOf({low_, to, high_, kGrowing}));
    for (QDoubleSpinBox* box : {low_, high_}) {
        box->installEventFilter(this);
        connect(box, &QDoubleSpinBox::valueChanged, this, &ValueRangeFields::commit);
    }
}

void ValueRangeFields::setRange(ValueRange range, const QString& unit) {
    const double width = std::max(static_cast<double>(range.highest - range.lowest), 1e-9);
    const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(width))), 0, 8);
    const std::pair<QDoubleSpinBox*, float> fields[] = {{low_, range.lowest},
                                                        {high_, range.highest}};
    for (const auto& [box, value] : fields) {
        const QSignalBlocker quiet(box);
        box->setDecimals(decimals);
        box->setSingleStep(std::pow(10.0, 1 - decimals));
        box->setValue(static_cast<double>(value));
        box->setToolTip(unit.isEmpty() ? box->accessibleName()
                                       : box->accessibleName() + QStringLiteral(", ") + unit);
    }
}

void ValueRangeFields::focus(bool low) {
    QDoubleSpinBox* box = low ? low_ : high_;
    box->setFocus(Qt::ShortcutFocusReason);
    box->selectAll();
}

void ValueRangeFields::commit() {
    const ValueRange range{static_cast<float>(low_->value()), static_cast<float>(high_->value())};
    if (range.lowest < range.highest) Q_EMIT chosen(range);
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

}  // namespace threefold::ui
