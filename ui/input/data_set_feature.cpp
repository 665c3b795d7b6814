#include "ui/input/data_set_feature.h"

#include <utility>

#include <QAction>
#include <QSettings>
#include <QSplitter>

#include "engine/error.h"
#include "engine/resources.h"
#include "engine/sample/data_set.h"
#include "engine/sample/sample.h"
#include "engine/sample/view_candidates.h"
#include "ui/document/background.h"
#include "ui/document/view_cache.h"
#include "ui/input/input_panel.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
namespace {

const QString kRootKey = QStringLiteral("dataset/root");

std::filesystem::path bundledRoot() try {
    return bundledSamplesFolder() / kShapeNetRenderingFolder;
} catch (const Error&) {
    return {};  // no samples are installed
}

}  // namespace

DataSetFeature::DataSetFeature(const FeatureContext& context, InputPanel& input,
                               QSplitter& inputSide)
    : QObject(&context.window), context_(context), input_(input), browser_(new DataSetBrowser) {
    inputSide.addWidget(browser_);
    // Extra height goes mostly to the input panel, which shows the steps of the user's photographs.
    inputSide.setStretchFactor(0, 3);
    inputSide.setStretchFactor(1, 1);
    addCommands();
    connectBrowser();
    const QString savedRoot = context.settings.value(kRootKey).toString();
    const std::filesystem::path root =
        savedRoot.isEmpty() ? bundledRoot() : std::filesystem::path(savedRoot.toStdString());
    // The scan begins after the window is shown, since it must not delay the window.
    if (!root.empty()) {
        QMetaObject::invokeMethod(
            browser_, [this, root] { browser_->setRoot(root); }, Qt::QueuedConnection);
    }
}

void DataSetFeature::addCommands() {
    QAction* previous =
        context_.actions.add({.menu = MenuSection::view,
                              .text = tr("P&revious sample"),
                              .keys = Qt::Key_BracketLeft,
                              .tooltip = tr("Open the sample before this one in the data set")},
                             browser_, [this] { browser_->step(-1); });
    QAction* next =
        context_.actions.add({.menu = MenuSection::view,
                              .text = tr("&Next sample"),
                              .keys = Qt::Key_BracketRight,
                              .tooltip = tr("Open the sample after this one in the data set")},
                             browser_, [this] { browser_->step(1); });
    previous->setShortcuts({Qt::Key_BracketLeft, Qt::ALT | Qt::Key_PageUp});
    next->setShortcuts({Qt::Key_BracketRight, Qt::ALT | Qt::Key_PageDown});
}

void DataSetFeature::connectBrowser() {
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
    connect(browser_, &DataSetBrowser::failed, &context_.banner, &Banner::show);
    connect(&input_.model(), &InputModel::sampleChanged, this, [this] {
        const SampleRef& sample = input_.model().sample();
        const std::filesystem::path folder = sample ? sample->folder : "";
        browser_->setOpen(folder.filename() == "rendering" ? folder.parent_path() : folder);
    });
    connect(&context_.document.result, &ResultModel::changed, this, &DataSetFeature::readAhead);

    // The folder may come from a drop, the command line or a dialog.
    connect(&context_.opener, &SampleOpener::requestBegan, this, [this] { trialTask_.cancel(); });
    connect(&context_.opener, &SampleOpener::requestFailed, this,
            [this](const ErrorReport&, const auto& location) { tryAsDataSet(location); });
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
        this, trialTask_.restart(), [folder] { return isDataSet(folder); },
        [this, folder](bool dataSet) {
            if (!dataSet) return;
            context_.banner.hide();
            context_.status.showMessage(tr("Browsing %1").arg(pathText(folder)));
            openDataSetAndFirstSample(folder);
        },
        [](const ErrorReport&) {});  // the banner already reports that the folder is no sample
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
        [next, cache = input_.cache(), cancel = readAheadTask_.restart()] {
            const Sample sample = findSample(next);
            const auto read = [&](const Sample& from, int view) {
                return *cache->prefetch(from, view);
            };
            suggestedViews(sample, read, cancel);  // reads every view that it may suggest
        },
        [] {}, [](const ErrorReport&) {});  // opening the sample reports errors
}

DataSetFeature& addDataSetFeature(const FeatureContext& context, InputPanel& input,
                                  QSplitter& inputSide) {
    return *new DataSetFeature(context, input, inputSide);
}

}  // namespace threefold::ui
