#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <QAbstractButton>
#include <QImage>
#include <QObject>
#include <QPoint>
#include <QPointer>
#include <QRectF>
#include <QWidget>

class QLabel;

namespace threefold::ui {

/// Card of one view: its photograph, an overlay, a badge with the view's number, and a mark.
class ViewTile : public QAbstractButton {
    Q_OBJECT

  public:
    enum class Mark { none, chosen, selected };

    explicit ViewTile(QWidget* parent = nullptr);
    QSize sizeHint() const override { return {96, 72}; }

    void setImage(const QImage& image);
    const QImage& image() const { return image_; }
    void setBadge(const QString& badge) { change(badge_, badge); }
    const QString& badge() const { return badge_; }
    void setMark(Mark mark) { change(mark_, mark); }
    Mark mark() const { return mark_; }

    /// Sets a picture drawn over the photograph and stretched with it; null: none.
    void setOverlay(const QImage& overlay);
    const QImage& overlay() const { return overlay_; }
    /// Sets a second badge, at the lower right; `details` are added to the tooltip.
    void setNote(const QString& note, const QString& details = {});
    const QString& note() const { return note_; }
    /// Sets a warning below the first badge; empty: none.
    void setWarning(const QString& warning) { change(warning_, warning); }
    const QString& warning() const { return warning_; }
    /// Highlights the tile while something is dragged over it.
    void setDropTarget(bool target) { change(dropTarget_, target); }
    bool isDropTarget() const { return dropTarget_; }

    /// Enlarges the photograph until its foreground fills the card, at most about twice. Call
    /// before setImage().
    void setZoomed(bool zoomed) { zoomed_ = zoomed; }
    /// Rectangle of the drawn photograph, in logical pixels; may exceed the card. Empty without a
    /// photograph.
    QRect photographRect() const;

  Q_SIGNALS:
    void resized();

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    template <class Value>
    void change(Value& member, const Value& value) {
        if (member == value) return;
        member = value;
        update();
    }
    /// Draws a badge in the tile's top left corner, moved down by `below` pixels, or in the bottom
    /// right corner. Returns the badge's rectangle; null for empty text.
    QRectF drawBadge(QPainter& painter, QString text, Qt::Corner corner, int below,
                     QColor ground) const;

    QImage image_;
    QImage overlay_;
    QString badge_;
    QString warning_;
    QString note_;
    QString details_;
    Mark mark_ = Mark::none;
    bool dropTarget_ = false;
    bool zoomed_ = false;
    QRectF foreground_;  // foreground in the image, if zoomed; null: none
};

/// Grid of tiles that are numbered from 0. Base class of ViewSlots and ViewStrip.
class ViewTiles : public QWidget {
    Q_OBJECT

  public:
    using QWidget::QWidget;

    const std::vector<ViewTile*>& tiles() const { return tiles_; }
    /// Index of a tile, or of the tile at a global position; −1: none.
    int indexOf(const ViewTile* tile) const;
    int indexAt(QPoint global) const;

  Q_SIGNALS:
    void tileAdded(threefold::ui::ViewTile* tile);
    void chosen(int index);  ///< a tile was clicked, or Enter was pressed on it

  protected:
    /// Adds or removes tiles at the end.
    void setCount(std::size_t count);
    virtual int columns() const = 0;
    /// Number of tiles by which an arrow key moves the focus, negative for left and up; 0 for other
    /// keys.
    int stepOf(int key) const;

  private:
    std::vector<ViewTile*> tiles_;  // children of this
};

/// Recognises drags on tiles as one of three gestures; a press that does not move far stays a
/// click.
class ViewDrag : public QObject {
    Q_OBJECT

  public:
    enum class Gesture {
        drop,   ///< a copy of the tile follows the pointer, for dropping on another tile
        scrub,  ///< runs over the tiles under the pointer
        turn,   ///< turns the camera of the tile's view
    };

    /// `choose` picks the gesture for a tile.
    ViewDrag(std::function<Gesture(const ViewTile&)> choose, QObject* parent);

    void watch(ViewTile& tile) { tile.installEventFilter(this); }
    bool isActive() const { return active_; }

  Q_SIGNALS:
    void started(threefold::ui::ViewDrag::Gesture gesture, threefold::ui::ViewTile* from);
    /// The pointer moved. `position` is global, `step` is the movement since the last signal; both
    /// are in logical pixels.
    void moved(threefold::ui::ViewDrag::Gesture gesture, threefold::ui::ViewTile* from,
               QPoint position, QPoint step);
    /// Emitted at the end of every started gesture. `dropped`: false if the gesture was cancelled
    /// (Esc, or the tile was hidden).
    void ended(threefold::ui::ViewDrag::Gesture gesture, threefold::ui::ViewTile* from,
               QPoint position, bool dropped);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    bool move(ViewTile& tile, QPoint position);
    void finish(QPoint position, bool dropped);
    void showGhost(ViewTile& tile, QPoint position);

    std::function<Gesture(const ViewTile&)> choose_;
    QPointer<ViewTile> tile_;  // the pressed tile
    QPoint pressed_, last_;    // global
    bool active_ = false;
    bool cancelled_ = false;  // until the button is released
    Gesture gesture_ = Gesture::drop;
    QPointer<QLabel> ghost_;
};

}  // namespace threefold::ui
