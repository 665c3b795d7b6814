#pragma once

#include <QWidget>

namespace threefold::ui {

/// A line of numbers that rarely resizes its neighbours. The label is as wide as the widest text
/// since the last empty text; in less room the text is elided.
class NumberLabel : public QWidget {
    Q_OBJECT

  public:
    explicit NumberLabel(QWidget* parent = nullptr);
    void setText(const QString& text);  ///< empty: hidden
    const QString& text() const { return text_; }

    QSize sizeHint() const override { return {widest_, fontMetrics().height()}; }
    QSize minimumSizeHint() const override { return {0, fontMetrics().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString text_;
    int widest_ = 0;
};

}  // namespace threefold::ui
