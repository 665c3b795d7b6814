#pragma once

#include <QAbstractButton>
#include <QImage>
#include <QRectF>

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

}  // namespace threefold::ui
