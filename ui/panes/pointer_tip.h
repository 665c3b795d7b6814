#pragma once

#include <QStringList>
#include <QWidget>

#include "ui/panes/viewport.h"

namespace threefold::ui {

/// A few lines beside the pointer, over the panes. Lies inside the panes, clear of the pointer and
/// its surroundings. Takes neither clicks nor focus.
class PointerTip : public QWidget {
    Q_OBJECT

  public:
    /// `window` holds the panes.
    PointerTip(QWidget& window, const Viewport& panes);

    /// `pointer` in the panes' logical pixels. No lines: hidden.
    void setLines(const QStringList& lines, QPoint pointer);
    const QStringList& lines() const { return lines_; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QSize sizeOfText() const;

    const Viewport& panes_;
    QStringList lines_;
};

}  // namespace threefold::ui
