#pragma once

#include <QPlainTextEdit>
#include <QWidget>

namespace threefold::ui {

class LogStore;

/// The log with time and level, as text to select and copy. Scrolls along while its end is visible.
class LogPanel : public QWidget {
    Q_OBJECT

  public:
    /// `store` must outlive it.
    explicit LogPanel(LogStore& store, QWidget* parent = nullptr);

    QString text() const;
    QSize sizeHint() const override;

  private:
    void appendNew();

    LogStore& store_;
    std::size_t last_ = 0;
    QPlainTextEdit* text_;
};

}  // namespace threefold::ui
