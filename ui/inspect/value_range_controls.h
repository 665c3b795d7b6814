#pragma once

#include <QDoubleSpinBox>
#include <QMouseEvent>
#include <QWidget>

#include "ui/document/value_range.h"

namespace threefold::ui {

/// End of a range of values.
enum class RangeEnd { low, high };

/// Two fields for a custom range. Enter or leaving a field accepts the range, Escape does not.
class ValueRangeFields : public QWidget {
    Q_OBJECT

  public:
    explicit ValueRangeFields(QWidget* parent = nullptr);

    /// Shows a range in the fields. `unit`: for tooltips and screen readers.
    void setRange(ValueRange range, const QString& unit);
    void focus(RangeEnd end);

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

/// A handle at an end of a legend's range, for mouse and arrow keys. Only emits signals; the legend
/// moves the handle.
class ValueRangeHandle : public QWidget {
    Q_OBJECT

  public:
    explicit ValueRangeHandle(QWidget* parent);

    static constexpr int kWidth = 13;
    bool dragging() const { return dragging_; }

  Q_SIGNALS:
    void draggedTo(qreal x);        ///< new centre of the handle, in the parent's coordinates
    void stepped(double fraction);  ///< step as a fraction of the bar's width
    void resetRequested();          ///< double click, Delete or Backspace
    void typingRequested();         ///< Enter, or the first character of a number
    void released();                ///< the mouse button was released

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override {
        if (dragging_) Q_EMIT draggedTo(mapToParent(event->position()).x() - grabbed_);
    }
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    bool dragging_ = false;
    qreal grabbed_ = 0;  // offset of the grabbed point from the centre
};

}  // namespace threefold::ui
