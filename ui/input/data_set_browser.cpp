#include "ui/input/data_set_browser.h"

#include <utility>
#include <variant>

#include <QAction>
#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QSettings>
#include <QSplitter>
#include <QToolButton>

#include "engine/error.h"
#include "engine/profile/stopwatch.h"
#include "engine/resources.h"
#include "engine/sample/data_set.h"
#include "engine/sample/sample.h"
#include "engine/sample/view_candidates.h"
#include "ui/document/view_cache.h"
#include "ui/input/input_panel.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/elided_label.h"
#include "ui/style/number_format.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
namespace {

constexpr int kPadding = 16;

const QString kRootKey = QStringLiteral("dataset/root");

std::filesystem::path bundledRoot() try {
    return bundledSamplesFolder() / kDataSetFolder;
} catch (const Error&) {
    return {};  // installed without the samples
}

}  // namespace

DataSetBrowser::DataSetBrowser(QWidget* parent)
    : QWidget(parent),
      count_(roleLabel("muted", this)),
      name_(new ElidedLabel(this, Qt::ElideLeft)),
      other_(flatButton(tr("Open…"), tr("Choose another data set's folder"), this,
                        tr("Open another data set"))),
      search_(new QLineEdit(this)),
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
    tree_->setMinimumHeight(96);

    auto* stop = flatButton(tr("Stop"), tr("Stop the scan; samples found so far stay"), progress_);
    progress_->setLayout(rowOf({stretched(progressText_), stop}, 6, {kPadding, 0, 8, 4}));
    progress_->hide();
    setLayout(columnOf(
        {rowOf({roleLabel("heading", this, tr("DATA SET")), count_, stretch(), other_}, 8,
               {kPadding, 0, 8, 0}),
         rowOf({name_}, 0, {kPadding, 0, kPadding, 0}), spacing(2),
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
    connect(stop, &QToolButton::clicked, this, [this] { scan_.cancel(); });
    refreshCounts();
}

// The progress row takes its height from the tree: nothing above may move while the user clicks,
// and a splitter does not move back by itself.
QSize DataSetBrowser::minimumSizeHint() const {
    QSize minimum = layout()->totalMinimumSize();
    if (!progress_->isHidden()) {
        // From the layout: the row's own hint may be out of date.
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
        callLater(self, [this, scan, call = std::move(call)] {
            if (scan == scanNumber_) call();
        });
    };
    const auto search = [this, root = root_, token = scan_.restart(), post] {
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
    // Comes after the flushes of `search`: both are queued in the order of the calls.
    const auto finish = [this, scan = scanNumber_](const TaskResult<std::monostate>& outcome) {
        if (scan != scanNumber_) return;
        scanning_ = false;
        progress_->hide();
        refreshCounts();
        if (outcome.problem) Q_EMIT failed(*outcome.problem);
    };
    tryInBackground(this, search, finish, root_.string());
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
    if (!open.isValid()) return tree_->clearSelection();  // the sample lies outside the data set
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

DataSetFeature::DataSetFeature(const FeatureContext& context, InputPanel& input,
                               QSplitter& inputSide)
    : QObject(&context.window), context_(context), input_(input), browser_(new DataSetBrowser) {
    inputSide.addWidget(browser_);
    // A higher window has room for every step of one's own photographs.
    inputSide.setStretchFactor(0, 3);
    inputSide.setStretchFactor(1, 1);

    QAction* previous =
        context.actions.add({.menu = MenuSection::view,
                             .text = tr("P&revious sample"),
                             .keys = Qt::Key_BracketLeft,
                             .tooltip = tr("Open the sample before this one in the data set")},
                            browser_, [this] { browser_->step(-1); });
    QAction* next =
        context.actions.add({.menu = MenuSection::view,
                             .text = tr("&Next sample"),
                             .keys = Qt::Key_BracketRight,
                             .tooltip = tr("Open the sample after this one in the data set")},
                            browser_, [this] { browser_->step(1); });
    previous->setShortcuts({Qt::Key_BracketLeft, Qt::ALT | Qt::Key_PageUp});
    next->setShortcuts({Qt::Key_BracketRight, Qt::ALT | Qt::Key_PageDown});

    connect(browser_, &DataSetBrowser::dataSetRequested, this, &DataSetFeature::askForDataSet);
    connect(browser_, &DataSetBrowser::sampleChosen, this,
            [this](const std::filesystem::path& folder) { context_.opener.openSample(folder); });
    connect(browser_, &DataSetBrowser::firstFound, this, [this] {
        const Document& document = context_.document;
        const bool nothingShown = !document.result.current() &&
                                  !document.run.state().isReconstructing() &&
                                  document.opened.ids().empty();
        if (std::exchange(opensFirst_, false) && nothingShown) browser_->step(1);
    });
    connect(browser_, &DataSetBrowser::failed, &context.banner, &Banner::show);
    connect(&input.model(), &InputModel::sampleChanged, this, [this] {
        const SampleRef& sample = input_.model().sample();
        const std::filesystem::path folder = sample ? sample->renderingFolder : "";
        browser_->setOpen(folder.filename() == "rendering" ? folder.parent_path() : folder);
    });
    connect(&context.document.result, &ResultModel::changed, this, &DataSetFeature::readAhead);

    // The folder may come from a drop, the command line or a dialog.
    connect(&context.opener, &SampleOpener::requestBegan, this, [this] { trying_.cancel(); });
    connect(&context.opener, &SampleOpener::requestFailed, this,
            [this](const ErrorReport&, const auto& location) { tryAsDataSet(location); });

    const QString savedRoot = context.settings.value(kRootKey).toString();
    const std::filesystem::path root =
        savedRoot.isEmpty() ? bundledRoot() : std::filesystem::path(savedRoot.toStdString());
    // After the window is shown: the scan must not delay it.
    if (!root.empty()) {
        QMetaObject::invokeMethod(
            browser_, [this, root] { browser_->setRoot(root); }, Qt::QueuedConnection);
    }
}

void DataSetFeature::openDataSetAndFirstSample(const std::filesystem::path& folder) {
    openDataSet(folder);
    opensFirst_ = true;
}

void DataSetFeature::openDataSet(const std::filesystem::path& folder) {
    opensFirst_ = false;
    context_.settings.setValue(kRootKey, pathText(folder));
    browser_->setRoot(folder);
}

void DataSetFeature::tryAsDataSet(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    inBackground(
        this, trying_.restart(), [folder] { return isDataSet(folder); },
        [this, folder](bool dataSet) {
            if (!dataSet) return;
            context_.banner.hide();
            context_.status.showMessage(tr("Browsing %1").arg(pathText(folder)));
            openDataSetAndFirstSample(folder);
        },
        [](const ErrorReport&) {});  // the banner already has the report of opening it as a sample
}

void DataSetFeature::askForDataSet() {
    askForFolder(
        {.parent = context_.window,
         .title = tr("Open a data set's folder"),
         .folder = context_.settings.value(kRootKey).toString()},
        *this, [this](const std::filesystem::path& folder) { openDataSetAndFirstSample(folder); });
}

// Reads the next sample while the user looks at the current one.
void DataSetFeature::readAhead() {
    const std::filesystem::path next = browser_->neighbour(1);
    if (next.empty()) return;
    inBackground(
        this,
        [next, cache = input_.cache(), cancel = readAhead_.restart()] {
            const Sample sample = findSample(next);
            const auto read = [&](const Sample& from, int view) {
                return *cache->prefetch(from, view);
            };
            suggestedViews(sample, read, cancel);  // reads every view that it may suggest
        },
        [] {}, [](const ErrorReport&) {});  // opening the sample reports errors
}

}  // namespace threefold::ui
