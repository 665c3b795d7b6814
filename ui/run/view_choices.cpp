#include "ui/run/view_choices.h"

#include <algorithm>

#include <QHeaderView>

#include "engine/sample/view_candidates.h"
#include "ui/document/connections.h"
#include "ui/input/input_panel.h"
#include "ui/run/network_requests.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

double minAngle(const Sample& sample, const std::vector<int>& views) {
    double minimum = 180;
    for (const int view : views)
        for (const int other : views)
            if (view < other)
                minimum = std::min(
                    minimum, angleBetween(sample.cameraRows[static_cast<std::size_t>(view)],
                                          sample.cameraRows[static_cast<std::size_t>(other)]));
    return minimum;
}

}  // namespace

ViewChoices::ViewChoices(const FeatureContext& context, InputPanel& input,
                         NetworkRequests& requests)
    : QObject(&context.window),
      context_(context),
      input_(input),
      requests_(requests),
      trials_(new ViewTrials(context, input.model(), requests)),
      suggest_(context.actions.add(
          MenuSection::photographs, tr("Su&ggest three views"), Qt::SHIFT | Qt::Key_V,
          tr("Choose three views whose directions lie far apart and whose silhouettes differ"),
          this, &ViewChoices::suggest)),
      published_(context.actions.add(
          MenuSection::photographs, tr("Published &views %1").arg(numberList(kPublishedViews)), {},
          tr("Views of the published results"), this,
          [this] { input_.model().setViews(kPublishedViews, tr("published views")); })),
      tryAction_(context.actions.add(
          MenuSection::photographs, tr("&Try choices of views…"), Qt::CTRL | Qt::SHIFT | Qt::Key_V,
          tr("Reconstruct up to 40 choices of three views in the background and measure how "
             "well their silhouettes agree with all photographs"),
          this, &ViewChoices::tryChoices)) {
    auto* menu = new QMenu(&input);
    menu->addActions({suggest_, published_, tryAction_});
    QToolButton* button =
        flatButton(tr("Choose views ▾"), tr("Suggested, published or tried views"), &input,
                   tr("Choose views"));
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    QBoxLayout& row = input.choiceRow();
    row.addWidget(button);
    row.addStretch(1);
    const auto refresh = [this, button] {
        const SampleRef& sample = input_.model().sample();
        const bool hasChoice = sample && sample->viewCount() > kMinViews;
        suggest_->setEnabled(hasChoice);
        tryAction_->setEnabled(hasChoice);
        button->setEnabled(hasChoice);
        published_->setEnabled(sample && hasPublishedViews(*sample) &&
                               input_.model().selection().views() != kPublishedViews);
    };
    connect(&input.model(), &InputModel::stateChanged, this, refresh);
    refresh();
    connect(&input.model(), &InputModel::sampleChanged, this, [this] {
        suggestRequest_.cancel();
        trials_->stop();
        if (dialog_) dialog_->close();
    });
    connect(trials_, &ViewTrials::failed, &context.banner, &Banner::show);
}

void ViewChoices::suggest() {
    const SampleRef sample = input_.model().sample();
    if (!sample) return;
    const std::stop_token token = suggestRequest_.restart();
    inBackground(
        this, token,
        [sample, token, cache = requests_.views()] {
            const auto read = [&](const Sample& from, int view) {
                return *cache->prefetch(from, view);
            };
            return ViewChooser(viewCandidates(*sample, read, token)).best();
        },
        [this, sample](std::vector<int> views) {
            if (input_.model().sample() != sample) return;
            // Keeps the reference view first, so that the meshes keep their space.
            const std::vector<int>& current = input_.model().selection().views();
            if (const auto reference = std::ranges::find(views, current.front());
                reference != views.end())
                std::rotate(views.begin(), reference, reference + 1);
            const bool same = std::ranges::is_permutation(views, current);
            if (!same) input_.model().setViews(views, tr("suggested views"));
            const QString text = same ? tr("Views %1 are the suggested ones: at least %2° apart")
                                      : tr("Suggested views %1: at least %2° apart");
            context_.status.say(
                text.arg(numberList(views)).arg(minAngle(*sample, views), 0, 'f', 0));
        },
        [this](const ErrorReport& report) { context_.banner.show(report); });
}

void ViewChoices::tryChoices() {
    if (!input_.model().sample()) return;
    if (!dialog_) {
        dialog_ = new ViewTrialsDialog(*trials_, &context_.window);
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog_, &ViewTrialsDialog::chosen, this, &ViewChoices::choose);
        connect(dialog_, &QDialog::finished, trials_, &ViewTrials::stop);
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

void ViewChoices::choose(std::size_t index) {
    const ViewTrial trial = trials_->trials().at(index);
    // The edit requests a run; showing the tried result cancels it.
    input_.model().setViews(trial.views, tr("tried views"));
    context_.window.showResult(trial.result);
}

ViewTrialsDialog::ViewTrialsDialog(ViewTrials& trials, QWidget* parent)
    : QDialog(parent),
      trials_(trials),
      state_(new QLabel(this)),
      progress_(new QProgressBar(this)),
      table_(new QTableWidget(this)),
      start_(new QPushButton(this)) {
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
    setLayout(columnOf({text, progress_, state_, {table_, 1}, rowOf({start_, kStretch, close})}, 8,
                       {16, 16, 16, 16}));
    resize(460, 520);

    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(start_, &QPushButton::clicked, this,
            [this] { trials_.isRunning() ? trials_.stop() : trials_.start(); });
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
        const auto seconds = trials_.secondsForAll();
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
        if (std::ranges::is_permutation(trial.views, trials_.current()))
            remarks << tr("chosen before");
        if (std::ranges::is_permutation(trial.views, trials_.defaults())) remarks << tr("default");
        const QStringList texts{numberList(trial.views), fixed(trial.overlap, 3),
                                trial.f ? fixed(*trial.f, 2) : QStringLiteral("–"),
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
