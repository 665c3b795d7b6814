#pragma once

#include <QDockWidget>
#include <QList>
#include <QMainWindow>

namespace threefold::ui {

/// Keeps the panes at least 400 pixels high while docks are open, if the window allows it. The rows
/// below the panes are hidden first, then the docks shrink. The docks get a maximum height, because
/// such a minimum height of the panes would keep the window from becoming lower. Child of the
/// window.
class PaneHeightKeeper : public QObject {
  public:
    /// `below`: the rows under the panes. The window's central widget holds `panes` and `below`.
    PaneHeightKeeper(QMainWindow& window, QWidget& panes, QWidget& below);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QList<QDockWidget*> docks() const;
    void limitDocks();

    QMainWindow& window_;
    QWidget& panes_;
    QWidget& below_;
};

}  // namespace threefold::ui
