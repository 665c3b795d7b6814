#include "ui/batch/batch_panel.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/batch/batch_histogram.h"
#include "ui/style/elided_label.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr BatchColumn kHistograms[] = {BatchColumn::fRefined,      BatchColumn::fTwoTau,
                                       BatchColumn::fCoarse,       BatchColumn::chamferRefined,
                                       BatchColumn::chamferCoarse, BatchColumn::difference,
                                       BatchColumn::milliseconds};

QTableView* makeTable(const QString& name, QWidget* parent) {
    auto* table = new QTableView(parent);
    table->setAccessibleName(name);
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setFont(numberFont(table->font()));
    table->viewport()->setAutoFillBackground(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setFixedHeight(table->fontMetrics().height() + 10);
    return table;
}

QToolButton* makeButton(const QString& text, const QString& tooltip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(tooltip);
    button->setFocusPolicy(Qt::TabFocus);
    setRank(*button, "flat");
    return button;
}

QString duration(double seconds) {
    const auto whole = static_cast<qint64>(seconds + 0.5);
    constexpr qint64 kMinute = 60;
    constexpr qint64 kHour = 3600;
    if (whole < kMinute) return BatchPanel::tr("%1 s").arg(whole);
    if (whole < kHour)
        return BatchPanel::tr("%1 min %2 s").arg(whole / kMinute).arg(whole % kMinute);
    return BatchPanel::tr("%1 h %2 min").arg(whole / kHour).arg(whole % kHour / kMinute);
}

}  // namespace

BatchPanel::BatchPanel(BatchRun& run, QWidget* parent)
    : QWidget(parent), run_(run), model_(run), meansModel_(run) {
    sorted_.setSourceModel(&model_);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 4, 0, 0);
    rows->setSpacing(4);
    rows->addWidget(makeHead());
    rows->addWidget(makeTables(), 1);

    soon_.setSingleShot(true);
    soon_.setInterval(100);
    connect(&soon_, &QTimer::timeout, this, &BatchPanel::refresh);
    connect(&run_, &BatchRun::rowsAdded, this, [this](int first, int last) {
        model_.appended(first, last);
        if (!soon_.isActive()) soon_.start();
    });
    connect(&run_, &BatchRun::planned, this, &BatchPanel::refreshHead);
    connect(&run_, &BatchRun::stateChanged, this, [this] {
        if (run_.rows().empty()) model_.reset();
        refresh();
    });
    refresh();
}

QSize BatchPanel::sizeHint() const {
    constexpr int kHeight = 320;
    return {QWidget::sizeHint().width(), kHeight};
}

QWidget* BatchPanel::makeHead() {
    auto* head = new QWidget(this);
    name_ = new ElidedLabel(head, Qt::ElideMiddle);
    name_->setMaximumWidth(320);
    protocol_ = new ElidedLabel(head);
    setRank(*protocol_, "muted");
    protocol_->setWholeText(
        tr("published protocol · τ = 1e-4"),
        tr("Vertices against the truth's points, squared distances in object units², "
           "threshold τ = 1e-4"));
    bar_ = new QProgressBar(head);
    bar_->setTextVisible(false);
    bar_->setFixedSize(120, 4);
    bar_->setAccessibleName(tr("Progress of the batch"));
    progress_ = new QLabel(head);
    progress_->setFont(numberFont(font()));
    setRank(*progress_, "muted");
    pause_ = makeButton(tr("Pause"), tr("Finish the item under way, then wait"), head);
    cancel_ = makeButton(tr("Cancel"), tr("Stop the batch; what is measured stays"), head);
    copy_ = makeButton(tr("Copy CSV"), tr("Copy the selected rows, or all, as CSV"), head);
    save_ = makeButton(tr("Save CSV…"), tr("Write all rows in the order shown as CSV"), head);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(16, 0, 8, 0);
    row->setSpacing(8);
    row->addWidget(name_);
    row->addWidget(protocol_, 1);
    row->addWidget(bar_);
    row->addWidget(progress_);
    row->addWidget(pause_);
    row->addWidget(cancel_);
    row->addWidget(copy_);
    row->addWidget(save_);
    connect(pause_, &QToolButton::clicked, this, [this] {
        if (run_.state() == BatchRun::State::paused) {
            run_.resume();
        } else {
            run_.pause();
        }
    });
    connect(cancel_, &QToolButton::clicked, &run_, &BatchRun::cancel);
    connect(copy_, &QToolButton::clicked, this, &BatchPanel::copy);
    connect(save_, &QToolButton::clicked, this, &BatchPanel::saveWanted);
    return head;
}

QWidget* BatchPanel::makeTables() {
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);

    table_ = makeTable(tr("Items of the batch"), split);
    table_->setModel(&sorted_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->installEventFilter(this);
    for (int column = 0; column < kBatchColumns; ++column) {
        const int title = table_->fontMetrics().horizontalAdvance(
            batchColumnTitle(static_cast<BatchColumn>(column)));
        constexpr int kNameWidth = 128;
        constexpr int kSortArrow = 28;
        table_->setColumnWidth(column, std::max(column < 2 ? kNameWidth : 0, title + kSortArrow));
    }
    const auto choose = [this](const QModelIndex& index) {
        if (index.isValid()) Q_EMIT rowChosen(sorted_.mapToSource(index).row());
    };
    connect(table_, &QAbstractItemView::clicked, this, choose);

    auto* side = new QWidget(split);
    means_ = makeTable(tr("Means"), side);
    means_->setModel(&meansModel_);
    means_->setSelectionMode(QAbstractItemView::NoSelection);
    for (int column = 0; column < meansModel_.columnCount(); ++column) {
        const int title = means_->fontMetrics().horizontalAdvance(
            meansModel_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        constexpr int kNameWidth = 88;
        constexpr int kPadding = 16;
        const int number = means_->fontMetrics().horizontalAdvance(QStringLiteral("+00.000"));
        means_->setColumnWidth(column, column == 0 ? std::max(kNameWidth, title + kPadding)
                                                   : std::max(number, title) + kPadding);
    }
    column_ = new QComboBox(side);
    column_->setAccessibleName(tr("Column of the histogram"));
    column_->setToolTip(tr("What the histogram counts"));
    for (const BatchColumn column : kHistograms) {
        column_->addItem(batchColumnTitle(column), static_cast<int>(column));
    }
    histogram_ = new BatchHistogram(side);
    auto* histogramRow = new QHBoxLayout;
    histogramRow->setContentsMargins(16, 0, 16, 8);
    histogramRow->setSpacing(16);
    histogramRow->addWidget(column_, 0, Qt::AlignTop);
    histogramRow->addWidget(histogram_, 1);
    auto* sideRows = new QVBoxLayout(side);
    sideRows->setContentsMargins(0, 0, 0, 0);
    sideRows->setSpacing(8);
    sideRows->addWidget(means_, 1);
    sideRows->addLayout(histogramRow);
    connect(column_, &QComboBox::currentIndexChanged, this, &BatchPanel::refresh);

    split->addWidget(table_);
    split->addWidget(side);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    return split;
}

bool BatchPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) {
            const QModelIndex at = table_->currentIndex();
            if (at.isValid()) Q_EMIT rowChosen(sorted_.mapToSource(at).row());
            return true;
        }
        if (key.matches(QKeySequence::Copy)) {
            copy();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

QString BatchPanel::progressText() const {
    return progress_->text();
}

std::vector<BatchRow> BatchPanel::chosenRows() const {
    std::vector<int> places;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows()) {
        places.push_back(index.row());
    }
    std::sort(places.begin(), places.end());
    if (places.empty()) {
        for (int row = 0; row < sorted_.rowCount(); ++row) places.push_back(row);
    }
    std::vector<BatchRow> rows;
    rows.reserve(places.size());
    for (const int place : places) {
        rows.push_back(model_.row(sorted_.mapToSource(sorted_.index(place, 0)).row()));
    }
    return rows;
}

void BatchPanel::copy() {
    const std::vector<BatchRow> rows = chosenRows();
    if (rows.empty()) return;
    QApplication::clipboard()->setText(batchCsv(rows));
    Q_EMIT said(tr("Copied %n row(s) as CSV", nullptr, static_cast<int>(rows.size())));
}

void BatchPanel::refresh() {
    meansModel_.refresh();
    histogram_->show(run_.rows(), static_cast<BatchColumn>(column_->currentData().toInt()));
    refreshHead();
}

void BatchPanel::refreshHead() {
    using State = BatchRun::State;
    const State state = run_.state();
    const bool active = state == State::running || state == State::paused;
    const auto done = static_cast<qint64>(run_.rows().size());
    const auto total = static_cast<qint64>(run_.total());
    const auto failures = static_cast<qint64>(run_.overall().failed);
    QStringList parts;
    if (state != State::idle) {
        parts << (total > 0 ? tr("%1 of %2").arg(groupedCount(done), groupedCount(total))
                  : active  ? tr("looking for items…")
                            : tr("no items"));
    }
    if (failures > 0) parts << tr("%1 failed").arg(groupedCount(failures));
    const double left = run_.secondsLeft();
    if (state == State::running && left >= 0) parts << tr("%1 left").arg(duration(left));
    if (state == State::paused) parts << tr("paused");
    if (state == State::cancelled) parts << tr("cancelled");
    progress_->setText(parts.join(QStringLiteral(" · ")));
    name_->setWholeText(state == State::idle
                            ? tr("Nothing evaluated yet: choose a list or folder from the menu")
                            : run_.plan().name);
    bar_->setRange(0, static_cast<int>(std::max<qint64>(total, 1)));
    bar_->setValue(static_cast<int>(done));
    bar_->setVisible(active);
    pause_->setVisible(active);
    cancel_->setVisible(active);
    pause_->setText(state == State::paused ? tr("Resume") : tr("Pause"));
    copy_->setEnabled(done > 0);
    save_->setEnabled(done > 0);
}

}  // namespace threefold::ui
