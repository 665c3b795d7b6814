#pragma once

#include <QTreeView>

namespace threefold::ui {

class DatasetThumbnails;

/// The list of a DatasetModel. A click on a category folds it; a click or Enter on an item opens
/// it.
class DatasetTree : public QTreeView {
    Q_OBJECT

  public:
    /// `thumbnails` must outlive it.
    explicit DatasetTree(DatasetThumbnails& thumbnails, QWidget* parent = nullptr);

    /// Shown in the middle while there are no rows.
    void setEmptyText(const QString& text);

  Q_SIGNALS:
    void itemChosen(const QModelIndex& index);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void drawBranches(QPainter*, const QRect&, const QModelIndex&) const override {}

  private:
    void choose(const QModelIndex& index);

    QString emptyText_;
};

}  // namespace threefold::ui
