#pragma once

#include <QAbstractButton>
#include <QImage>

namespace threefold::ui {

/// One view as a white card: its picture, a badge with its number, and how it is marked.
class ViewTile : public QAbstractButton {
    Q_OBJECT

  public:
    enum class Mark { none, chosen, selected };

    explicit ViewTile(QWidget* parent = nullptr);

    void setImage(const QImage& image);
    const QImage& image() const { return image_; }
    void setBadge(const QString& badge);
    const QString& badge() const { return badge_; }
    void setMark(Mark mark);
    Mark mark() const { return mark_; }

    QSize sizeHint() const override { return {96, 72}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

  private:
    QImage image_;
    QString badge_;
    Mark mark_ = Mark::none;
};

}  // namespace threefold::ui
