#include "ui/batch/batch_panel.h"

#include <algorithm>
#include <cmath>

#include <QBoxLayout>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSizeGrip>
#include <QSplitter>
#include <QStyledItemDelegate>

#include "engine/formats/files/write_file.h"
#include "ui/batch/batch_column_text.h"
#include "ui/document/background.h"
#include "ui/document/connections.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
namespace {

constexpr int kMinTableHeight = 68;  // header and two rows

QTableView* makeTable(const QString& name, QWidget* parent) {
    auto* table = new QTableView(parent);
    table->setAccessibleName(name);
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTextElideMode(Qt::ElideMiddle);
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

/// Draws a failed sample's problem as one line of text across the number cells of the row; each
/// cell shows a piece of the line.
class FailedRows : public QStyledItemDelegate {
  public:
    explicit FailedRows(QTableView* table) : QStyledItemDelegate(table), table_(*table) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem cell = option;
        const QString problem = index.data(BatchModel::kProblemRole).toString();
        if (problem.isEmpty()) return QStyledItemDelegate::paint(painter, option, index);
        initStyleOption(&cell, index);
        cell.text.clear();
        table_.style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, &table_);
        constexpr int kPadding = 8;
        QRect line = option.rect;
        line.setLeft(table_.columnViewportPosition(BatchModel::kFirstNumberColumn) + kPadding);
        line.setRight(table_.viewport()->width() - kPadding);
        painter->save();
        painter->setClipRect(option.rect);
        painter->setFont(option.font);
        painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(problem, Qt::ElideRight, line.width()));
        painter->restore();
    }

  private:
    QTableView& table_;
};

/// Short scientific notation: "1e-4", "1.5e-4".
QString tauText(double tau) {
    const QStringList parts = shortScientific(tau).split(QLatin1Char('e'));
    if (parts.size() != 2) return parts.front();
    return QString::number(parts[0].toDouble()) + QLatin1Char('e') + parts[1];
}

/// Width of the widest number expected in a column: a measure, or a time of several minutes in
/// milliseconds.
int widthOfNumbers(const QTableView& table) {
    const QFontMetrics metrics = table.fontMetrics();
    return std::max(metrics.horizontalAdvance(QStringLiteral("+00.000")),
                    metrics.horizontalAdvance(groupedCount(888'888)));
}

QString fitText(const FitViews& views) {
    return views.kind == FitViews::Kind::chosen ? BatchPanel::tr("fitted to the chosen views")
           : views.kind == FitViews::Kind::all
               ? BatchPanel::tr("fitted to all views")
               : BatchPanel::tr("fitted to %1 views").arg(views.count);
}

}  // namespace

BatchPanel::BatchPanel(const FeatureContext& context, BatchRun& run)
    : context_(context), run_(run), model_(run), meansModel_(run) {
    sorted_.setSourceModel(&model_);
    gripRow_ = new QWidget(this);
    gripRow_->setLayout(rowOf({stretch(), named(new QSizeGrip(gripRow_), "grip")}, 0));
    setLayout(columnOf({makeHead(), stretched(makeTables()), gripRow_}, 4));
    setFloating(false);

    refreshTimer_.setSingleShot(true);
    refreshTimer_.setInterval(100);
    connect(&refreshTimer_, &QTimer::timeout, this, &BatchPanel::refresh);
    const auto refreshSoon = [this] {
        if (!refreshTimer_.isActive()) refreshTimer_.start();
    };
    connect(&run_, &BatchRun::rowsAdded, &model_, &BatchModel::onRowsAppended);
    connect(&run_, &BatchRun::rowChanged, &model_, &BatchModel::onRowChanged);
    connectAll(&run_, this, refreshSoon, &BatchRun::rowsAdded, &BatchRun::rowChanged);
    connect(&run_, &BatchRun::planned, this, [this] {
        refreshChoices();
        refreshHead();
    });
    connect(&run_, &BatchRun::stateChanged, this, [this] {
        if (run_.records().empty()) {
            model_.reset();
            refreshChoices();
        }
        refresh();
    });
    refreshChoices();
    refresh();
}

QWidget* BatchPanel::makeHead() {
    auto* head = new QWidget(this);
    name_ = new ElidedLabel(head, Qt::ElideMiddle);
    name_->setMaximumWidth(320);
    protocol_ = named(new QComboBox(head), "protocol");
    protocol_->setAccessibleName(tr("Shown protocol"));
    settingsLabel_ = new ElidedLabel(head);
    setTextRole(*settingsLabel_, "muted");
    bar_ = new QProgressBar(head);
    bar_->setTextVisible(false);
    bar_->setFixedSize(120, 4);
    bar_->setAccessibleName(tr("Progress of the batch"));
    progress_ = roleLabel("muted", head);
    progress_->setFont(numberFont(font()));
    pause_ = named(flatButton({}, {}, head), "pause");
    cancel_ = named(flatButton(tr("Cancel"), tr("Stop the batch; results so far are kept"), head),
                    "cancel");
    report_ = named(flatButton(tr("Open report"), {}, head), "report");
    copy_ = flatButton(tr("Copy CSV"), tr("Copy the selected rows, or all, as CSV"), head);
    save_ = flatButton(tr("Save CSV…"), tr("Save all rows in the shown order as CSV"), head);
    head->setLayout(rowOf({name_, protocol_, stretched(settingsLabel_), bar_, progress_, pause_,
                           cancel_, report_, copy_, save_},
                          8, {16, 0, 8, 0}));
    connect(pause_, &QToolButton::clicked, this, [this] {
        if (run_.state() == BatchRun::State::running)
            run_.pause();
        else
            run_.resume();
    });
    connect(cancel_, &QToolButton::clicked, &run_, &BatchRun::cancel);
    connect(report_, &QToolButton::clicked, this,
            [this] { context_.status.openExternally(run_.report()); });
    connect(protocol_, &QComboBox::currentIndexChanged, this, [this] {
        model_.setProtocol(protocol());
        refresh();
    });
    connect(copy_, &QToolButton::clicked, this, &BatchPanel::copy);
    connect(save_, &QToolButton::clicked, this, &BatchPanel::save);
    return head;
}

QWidget* BatchPanel::makeTables() {
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    makeSampleTable(*split);
    auto* side = new QWidget(split);
    makeMeansTable(*side);
    makeHistogram(*side);
    side->setLayout(columnOf({stretched(means_), histogramRow_}));
    for (QTableView* table : {table_, means_}) table->setMinimumHeight(kMinTableHeight);
    split->addWidget(table_);
    split->addWidget(side);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    return split;
}

void BatchPanel::makeSampleTable(QWidget& parent) {
    table_ = named(makeTable(tr("Samples of the batch"), &parent), "samples");
    table_->setModel(&sorted_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setItemDelegate(new FailedRows(table_));
    table_->installEventFilter(this);
    for (int column = 0; column < model_.columnCount(); ++column) {
        const int title = table_->fontMetrics().horizontalAdvance(titleOf(columnAt(column)));
        constexpr int kNameWidth = 176;
        constexpr int kPadding = 20;
        const int sortArrow =
            kPadding + table_->fontMetrics().horizontalAdvance(QStringLiteral(" ▾"));
        const int number = widthOfNumbers(*table_);
        const int minimum =
            column < BatchModel::kFirstNumberColumn ? kNameWidth : number + sortArrow;
        table_->setColumnWidth(column, std::max(minimum, title + sortArrow));
    }
    connect(table_, &QAbstractItemView::clicked, this, &BatchPanel::choose);
}

void BatchPanel::makeMeansTable(QWidget& parent) {
    means_ = named(makeTable(tr("Means"), &parent), "means");
    means_->setModel(&meansModel_);
    means_->setSelectionMode(QAbstractItemView::NoSelection);
    for (int column = 0; column < meansModel_.columnCount(); ++column) {
        const int title = means_->fontMetrics().horizontalAdvance(
            meansModel_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        constexpr int kNameWidth = 88;
        constexpr int kPadding = 24;
        const int number = widthOfNumbers(*means_);
        means_->setColumnWidth(column, column == 0 ? std::max(kNameWidth, title + kPadding)
                                                   : std::max(number, title) + kPadding);
    }
}

void BatchPanel::makeHistogram(QWidget& parent) {
    histogramColumn_ = named(new QComboBox(&parent), "histogramColumn");
    histogramColumn_->setAccessibleName(tr("Column of the histogram"));
    histogramColumn_->setToolTip(tr("Column shown in the histogram"));
    histogram_ = new BatchHistogram(&parent);
    QBoxLayout* row = rowOf({histogramColumn_, stretched(histogram_)}, 16, {16, 0, 16, 8});
    row->setAlignment(histogramColumn_, Qt::AlignTop);
    histogramRow_ = new QWidget(&parent);
    histogramRow_->setLayout(row);
    connect(histogramColumn_, &QComboBox::currentIndexChanged, this, &BatchPanel::refresh);
}

// The hint is high enough for a dozen rows of samples.
QSize BatchPanel::sizeHint() const {
    constexpr int kRows = 12;
    constexpr int kBorders = 4;
    const int table = kBorders + table_->horizontalHeader()->height() +
                      kRows * table_->verticalHeader()->defaultSectionSize() +
                      table_->horizontalScrollBar()->sizeHint().height();
    const QSize hint = QWidget::sizeHint();
    return {hint.width(), hint.height() - table_->parentWidget()->sizeHint().height() + table};
}

QSize BatchPanel::minimumSizeHint() const {
    QSize minimum = QWidget::minimumSizeHint();
    minimum.setHeight(table_->mapTo(this, QPoint()).y() + kMinTableHeight);
    return minimum;
}

void BatchPanel::setFloating(bool floating) {
    constexpr QMargins kDocked(0, 4, 0, 0);
    constexpr QMargins kFloating(6, 4, 6, 6);
    gripRow_->setVisible(floating);
    layout()->setContentsMargins(floating ? kFloating : kDocked);
}

void BatchPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showHistogramIfItFits();
}

void BatchPanel::showHistogramIfItFits() {
    constexpr int kMaxRows = 6;
    const int rows = std::min(meansModel_.rowCount(), kMaxRows);
    const int means = rows * means_->verticalHeader()->defaultSectionSize() +
                      means_->horizontalHeader()->height() +
                      means_->horizontalScrollBar()->sizeHint().height();
    const int above = table_->mapTo(this, QPoint()).y();
    histogramRow_->setVisible(height() >= above + means + histogramRow_->sizeHint().height());
}

bool BatchPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) {
            choose(table_->currentIndex());
            return true;
        }
        if (key.matches(QKeySequence::Copy)) {
            copy();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

std::vector<SampleRecord> BatchPanel::chosenRecords() const {
    std::vector<int> rows;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    if (rows.empty())
        for (int row = 0; row < sorted_.rowCount(); ++row) rows.push_back(row);
    std::vector<SampleRecord> records;
    records.reserve(rows.size());
    for (const int row : rows)
        records.push_back(model_.record(sorted_.mapToSource(sorted_.index(row, 0)).row()));
    return records;
}

void BatchPanel::copy() {
    const std::size_t rows = chosenRecords().size();
    if (rows == 0) return;
    QApplication::clipboard()->setText(csv());
    context_.status.showMessage(tr("Copied %n row(s) as CSV", nullptr, static_cast<int>(rows)));
}

void BatchPanel::save() {
    askForSavePath({.parent = context_.window,
                    .title = tr("Save the table"),
                    .filters = {tr("Comma-separated values (*.csv)")},
                    .remembered = {{context_.settings, QStringLiteral("batch/saveFolder")}},
                    .name = QStringLiteral("batch.csv")},
                   *this, [this](const std::filesystem::path& file, const QString&) {
                       table_->clearSelection();
                       const std::string text = csv().toStdString();
                       inBackground(
                           this, [file, text] { writeFileAtomically(file, text); },
                           [this, name = pathText(file)] {
                               context_.status.showMessage(tr("Saved %1").arg(name));
                           },
                           [this](const ErrorReport& report) { context_.banner.show(report); });
                   });
}

QString BatchPanel::csv() const {
    const std::size_t index = protocol();
    return batchCsv(
        chosenRecords(), run_.overview().choices.measures.protocols[index], index,
        run_.overview().choices.fit ? fitRequestName(*run_.overview().choices.fit) : std::string());
}

std::size_t BatchPanel::protocol() const {
    const auto index = static_cast<std::size_t>(std::max(protocol_->currentIndex(), 0));
    return std::min(index, run_.overview().choices.measures.protocols.size() - 1);
}

void BatchPanel::refreshProtocols() {
    const RunChoices& choices = run_.overview().choices;
    const QSignalBlocker quiet(protocol_);
    const int previous = protocol_->currentIndex();
    protocol_->clear();
    for (const Protocol protocol : choices.measures.protocols) {
        protocol_->addItem(protocol == Protocol::published ? tr("published protocol")
                                                           : tr("surface protocol"));
        protocol_->setItemData(protocol_->count() - 1, protocolMeaning(protocol), Qt::ToolTipRole);
    }
    protocol_->setCurrentIndex(std::clamp(previous, 0, protocol_->count() - 1));
    model_.setProtocol(protocol());
}

void BatchPanel::refreshChoices() {
    refreshProtocols();
    const auto isShown = [this](const BatchColumn& column) {
        return (!column.belongsToFit() || run_.overview().choices.fit.has_value()) &&
               (!column.needsSurface() || hasDistances_);
    };
    for (int i = 0; i < model_.columnCount(); ++i)
        table_->setColumnHidden(i, !isShown(columnAt(i)));
    for (int i = 0; i < meansModel_.columnCount(); ++i)
        if (const BatchColumn* column = meansModel_.columnOf(i); column != nullptr)
            means_->setColumnHidden(i, !isShown(*column));
    const QSignalBlocker quiet(histogramColumn_);
    const QVariant previous = histogramColumn_->currentData();
    histogramColumn_->clear();
    for (const int index : histogramColumns()) {
        const BatchColumn& column = columnAt(index);
        if (isShown(column)) histogramColumn_->addItem(titleOf(column), index);
    }
    histogramColumn_->setCurrentIndex(std::max(histogramColumn_->findData(previous), 0));
}

void BatchPanel::refresh() {
    if (const bool has = anyHasDistances(run_.records()); has != hasDistances_) {
        hasDistances_ = has;
        refreshChoices();
    }
    meansModel_.refresh(protocol());
    histogram_->setRecords(run_.records(), columnAt(histogramColumn_->currentData().toInt()),
                           protocol());
    showHistogramIfItFits();
    refreshHead();
}

QString BatchPanel::stateText() const {
    using State = BatchRun::State;
    const State state = run_.state();
    if (state == State::idle) return {};
    const std::size_t done = run_.records().size();
    const std::size_t total = run_.overview().total;
    const std::size_t failures = run_.means().at("").failed;
    QStringList parts;
    parts << (total > 0         ? tr("%1 of %2").arg(groupedCount(done), groupedCount(total))
              : run_.isActive() ? tr("looking for samples…")
                                : tr("no samples"));
    if (failures > 0) parts << tr("%1 failed").arg(groupedCount(failures));
    const std::optional<double> left = run_.secondsLeft();
    if (state == State::running && done == total && total > 0)
        parts << tr("writing reports…");
    else if (state == State::running && left)
        parts << tr("%1 left").arg(durationText(*left));
    if (state == State::paused) parts << tr("paused");
    if (state == State::cancelled) parts << tr("cancelled");
    return parts.join(QStringLiteral(" · "));
}

void BatchPanel::refreshHead() {
    const bool idle = run_.state() == BatchRun::State::idle;
    const RunChoices& choices = run_.overview().choices;
    progress_->setText(stateText());
    progress_->setToolTip(run_.earlierCount() == 0
                              ? QString()
                              : tr("%1 of these samples were evaluated in an earlier run")
                                    .arg(groupedCount(run_.earlierCount())));
    name_->setFullText(idle ? tr("Nothing evaluated yet. Choose samples with Ctrl+B")
                            : run_.plan().name);
    const bool several = choices.measures.protocols.size() > 1;
    protocol_->setVisible(!idle && several);
    const QString meaning = protocolMeaning(choices.measures.protocols[protocol()]);
    protocol_->setToolTip(meaning);
    const QString tau = tr("τ = %1").arg(tauText(choices.measures.tau));
    QStringList settings{tau};
    if (!several) settings.prepend(protocol_->itemText(0));
    if (choices.fit && choices.fit->views) settings << fitText(*choices.fit->views);
    settingsLabel_->setFullText(
        idle ? QString() : settings.join(QStringLiteral(" · ")),
        tr("%1. Squared distances in object units², threshold %2").arg(meaning, tau));
    const auto total = static_cast<int>(std::max<std::size_t>(run_.overview().total, 1));
    bar_->setRange(0, total);
    bar_->setValue(std::min(total, static_cast<int>(run_.records().size())));
    refreshButtons();
}

void BatchPanel::refreshButtons() {
    using State = BatchRun::State;
    const State state = run_.state();
    bar_->setVisible(run_.isActive());
    pause_->setVisible(run_.isActive() || state == State::cancelled);
    pause_->setText(state == State::running ? tr("Pause") : tr("Resume"));
    pause_->setToolTip(state == State::running
                           ? tr("Leave the network to other reconstructions until you resume")
                           : tr("Evaluate the remaining samples and try failed ones again"));
    cancel_->setVisible(run_.isActive());
    report_->setVisible(state == State::done);
    const QString folder = pathText(run_.report().parent_path());
    report_->setToolTip(
        run_.keepsResults()
            ? tr("A page with tables, histograms and the worst samples, in %1").arg(folder)
            : tr("A page with tables, histograms and the worst samples. Deleted when the window "
                 "closes: choose an output folder to keep it"));
    const bool hasRows = !run_.records().empty();
    copy_->setEnabled(hasRows);
    save_->setEnabled(hasRows);
}

}  // namespace threefold::ui
