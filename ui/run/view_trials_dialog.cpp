#include "ui/run/view_trials_dialog.h"

#include <algorithm>

#include <QBoxLayout>
#include <QHeaderView>

#include "ui/style/number_format.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
ViewTrialsDialog::ViewTrialsDialog(ViewTrials& trials, QWidget* parent)
    : QDialog(parent),
      trials_(trials),
      state_(new QLabel(this)),
      progress_(new QProgressBar(this)),
      table_(new QTableWidget(this)),
      stop_(new QPushButton(this)) {
    setWindowTitle(tr("Try choices of views"));
    auto* text = new QLabel(
        tr("Each choice is reconstructed in the background and ranked by how much the refined "
           "mesh's silhouette overlaps the photographs, in all views of the sample. This needs no "
           "truth. Click a row to show its result."),
        this);
    text->setWordWrap(true);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Choices tried"));
    table_->setColumnCount(4);
    table_->setHorizontalHeaderLabels({tr("views"), tr("overlap"), tr("F(τ) %"), tr("remark")});
    table_->setAccessibleName(tr("Choices of views, the best first"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setTabKeyNavigation(false);
    table_->setShowGrid(false);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setHighlightSections(false);
    auto* close = new QPushButton(tr("Close"), this);
    stop_->setAutoDefault(false);
    close->setAutoDefault(false);
    setLayout(columnOf({text, progress_, state_, {table_, 1}, rowOf({stop_, kGrowing, close})}, 8,
                       {16, 16, 16, 16}));
    resize(460, 520);

    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(stop_, &QPushButton::clicked, this, [this] {
        if (trials_.running())
            trials_.stop();
        else
            Q_EMIT startAsked();
    });
    const auto choose = [this](int row) {
        if (row >= 0) Q_EMIT chosen(static_cast<std::size_t>(row));
    };
    // Enter too; a style may make one click activate as well, which chooses the same row twice.
    connect(table_, &QTableWidget::cellClicked, this, choose);
    connect(table_, &QTableWidget::cellActivated, this, choose);
    connect(&trials, &ViewTrials::changed, this, &ViewTrialsDialog::refresh);
    refresh();
}

void ViewTrialsDialog::setKnown(const std::vector<int>& current, const std::vector<int>& usual) {
    current_ = current;
    usual_ = usual;
}

QString ViewTrialsDialog::remarkOn(const std::vector<int>& views) const {
    QStringList remarks;
    if (std::ranges::is_permutation(views, current_)) remarks << tr("chosen before");
    if (std::ranges::is_permutation(views, usual_)) remarks << tr("usual");
    return remarks.join(QStringLiteral(", "));
}

void ViewTrialsDialog::refresh() {
    const std::vector<ViewTrial>& ranking = trials_.ranking();
    const int planned = static_cast<int>(trials_.planned());
    progress_->setRange(0, std::max(planned, trials_.running() ? 0 : 1));
    progress_->setValue(static_cast<int>(trials_.tried()));
    state_->setText(trials_.running()
                        ? tr("%1 of %2 choices tried…").arg(trials_.tried()).arg(planned)
                        : tr("%1 choices tried").arg(trials_.tried()));
    stop_->setText(trials_.running() ? tr("Stop") : tr("Try again"));

    // The selected choice stays selected while others come in above it.
    const int selected = table_->currentRow();
    const QString selectedViews =
        selected >= 0 && table_->item(selected, 0) ? table_->item(selected, 0)->text() : QString();
    table_->setRowCount(static_cast<int>(ranking.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const ViewTrial& trial = ranking[static_cast<std::size_t>(row)];
        const QString f = trial.f ? fixed(*trial.f, 2) : QStringLiteral("–");
        const QStringList texts{numberList(trial.views), fixed(trial.overlap, 3), f,
                                remarkOn(trial.views)};
        for (int column = 0; column < static_cast<int>(texts.size()); ++column) {
            auto* item = table_->item(row, column);
            if (item == nullptr) {
                item = new QTableWidgetItem;
                item->setFont(numberFont(table_->font()));
                table_->setItem(row, column, item);
            }
            item->setText(texts[column]);
        }
        if (!selectedViews.isEmpty() && texts.front() == selectedViews && row != selected)
            table_->setCurrentCell(row, 0);
    }
}

}  // namespace threefold::ui
