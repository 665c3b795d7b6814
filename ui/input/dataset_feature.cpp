#include "ui/input/dataset_feature.h"

#include <QAction>
#include <QCoreApplication>
#include <QFileDialog>
#include <QPointer>
#include <QSettings>
#include <QSplitter>
#include <QStandardPaths>
#include <QThreadPool>

#include "engine/error.h"
#include "engine/resources.h"
#include "engine/sample/data_set.h"
#include "ui/document/document.h"
#include "ui/input/dataset_browser.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/shell.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {
namespace {

const QString kRootKey = QStringLiteral("dataset/root");

std::filesystem::path bundledRoot() try {
    return bundledSamplesFolder() / "ShapeNetRendering";
} catch (const Error&) {
    return {};  // the program without its samples still opens those of others
}

}  // namespace

DatasetFeature::DatasetFeature(const WindowParts& parts)
    : QObject(&parts.window), parts_(parts), browser_(new DatasetBrowser) {
    parts.inputSide.addWidget(browser_);
    parts.inputSide.setStretchFactor(0, 0);
    parts.inputSide.setStretchFactor(1, 1);
    parts.inputSide.setSizes({660, 240});

    QAction* open =
        parts.actions.add(MenuName::file, tr("Open &data set…"), Qt::CTRL | Qt::SHIFT | Qt::Key_D,
                          tr("Browse a folder of items, such as ShapeNetRendering"));
    QAction* previous = parts.actions.add(MenuName::view, tr("P&revious item"), Qt::Key_BracketLeft,
                                          tr("Open the item before this one in the data set"));
    QAction* next = parts.actions.add(MenuName::view, tr("&Next item"), Qt::Key_BracketRight,
                                      tr("Open the item after this one in the data set"));
    previous->setShortcuts({Qt::Key_BracketLeft, Qt::ALT | Qt::Key_PageUp});
    next->setShortcuts({Qt::Key_BracketRight, Qt::ALT | Qt::Key_PageDown});

    connect(open, &QAction::triggered, this, &DatasetFeature::askForDataSet);
    connect(previous, &QAction::triggered, browser_, [this] { browser_->step(-1); });
    connect(next, &QAction::triggered, browser_, [this] { browser_->step(1); });
    connect(browser_, &DatasetBrowser::rootWanted, this, &DatasetFeature::askForDataSet);
    connect(browser_, &DatasetBrowser::itemChosen, this,
            [this](const std::filesystem::path& folder) { parts_.window.openSample(folder); });
    connect(&parts.document, &Document::resultChanged, this, &DatasetFeature::markShown);

    // Whatever way a folder came in: dropped, named on the command line, chosen in a dialog.
    connect(&parts.window, &Shell::requestFailed, this,
            [this](const ErrorReport& report) { tryAsDataSet(report.subject); });

    const QString kept = parts.settings.value(kRootKey).toString();
    const std::filesystem::path root =
        kept.isEmpty() ? bundledRoot() : std::filesystem::path(kept.toStdString());
    // Once the window stands: the scan is not what one waits for.
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
    const QPointer<DatasetFeature> self(this);
    QThreadPool::globalInstance()->start([self, folder] {
        if (folder.empty() || !isDataSet(folder)) return;
        QMetaObject::invokeMethod(qApp, [self, folder] {
            if (!self) return;
            self->parts_.banner.hide();
            self->parts_.status.say(tr("Browsing %1").arg(QString::fromStdString(folder.string())));
            self->openDataSet(folder);
        });
    });
}

void DatasetFeature::askForDataSet() {
    auto* dialog = new QFileDialog(&parts_.window, tr("Open a data set's folder"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    const QString home = QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
    dialog->setDirectory(parts_.settings.value(kRootKey, home).toString());
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& folder) { openDataSet(folder.toStdString()); });
    dialog->open();
}

void DatasetFeature::markShown() {
    const ResultRef& result = parts_.document.result();
    if (!result) return;
    const std::filesystem::path& folder = result->sample->renderingFolder;
    browser_->setOpen(folder.filename() == "rendering" ? folder.parent_path() : folder);
}

}  // namespace threefold::ui
