#pragma once

#include <functional>

#include <QObject>
#include <QPoint>
#include <QPointer>

class QLabel;

namespace threefold::ui {

class ViewTile;

/// Turns presses on tiles that move far enough into one of three gestures instead of a click.
class ViewDrag : public QObject {
    Q_OBJECT

  public:
    enum class Gesture {
        carry,  ///< a copy of the tile follows the pointer, to be dropped on another one
        scrub,  ///< runs over the tiles under the pointer
        turn,   ///< moves what the tile shows
    };

    /// `choose` picks the gesture for a tile.
    ViewDrag(std::function<Gesture(const ViewTile&)> choose, QObject* parent);

    void watch(ViewTile& tile);
    bool active() const { return active_; }

  Q_SIGNALS:
    void started(threefold::ui::ViewDrag::Gesture gesture, threefold::ui::ViewTile* from);
    /// `position`: global; `step`: since the last one. Logical pixels.
    void moved(threefold::ui::ViewDrag::Gesture gesture, threefold::ui::ViewTile* from,
               QPoint position, QPoint step);
    /// Ends every gesture that started. `dropped`: false if cancelled (Esc).
    void ended(threefold::ui::ViewDrag::Gesture gesture, threefold::ui::ViewTile* from,
               QPoint position, bool dropped);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    bool move(ViewTile& tile, QPoint position);
    void finish(QPoint position, bool dropped);
    void showGhost(ViewTile& tile, QPoint position);

    std::function<Gesture(const ViewTile&)> choose_;
    QPointer<ViewTile> tile_;  // pressed
    QPoint pressed_, last_;    // global
    bool active_ = false;
    bool calledOff_ = false;  // until the button is let go
    Gesture gesture_ = Gesture::carry;
    QPointer<QLabel> ghost_;
};

}  // namespace threefold::ui
