#pragma once

#include <functional>

#include <QScrollArea>

namespace threefold::ui {

/// Shows its content in full up to a size in one direction; scrolls larger content.
class BoundedScroll : public QScrollArea {
    Q_OBJECT

  public:
    /// `maxSize`: largest shown size of the content along `orientation`, in pixels; called at each
    /// layout.
    BoundedScroll(QWidget* content, Qt::Orientation orientation, std::function<int()> maxSize,
                  QWidget* parent = nullptr);

    QSize sizeHint() const override { return bounded(widget()->sizeHint()); }
    QSize minimumSizeHint() const override;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QSize bounded(QSize full) const;

    Qt::Orientation orientation_;
    std::function<int()> maxSize_;
};

}  // namespace threefold::ui
