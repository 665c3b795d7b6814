#pragma once

#include <QStringList>
#include <QWidget>

#include "ui/panes/viewport.h"

namespace threefold::ui {

/// A tooltip of a few lines, drawn over the panes, beside the pointer and never under it. Stays
/// within the panes' area. Takes neither clicks nor focus.
class PointerTip : public QWidget {
    Q_OBJECT

  public:
    /// `window` holds the panes.
    PointerTip(QWidget& window, const Viewport& panes);

    /// Shows these lines beside `pointer` (logical pixels of the panes); hides the tip if there are
    /// no lines or the panes are too small for the tip.
    void setLines(const QStringList& lines, QPoint pointer);
    const QStringList& lines() const { return lines_; }
    /// Keeps setLines() from covering `other` while `other` is shown. `other` must outlive this
    /// tip.
    void avoid(const PointerTip& other) { avoided_ = &other; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    const Viewport& panes_;
    const PointerTip* avoided_ = nullptr;
    QStringList lines_;
};

}  // namespace threefold::ui
