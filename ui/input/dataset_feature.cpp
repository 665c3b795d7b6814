#include "ui/input/dataset_feature.h"

#include <QAction>
#include <QSettings>
#include <QSplitter>

#include "engine/error.h"
#include "engine/resources.h"
#include "engine/sample/data_set.h"
#include "ui/document/background.h"
#include "ui/document/document.h"
#include "ui/input/dataset_browser.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/shell.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {
namespace {

const QString kRootKey = QStringLiteral("dataset/root");

std::filesystem::path bundledRoot() try {
    return bundledSamplesFolder() / kDataSetName;
} catch (const Error&) {
    return {};  // installed without the samples
}

}  // namespace

DatasetFeature::DatasetFeature(const WindowParts& parts)
    : QObject(&parts.window), parts_(parts), browser_(new DatasetBrowser) {
    parts.inputSide.addWidget(browser_);
    parts.inputSide.setStretchFactor(0, 0);
    parts.inputSide.setStretchFactor(1, 1);
    parts.inputSide.setSizes({660, 240});

    QAction* previous = parts.actions.add(MenuName::view, tr("P&revious item"), Qt::Key_BracketLeft,
                                          tr("Open the item before this one in the data set"));
    QAction* next = parts.actions.add(MenuName::view, tr("&Next item"), Qt::Key_BracketRight,
                                      tr("Open the item after this one in the data set"));
    previous->setShortcuts({Qt::Key_BracketLeft, Qt::ALT | Qt::Key_PageUp});
    next->setShortcuts({Qt::Key_BracketRight, Qt::ALT | Qt::Key_PageDown});

    connect(previous, &QAction::triggered, browser_, [this] { browser_->step(-1); });
    connect(next, &QAction::triggered, browser_, [this] { browser_->step(1); });
    connect(browser_, &DatasetBrowser::rootWanted, this, &DatasetFeature::askForDataSet);
    connect(browser_, &DatasetBrowser::itemChosen, this,
            [this](const std::filesystem::path& folder) { parts_.window.openSample(folder); });
    connect(&parts.document, &Document::resultChanged, this, &DatasetFeature::markShown);

    // A folder may come from a drop, the command line or a dialog.
    connect(&parts.window, &Shell::requestFailed, this,
            [this](const ErrorReport& report) { tryAsDataSet(report.subject); });

    const QString kept = parts.settings.value(kRootKey).toString();
    const std::filesystem::path root =
        kept.isEmpty() ? bundledRoot() : std::filesystem::path(kept.toStdString());
    // After the window is shown: the scan must not delay it.
    if (!root.empty()) {
        QMetaObject::invokeMethod(
            browser_, [this, root] { browser_->setRoot(root); }, Qt::QueuedConnection);
    }
}

void DatasetFeature::openDataSet(const std::filesystem::path& folder) {
    parts_.settings.setValue(kRootKey, QString::fromStdString(folder.string()));
    browser_->setRoot(folder);
}

void DatasetFeature::tryAsDataSet(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    inBackground(
        this, [folder] { return isDataSet(folder); },
        [this, folder](bool dataSet) {
            if (!dataSet) return;
            parts_.banner.hide();
            parts_.status.say(tr("Browsing %1").arg(QString::fromStdString(folder.string())));
            openDataSet(folder);
        },
        [](const ErrorReport&) {});  // the banner already has the report of opening it as a sample
}

void DatasetFeature::askForDataSet() {
    askForFolder({.parent = parts_.window,
                  .title = tr("Open a data set's folder"),
                  .folder = parts_.settings.value(kRootKey).toString()},
                 *this, [this](const std::filesystem::path& folder) { openDataSet(folder); });
}

void DatasetFeature::markShown() {
    const ResultRef& result = parts_.document.result();
    if (!result) return;
    const std::filesystem::path& folder = result->sample->renderingFolder;
    browser_->setOpen(folder.filename() == "rendering" ? folder.parent_path() : folder);
}

}  // namespace threefold::ui
