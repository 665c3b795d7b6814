#pragma once

#include <QWidget>

#include "ui/document/value_range.h"

class QDoubleSpinBox;

namespace threefold::ui {

/// Two fields for a custom range. Enter or leaving the field accepts it, Escape does not.
class ValueRangeFields : public QWidget {
    Q_OBJECT

  public:
    explicit ValueRangeFields(QWidget* parent = nullptr);

    /// `unit`: for tooltips and screen readers.
    void setRange(ValueRange range, const QString& unit);
    void focus(bool low);
    QDoubleSpinBox& low() { return *low_; }
    QDoubleSpinBox& high() { return *high_; }

  Q_SIGNALS:
    void chosen(threefold::ui::ValueRange range);
    void done();  ///< Enter or Escape

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void commit();

    QDoubleSpinBox* low_;
    QDoubleSpinBox* high_;
};

}  // namespace threefold::ui
