#include "ui/run/view_trials_dialog.h"

#include <algorithm>

#include <QHeaderView>

#include "ui/document/connections.h"
#include "ui/style/number_format.h"
#include "ui/style/widgets.h"

namespace threefold::ui {

ViewTrialsDialog::ViewTrialsDialog(ViewTrials& trials, QWidget* parent)
    : QDialog(parent),
      trials_(trials),
      state_(new QLabel(this)),
      progress_(new QProgressBar(this)),
      table_(named(new QTableWidget(this), "choices")),
      start_(named(new QPushButton(this), "start")) {
    setWindowTitle(tr("Try choices of views"));
    auto* text = new QLabel(
        tr("Each choice is reconstructed in the background and measured by how much the "
           "mesh's silhouette overlaps the photographs, in all views of the sample. This "
           "needs no truth. Click a row to show its result, a heading to sort."),
        this);
    text->setWordWrap(true);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Choices tried"));
    table_->setColumnCount(4);
    table_->setHorizontalHeaderLabels({tr("views"), tr("overlap"), tr("F(τ) %"), tr("remark")});
    table_->setAccessibleName(tr("Choices of views"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setTabKeyNavigation(false);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setHighlightSections(false);
    auto* close = new QPushButton(tr("Close"), this);
    start_->setAutoDefault(false);
    close->setAutoDefault(false);
    setLayout(
        columnOf({text, progress_, state_, stretched(table_), rowOf({start_, stretch(), close})}, 8,
                 {16, 16, 16, 16}));
    resize(460, 520);

    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(start_, &QPushButton::clicked, this, [this] {
        if (trials_.isRunning())
            trials_.stop();
        else
            trials_.start();
    });
    const auto choose = [this](int row) {
        if (row >= 0) Q_EMIT chosen(rows_[static_cast<std::size_t>(row)]);
    };
    connect(table_->horizontalHeader(), &QHeaderView::sectionClicked, this,
            &ViewTrialsDialog::sortBy);
    // cellActivated() is for Enter. A style may emit both signals for one click, which chooses the
    // same row twice.
    connectAll(table_, this, choose, &QTableWidget::cellClicked, &QTableWidget::cellActivated);
    connect(&trials, &ViewTrials::changed, this, &ViewTrialsDialog::refresh);
    refresh();
}

QString ViewTrialsDialog::stateText() const {
    if (asks_) {
        const QString runs = tr("Runs the network up to %1 times").arg(ViewTrials::kMaxTrials);
        const auto seconds = trials_.expectedSeconds();
        return seconds ? tr("%1: about %2").arg(runs, durationText(*seconds)) : runs;
    }
    if (!trials_.isRunning()) return tr("%1 choices tried").arg(trials_.tried());
    if (trials_.planned() == 0) return tr("Reading the photographs…");
    const QString tried = tr("%1 of %2 choices tried").arg(trials_.tried()).arg(trials_.planned());
    const auto left = trials_.secondsLeft();
    return left ? tr("%1 · %2 left").arg(tried, durationText(*left)) : tried;
}

void ViewTrialsDialog::refresh() {
    const std::vector<ViewTrial>& trials = trials_.trials();
    asks_ = asks_ && !trials_.isRunning();
    const int planned = static_cast<int>(trials_.planned());
    progress_->setRange(0, std::max(planned, trials_.isRunning() ? 0 : 1));
    progress_->setValue(static_cast<int>(trials_.tried()));
    state_->setText(stateText());
    start_->setText(trials_.isRunning() ? tr("Stop") : asks_ ? tr("Start") : tr("Try again"));
    if (asks_) return table_->setRowCount(0);

    if (trials.size() < rows_.size()) rows_.clear();
    if (rows_.empty()) table_->horizontalHeader()->setSortIndicatorShown(false);
    while (rows_.size() < trials.size()) rows_.push_back(rows_.size());
    const auto best = std::ranges::max_element(trials, {}, &ViewTrial::overlap);
    table_->setRowCount(static_cast<int>(rows_.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const ViewTrial& trial = trials[rows_[static_cast<std::size_t>(row)]];
        const bool isBest = &trial == &*best;
        QStringList remarks;
        if (isBest) remarks << tr("best");
        if (std::ranges::is_permutation(trial.views, trials_.inputViews()))
            remarks << tr("chosen before");
        if (std::ranges::is_permutation(trial.views, trials_.defaultViews()))
            remarks << tr("default");
        const QStringList texts{numberList(trial.views), fixedText(trial.overlap, 3),
                                trial.f ? fixedText(*trial.f, 2) : QStringLiteral("–"),
                                remarks.join(QStringLiteral(", "))};
        QFont font = numberFont(table_->font());
        font.setBold(isBest);
        for (int column = 0; column < static_cast<int>(texts.size()); ++column) {
            auto* item = table_->item(row, column);
            if (item == nullptr) table_->setItem(row, column, item = new QTableWidgetItem);
            item->setFont(font);
            item->setText(texts[column]);
        }
    }
}

void ViewTrialsDialog::sortBy(int column) {
    enum Column { views, overlap, f, remark };
    if (column == remark) return;
    const std::vector<ViewTrial>& trials = trials_.trials();
    const int current = table_->currentRow();
    const std::size_t selected = current < 0 ? 0 : rows_[static_cast<std::size_t>(current)];
    std::ranges::sort(rows_, [&](std::size_t a, std::size_t b) {
        if (column == views) return trials[a].views < trials[b].views;
        if (column == f && trials[a].f != trials[b].f) return trials[a].f > trials[b].f;
        return trials[a].overlap > trials[b].overlap;
    });
    QHeaderView& header = *table_->horizontalHeader();
    header.setSortIndicator(column, column == views ? Qt::AscendingOrder : Qt::DescendingOrder);
    header.setSortIndicatorShown(true);
    refresh();
    if (current >= 0)
        table_->setCurrentCell(static_cast<int>(std::ranges::find(rows_, selected) - rows_.begin()),
                               0);
}

}  // namespace threefold::ui
