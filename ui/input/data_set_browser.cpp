#include "ui/input/data_set_browser.h"

#include <utility>
#include <variant>

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QToolButton>

#include "engine/error.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/data_set.h"
#include "ui/document/background.h"
#include "ui/style/number_format.h"
#include "ui/style/path_text.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

constexpr int kPadding = 16;

}  // namespace

DataSetBrowser::DataSetBrowser(QWidget* parent)
    : QWidget(parent),
      count_(roleLabel("muted", this)),
      name_(new ElidedLabel(this, Qt::ElideLeft)),
      other_(flatButton(tr("Open…"), tr("Choose another data set's folder"), this,
                        tr("Open another data set"))),
      search_(named(new QLineEdit(this), "search")),
      tree_(new DataSetTree(thumbnails_, this)),
      progress_(new QWidget(this)),
      progressText_(roleLabel("muted", progress_)) {
    setTextRole(*name_, "muted");
    count_->setFont(numberFont(font()));
    progressText_->setFont(numberFont(font()));
    search_->setPlaceholderText(tr("Search category or sample"));
    search_->setAccessibleName(tr("Search category or sample"));
    search_->setToolTip(tr("Words in the category, its number or the sample's name"));
    search_->setClearButtonEnabled(true);
    tree_->setModel(&model_);
    name_->setMinimumWidth(1);    // elided as far as needed
    tree_->setMinimumHeight(56);  // two rows, where a dock leaves little height

    auto* stop = flatButton(tr("Stop"), tr("Stop the scan; samples found so far stay"), progress_);
    progress_->setLayout(rowOf({stretched(progressText_), stop}, 6, {kPadding, 0, 8, 4}));
    progress_->hide();
    setLayout(columnOf(
        {rowOf({roleLabel("heading", this, tr("DATA SET")), count_, stretched(name_), other_}, 8,
               {kPadding, 0, 8, 0}),
         rowOf({search_}, 0, {kPadding, 0, kPadding, 0}), spacing(2), stretched(tree_), progress_},
        4, {0, 8, 0, 0}));

    connect(search_, &QLineEdit::textChanged, this, &DataSetBrowser::filter);
    // Enter opens the first match.
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        const QModelIndex first = model_.neighbour({}, 1);
        if (first.isValid()) choose(first);
    });
    connect(tree_, &DataSetTree::sampleChosen, this, &DataSetBrowser::choose);
    connect(tree_, &QTreeView::expanded, this, [this](const QModelIndex& category) {
        if (!isFoldingByProgram_) unfolded_.insert(category.data().toString());
    });
    connect(tree_, &QTreeView::collapsed, this, [this](const QModelIndex& category) {
        if (!isFoldingByProgram_) unfolded_.erase(category.data().toString());
    });
    connect(&thumbnails_, &DataSetThumbnails::ready, tree_->viewport(),
            qOverload<>(&QWidget::update));
    connect(other_, &QToolButton::clicked, this, &DataSetBrowser::dataSetRequested);
    connect(stop, &QToolButton::clicked, this, [this] { scanTask_.cancel(); });
    refreshCounts();
}

// The progress row takes its height from the tree, since nothing above may move while the user
// clicks, and a splitter does not move back by itself.
QSize DataSetBrowser::minimumSizeHint() const {
    QSize minimum = layout()->totalMinimumSize();
    if (!progress_->isHidden()) {
        // The height comes from the layout, since the row's own hint may be out of date.
        const QLayoutItem* row = layout()->itemAt(layout()->indexOf(progress_));
        minimum.rheight() -= row->minimumSize().height() + layout()->spacing();
    }
    return minimum;
}

void DataSetBrowser::setRoot(const std::filesystem::path& root) {
    root_ = root;
    name_->setFullText(pathText(root));
    unfolded_.clear();
    revealsOpen_ = true;
    model_.clear(fileName(root));
    scan();
    progress_->show();
    refreshCounts();
}

// Runs in the background. The destructor cancels the scan without waiting.
void DataSetBrowser::scan() {
    scanning_ = true;
    const auto post = [this, self = QPointer<QObject>(this), scan = ++scanNumber_](auto call) {
        callOnGuiThread(self, [this, scan, call = std::move(call)] {
            if (scan == scanNumber_) call();
        });
    };
    const auto search = [this, root = root_, token = scanTask_.restart(), post] {
        std::vector<DataSetSample> batch;
        Stopwatch sinceFlush;
        const auto flush = [&] {
            post([this, samples = std::exchange(batch, {})] { append(samples); });
            sinceFlush = {};
        };
        walkDataSet(root, token, [&](DataSetSample sample) {
            constexpr std::size_t kMaxBatch = 1024;
            constexpr double kMaxMilliseconds = 60;
            batch.push_back(std::move(sample));
            if (batch.size() >= kMaxBatch || sinceFlush.milliseconds() > kMaxMilliseconds) flush();
        });
        if (!batch.empty()) flush();
    };
    // This is called after the flushes of `search`, since calls are queued in order.
    const auto finish = [this, scan = scanNumber_](const TaskResult<std::monostate>& outcome) {
        if (scan != scanNumber_) return;
        scanning_ = false;
        progress_->hide();
        refreshCounts();
        if (outcome.problem) Q_EMIT failed(*outcome.problem);
    };
    inBackground(this, search, finish, root_.string());
}

void DataSetBrowser::append(std::vector<DataSetSample> samples) {
    const bool first = model_.sampleCount() == 0;
    model_.append(std::move(samples));
    if (model_.isFiltered()) {
        isFoldingByProgram_ = true;
        tree_->expandAll();
        isFoldingByProgram_ = false;
    }
    // With one category there is nothing to choose between.
    if (first && model_.categoryCount() == 1) tree_->expand(model_.index(0, 0));
    if (revealsOpen_) revealOpen();
    refreshCounts();
    if (first) Q_EMIT firstFound();
}

void DataSetBrowser::setOpen(const std::filesystem::path& sampleFolder) {
    model_.setOpen(sampleFolder);
    revealsOpen_ = true;
    revealOpen();
}

void DataSetBrowser::revealOpen() {
    const QModelIndex open = model_.openIndex();
    if (!open.isValid()) return tree_->clearSelection();  // not found, or filtered out
    revealsOpen_ = false;
    tree_->expand(open.parent());
    tree_->setCurrentIndex(open);
    tree_->scrollTo(open);
}

QModelIndex DataSetBrowser::neighbourIndex(int step) const {
    QModelIndex from = tree_->currentIndex();
    if (!from.data(DataSetModel::kIsSampleRole).toBool()) from = model_.openIndex();
    return model_.neighbour(from, step);
}

void DataSetBrowser::step(int step) {
    const QModelIndex next = neighbourIndex(step);
    if (!next.isValid()) return;
    tree_->expand(next.parent());
    choose(next);
}

void DataSetBrowser::choose(const QModelIndex& sample) {
    tree_->setCurrentIndex(sample);
    tree_->scrollTo(sample);
    Q_EMIT sampleChosen(model_.folderOf(sample));
}

void DataSetBrowser::filter(const QString& words) {
    isFoldingByProgram_ = true;
    model_.setFilter(words);
    if (model_.isFiltered()) {
        tree_->expandAll();
    } else {
        for (int row = 0; row < model_.rowCount(); ++row) {
            const QModelIndex category = model_.index(row, 0);
            tree_->setExpanded(category, unfolded_.contains(category.data().toString()));
        }
    }
    isFoldingByProgram_ = false;
    const QModelIndex open = model_.openIndex();
    if (open.isValid()) tree_->setCurrentIndex(open);
    refreshCounts();
}

void DataSetBrowser::refreshCounts() {
    const auto total = static_cast<std::int64_t>(model_.sampleCount());
    const auto matching = static_cast<std::int64_t>(model_.matchCount());
    count_->setText(model_.isFiltered()
                        ? tr("%1 of %2").arg(groupedCount(matching), groupedCount(total))
                        : groupedCount(total));
    count_->setToolTip(tr("Samples that match the search, of all in the data set"));
    count_->setVisible(total > 0);
    progressText_->setText(tr("Looking for samples… %1").arg(groupedCount(total)));
    tree_->setEmptyText(root_.empty() ? tr("Open a data set's folder to browse it.")
                        : scanning_   ? QString()
                        : total == 0  ? tr("No samples in this folder. Choose the one that holds "
                                            "the categories, such as ShapeNetRendering.")
                                      : tr("Nothing matches the search."));
}

}  // namespace threefold::ui
