#pragma once

#include <QObject>

class QMainWindow;

namespace threefold::ui {

/// Keeps the panes large: beside an open dock they have 400 pixels of height as long as the window
/// allows it. The rows below them give way first, then the dock. Child of the window.
class PaneRoom : public QObject {
    Q_OBJECT

  public:
    /// `below`: the rows under the panes. Both stand in the window's central widget.
    PaneRoom(QMainWindow& window, QWidget& panes, QWidget& below);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void share();

    QMainWindow& window_;
    QWidget& panes_;
    QWidget& below_;
};

}  // namespace threefold::ui
