#pragma once

#include <QDockWidget>
#include <QList>
#include <QMainWindow>

namespace threefold::ui {

/// Shares the window's height between the panes and open docks, until the user drags the docks'
/// border: the docks get the height of their size hints if 240 pixels are left for the panes, and
/// otherwise only the height that the panes do not need to be 400 pixels high. The rows below the
/// panes are hidden unless the panes are 400 pixels high with them. Child of the window.
class PaneHeightKeeper : public QObject {
  public:
    /// `below`: the rows under the panes. The window's central widget holds `panes` and `below`.
    PaneHeightKeeper(QMainWindow& window, QWidget& panes, QWidget& below);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QList<QDockWidget*> docks() const;
    void watchMouse(const QEvent& event);
    void shareHeight();
    void shareSoon();

    QMainWindow& window_;
    QWidget& panes_;
    QWidget& below_;
    bool pressed_ = false;  // the mouse drags the docks' border
    bool chosen_ = false;   // the user has chosen the height of the docks
};

}  // namespace threefold::ui
