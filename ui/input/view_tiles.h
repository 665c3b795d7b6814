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

/// One view as a white card: its photograph, an overlay, a badge with its number, and a mark.
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

    /// Laid over the photograph and stretched with it; null: nothing.
    void setOverlay(const QImage& overlay);
    const QImage& overlay() const { return overlay_; }
    /// A second badge, at the lower right; `details` follow in the tooltip.
    void setNote(const QString& note, const QString& details = {});
    const QString& note() const { return note_; }
    /// A warning under the first badge; empty: none.
    void setWarning(const QString& warning) { change(warning_, warning); }
    const QString& warning() const { return warning_; }
    /// Highlights the tile while something is dragged over it.
    void setDropTarget(bool target) { change(dropTarget_, target); }
    bool isDropTarget() const { return dropTarget_; }

    /// Enlarges the photograph's foreground to fill the card, at most about twice. Set before the
    /// image.
    void setZoomed(bool zoomed) { zoomed_ = zoomed; }
    /// Where the photograph is drawn, in logical pixels; may exceed the card. Empty without one.
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
    /// Returns where it stands.
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
    QRectF object_;  // in the image, where zoomed; null: none
};

/// Tiles in rows and columns, numbered from 0: base of the slots and of the strip.
class ViewTiles : public QWidget {
    Q_OBJECT

  public:
    using QWidget::QWidget;

    const std::vector<ViewTile*>& tiles() const { return tiles_; }
    /// The number of a tile, or of the one at a global position; −1: none.
    int placeOf(const ViewTile* tile) const;
    int placeAt(QPoint global) const;

  Q_SIGNALS:
    void tileAdded(threefold::ui::ViewTile* tile);
    void chosen(int place);  ///< clicked, or Enter

  protected:
    /// Adds or removes tiles at the end.
    void setCount(std::size_t count);
    virtual int columns() const = 0;
    /// How far an arrow key moves among the tiles; 0 for other keys.
    int stepOf(int key) const;

  private:
    std::vector<ViewTile*> tiles_;  // children of this
};

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

    void watch(ViewTile& tile) { tile.installEventFilter(this); }
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
