#include "ui/input/dataset_tree.h"

#include <QKeyEvent>
#include <QPainter>

#include "ui/input/dataset_model.h"
#include "ui/style/theme.h"

namespace threefold::ui {

DatasetTree::DatasetTree(QWidget* parent) : QTreeView(parent) {
    setHeaderHidden(true);
    setUniformRowHeights(true);
    setIndentation(0);
    setRootIsDecorated(false);
    setExpandsOnDoubleClick(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    // Tab goes on to the next widget; arrows walk the rows.
    setTabKeyNavigation(false);
    setAccessibleName(tr("Items of the data set"));
    connect(this, &QAbstractItemView::clicked, this, &DatasetTree::choose);
}

void DatasetTree::setEmptyText(const QString& text) {
    emptyText_ = text;
    viewport()->update();
}

void DatasetTree::choose(const QModelIndex& index) {
    if (!index.isValid()) return;
    if (index.data(DatasetModel::kIsItem).toBool()) {
        Q_EMIT itemChosen(index);
    } else {
        setExpanded(index, !isExpanded(index));
    }
}

void DatasetTree::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        choose(currentIndex());
        return;
    }
    QTreeView::keyPressEvent(event);
}

void DatasetTree::paintEvent(QPaintEvent* event) {
    QTreeView::paintEvent(event);
    if (emptyText_.isEmpty() || model() == nullptr || model()->rowCount() > 0) return;
    constexpr int kTextPadding = 16;
    QPainter painter(viewport());
    painter.setPen(themeColours(palette()).muted);
    painter.drawText(viewport()->rect().adjusted(kTextPadding, 4, -kTextPadding, 0),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, emptyText_);
}

}  // namespace threefold::ui
