#pragma once

#include <QStyledItemDelegate>

namespace threefold::ui {

class DatasetThumbnails;

/// Paints the rows of a DatasetModel: a category with its count, an item with its first rendering.
class DatasetDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    /// `thumbnails` must outlive it.
    explicit DatasetDelegate(DatasetThumbnails& thumbnails, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    void paintCategory(QPainter& painter, const QStyleOptionViewItem& option,
                       const QModelIndex& index) const;
    void paintItem(QPainter& painter, const QStyleOptionViewItem& option,
                   const QModelIndex& index) const;

    DatasetThumbnails& thumbnails_;
};

}  // namespace threefold::ui
