#pragma once

#include <QAbstractButton>
#include <QImage>
#include <QRectF>

namespace threefold::ui {

/// One view as a white card: its picture, what is laid over it, a badge with its number, and how it
/// is marked.
class ViewTile : public QAbstractButton {
    Q_OBJECT

  public:
    enum class Mark { none, chosen, selected };

    explicit ViewTile(QWidget* parent = nullptr);
    QSize sizeHint() const override { return {96, 72}; }

    void setImage(const QImage& image);
    const QImage& image() const { return image_; }
    void setBadge(const QString& badge);
    const QString& badge() const { return badge_; }
    void setMark(Mark mark);
    Mark mark() const { return mark_; }

    /// Laid over the photograph and stretched with it; null: nothing.
    void setOverlay(const QImage& overlay);
    const QImage& overlay() const { return overlay_; }
    /// A second badge, at the lower right; `details` follow in the tooltip.
    void setNote(const QString& note, const QString& details = {});
    const QString& note() const { return note_; }
    /// Something dragged over it would be taken here.
    void setDropTarget(bool target);
    bool isDropTarget() const { return dropTarget_; }

    /// Shows the photograph's foreground as large as the card has room for, at most about twice as
    /// large as the whole photograph would be. Set before the image.
    void setZoomed(bool zoomed) { zoomed_ = zoomed; }
    /// Where the photograph is drawn, in whole logical pixels, perhaps beyond the card; empty
    /// without one.
    QRect photographRect() const;

  Q_SIGNALS:
    void resized();

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

  private:
    void drawBadge(QPainter& painter, const QString& text, Qt::Corner corner) const;

    QImage image_;
    QImage overlay_;
    QString badge_;
    QString note_;
    QString details_;
    Mark mark_ = Mark::none;
    bool dropTarget_ = false;
    bool zoomed_ = false;
    QRectF object_;  // in the image, where zoomed; null: none
};

}  // namespace threefold::ui
