#include <algorithm>

#include <QCoreApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>

#include "ui/input/data_set_tree.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr int kRowHeight = 28;
constexpr int kRowPadding = 16;  // like the panel's texts
constexpr int kRowGap = 8;
constexpr int kPicture = 24;

// Draws a small arrow that points right, or down for an open row.
void paintArrow(QPainter& painter, QPointF centre, bool open, const QColor& colour) {
    constexpr qreal kHalf = 3.5;
    const auto point = [&](qreal along, qreal across) {
        return centre + (open ? QPointF(across, along) : QPointF(along, across));
    };
    QPainterPath arrow(point(-kHalf / 2, -kHalf));
    arrow.lineTo(point(-kHalf / 2, kHalf));
    arrow.lineTo(point(kHalf / 2 + 1, 0));
    arrow.closeSubpath();
    painter.fillPath(arrow, colour);
}

// Draws `text` between `left` and `right`, elided if too long. Returns the x of the text's end.
int paintText(QPainter& painter, const QString& text, int left, int right, const QRect& row,
              Qt::TextElideMode mode = Qt::ElideMiddle) {
    const QString elided = painter.fontMetrics().elidedText(text, mode, std::max(0, right - left));
    painter.drawText(QRect(left, row.top(), std::max(0, right - left), row.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, elided);
    return left + painter.fontMetrics().horizontalAdvance(elided);
}

// Draws `text` right-aligned in a row. Returns the x of the text's left end.
int paintAtRight(QPainter& painter, const QString& text, int right, const QRect& row) {
    const int width = painter.fontMetrics().horizontalAdvance(text);
    painter.drawText(QRect(right - width, row.top(), width + 1, row.height()),
                     Qt::AlignRight | Qt::AlignVCenter, text);
    return right - width;
}

void paintPicture(QPainter& painter, const QImage& image, const QRectF& card,
                  const ThemeColours& colours) {
    QPainterPath shape;
    constexpr qreal kRadius = 3;
    shape.addRoundedRect(card, kRadius, kRadius);
    painter.fillPath(shape, image.isNull() ? colours.border : QColor(Qt::white));
    if (image.isNull()) return;
    painter.save();
    painter.setClipPath(shape);
    QRectF target(QPointF(), QSizeF(image.size()).scaled(card.size(), Qt::KeepAspectRatio));
    target.moveCenter(card.center());
    painter.drawImage(target, image);
    painter.restore();
    if (!colours.dark) {
        painter.setPen(colours.border);
        painter.drawPath(shape);
    }
}

/// Paints the rows of a DataSetModel: a category with its count, a sample with its first rendering.
class DataSetDelegate : public QStyledItemDelegate {
    Q_DECLARE_TR_FUNCTIONS(DataSetDelegate)

  public:
    DataSetDelegate(DataSetThumbnails& thumbnails, QObject* parent)
        : QStyledItemDelegate(parent), thumbnails_(thumbnails) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ThemeColours colours = themeColours(option.palette);
        painter->save();
        painter->setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
        painter->setFont(option.font);
        const QRectF row = QRectF(option.rect).adjusted(kRowGap, 1, -kRowGap, -1);
        constexpr qreal kRadius = 4;
        if ((option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) != 0) {
            QPainterPath shape;
            shape.addRoundedRect(row, kRadius, kRadius);
            QColor back = colours.border;
            back.setAlphaF((option.state & QStyle::State_Selected) != 0 ? 0.7F : 0.4F);
            painter->fillPath(shape, back);
        }
        if (index.data(DataSetModel::kIsSampleRole).toBool())
            paintSample(*painter, option, index);
        else
            paintCategory(*painter, option, index);
        if ((option.state & QStyle::State_HasFocus) != 0) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(colours.accent);
            painter->drawRoundedRect(row.adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
        }
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {2 * kRowPadding, kRowHeight};
    }

  private:
    void paintCategory(QPainter& painter, const QStyleOptionViewItem& option,
                       const QModelIndex& index) const {
        const ThemeColours colours = themeColours(option.palette);
        const QRect row = option.rect;
        const bool holdsOpenSample = index.data(DataSetModel::kIsOpenRole).toBool();
        paintArrow(painter, {row.left() + kRowPadding + 3.5, row.center().y() + 0.5},
                   (option.state & QStyle::State_Open) != 0,
                   holdsOpenSample ? colours.accent : colours.muted);
        const QString count = groupedCount(index.data(DataSetModel::kCountRole).toLongLong());
        const QFont font = painter.font();
        painter.setFont(numberFont(font));
        painter.setPen(colours.muted);
        const int right = paintAtRight(painter, count, row.right() - kRowPadding, row) - kRowGap;
        painter.setFont(font);
        painter.setPen(colours.text);
        const int left = row.left() + kRowPadding + kRowGap + kRowGap;
        const int end = paintText(painter, index.data().toString(), left, right, row);
        const QString id = index.data(DataSetModel::kIdRole).toString();
        if (id.isEmpty() || id == index.data().toString()) return;
        painter.setPen(colours.muted);
        if (right - (end + kRowGap) >= painter.fontMetrics().horizontalAdvance(id))
            paintText(painter, id, end + kRowGap, right, row);
    }

    void paintSample(QPainter& painter, const QStyleOptionViewItem& option,
                     const QModelIndex& index) const {
        const ThemeColours colours = themeColours(option.palette);
        const QRect row = option.rect;
        const int pictureLeft = row.left() + kRowPadding + kRowGap + kRowGap;
        const QImage image = thumbnails_.get(index.data(DataSetModel::kFolderRole).toString());
        paintPicture(
            painter, image,
            QRectF(pictureLeft, row.center().y() - kPicture / 2.0 + 1, kPicture, kPicture - 1),
            colours);
        int right = row.right() - kRowPadding;
        if (index.data(DataSetModel::kHasTruthRole).toBool()) {
            painter.setPen(colours.muted);
            right = paintAtRight(painter, tr("truth ✓"), right, row) - kRowGap;
        }
        const int left = pictureLeft + kPicture + kRowGap;
        const QString name = index.data().toString();
        if (!index.data(DataSetModel::kIsOpenRole).toBool()) {
            painter.setPen(colours.text);
            paintText(painter, name, left, right, row);
            return;
        }
        constexpr int kInset = 6;
        const int width =
            std::min(painter.fontMetrics().horizontalAdvance(name), right - left - kInset);
        QPainterPath pill;
        pill.addRoundedRect(
            QRectF(left - kInset, row.top() + 4.0, width + 2 * kInset, row.height() - 8.0), 4, 4);
        painter.fillPath(pill, colours.accent);
        painter.setPen(colours.accentText);
        paintText(painter, name, left, left + width + 1, row);
    }

    DataSetThumbnails& thumbnails_;
};

}  // namespace

DataSetTree::DataSetTree(DataSetThumbnails& thumbnails, QWidget* parent) : QTreeView(parent) {
    setItemDelegate(new DataSetDelegate(thumbnails, this));
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
    // Tab leaves the tree; arrow keys move between rows.
    setTabKeyNavigation(false);
    setAccessibleName(tr("Samples of the data set"));
    connect(this, &QAbstractItemView::clicked, this, &DataSetTree::choose);
}

void DataSetTree::setEmptyText(const QString& text) {
    emptyText_ = text;
    viewport()->update();
}

void DataSetTree::choose(const QModelIndex& index) {
    if (!index.isValid()) return;
    if (index.data(DataSetModel::kIsSampleRole).toBool())
        Q_EMIT sampleChosen(index);
    else
        setExpanded(index, !isExpanded(index));
}

void DataSetTree::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        choose(currentIndex());
        return;
    }
    QTreeView::keyPressEvent(event);
}

void DataSetTree::paintEvent(QPaintEvent* event) {
    QTreeView::paintEvent(event);
    if (emptyText_.isEmpty() || model() == nullptr || model()->rowCount() > 0) return;
    constexpr int kTextPadding = 16;
    QPainter painter(viewport());
    painter.setPen(themeColours(palette()).muted);
    painter.drawText(viewport()->rect().adjusted(kTextPadding, 4, -kTextPadding, 0),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, emptyText_);
}

}  // namespace threefold::ui
