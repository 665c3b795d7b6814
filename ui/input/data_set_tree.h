#pragma once

#include <QTreeView>

#include "ui/input/data_set_model.h"
#include "ui/input/thumbnails.h"

namespace threefold::ui {

/// View of a DataSetModel. A click on a category folds or unfolds it; a click or Enter on a sample
/// opens the sample.
class DataSetTree : public QTreeView {
    Q_OBJECT

  public:
    /// `thumbnails` must outlive the tree.
    explicit DataSetTree(DataSetThumbnails& thumbnails, QWidget* parent = nullptr);

    /// Text shown at the top while there are no rows.
    void setEmptyText(const QString& text);

  Q_SIGNALS:
    void sampleChosen(const QModelIndex& index);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void drawBranches(QPainter*, const QRect&, const QModelIndex&) const override {}

  private:
    void choose(const QModelIndex& index);

    QString emptyText_;
};

}  // namespace threefold::ui
