#include "ui/batch/batch_feature.h"

#include <memory>
#include <optional>

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QPointer>
#include <QSaveFile>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QThreadPool>

#include "ui/batch/batch_panel.h"
#include "ui/input/dataset_browser.h"
#include "ui/window/actions.h"
#include "ui/window/banner.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

namespace threefold::ui {
namespace {

const QString kFolderKey = QStringLiteral("batch/folder");
const QString kSaveKey = QStringLiteral("batch/saveFolder");

QString home() {
    return QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
}

std::optional<ErrorReport> writeText(const QString& file, const QString& text) {
    QSaveFile target(file);
    const QByteArray bytes = text.toUtf8();
    if (target.open(QIODevice::WriteOnly) && target.write(bytes) == bytes.size() &&
        target.commit()) {
        return std::nullopt;
    }
    return ErrorReport{file.toStdString(), "",
                       "cannot be written: " + target.errorString().toStdString(),
                       "Choose another folder, or make room on the disk."};
}

}  // namespace

BatchFeature::BatchFeature(const WindowParts& parts, DatasetBrowser& browser)
    : QObject(&parts.window),
      parts_(parts),
      browser_(browser),
      run_(parts.worker),
      dock_(new QDockWidget(tr("Batch evaluation"), &parts.window)),
      panel_(new BatchPanel(run_)) {
    dock_->setObjectName(QStringLiteral("batch"));
    dock_->setAllowedAreas(Qt::BottomDockWidgetArea | Qt::TopDockWidgetArea);
    dock_->setWidget(panel_);
    parts.window.addDockWidget(Qt::BottomDockWidgetArea, dock_);
    dock_->hide();

    QAction* list =
        parts.actions.add(MenuName::evaluate, tr("Evaluate a &list…"), Qt::CTRL | Qt::Key_B,
                          tr("Measure every item that a text file names"));
    QAction* folder = parts.actions.add(MenuName::evaluate, tr("Evaluate a &folder…"), {},
                                        tr("Measure every item in a folder, such as one category"));
    QAction* all = parts.actions.add(MenuName::evaluate, tr("Evaluate the &whole data set"),
                                     Qt::CTRL | Qt::SHIFT | Qt::Key_B,
                                     tr("Measure every item of the data set on the left"));
    QAction* show = parts.actions.add(MenuName::view, tr("&Batch evaluation"), Qt::Key_F10,
                                      tr("Show the table of the last batch"));
    show->setCheckable(true);
    connect(show, &QAction::triggered, dock_, &QWidget::setVisible);
    connect(dock_->toggleViewAction(), &QAction::toggled, show, &QAction::setChecked);
    connect(list, &QAction::triggered, this, [this] { ask(true); });
    connect(folder, &QAction::triggered, this, [this] { ask(false); });
    connect(all, &QAction::triggered, this, [this] {
        if (!browser_.root().empty()) evaluate(browser_.root());
    });
    connect(panel_, &BatchPanel::rowChosen, this, &BatchFeature::openRow);
    connect(panel_, &BatchPanel::saveWanted, this, &BatchFeature::save);
    connect(panel_, &BatchPanel::said, this,
            [this](const QString& text) { parts_.status.say(text); });
    connect(&run_, &BatchRun::failed, this,
            [this](const ErrorReport& report) { parts_.banner.show(report); });
}

void BatchFeature::evaluate(const std::filesystem::path& source) {
    BatchPlan plan;
    plan.source = source;
    plan.name = QString::fromStdString(source.filename().string());
    plan.imageRoot = browser_.root();
    dock_->show();
    dock_->raise();
    run_.start(std::move(plan));
}

void BatchFeature::ask(bool forList) {
    auto* dialog = new QFileDialog(&parts_.window, forList ? tr("Evaluate a list of items")
                                                           : tr("Evaluate a folder of items"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (forList) {
        dialog->setFileMode(QFileDialog::ExistingFile);
        dialog->setNameFilter(tr("Test lists (*.txt)"));
    } else {
        dialog->setFileMode(QFileDialog::Directory);
    }
    dialog->setDirectory(parts_.settings.value(kFolderKey, home()).toString());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& chosen) {
        parts_.settings.setValue(kFolderKey, QFileInfo(chosen).absolutePath());
        evaluate(chosen.toStdString());
    });
    dialog->open();
}

void BatchFeature::openRow(int row) {
    ++rowsAsked_;
    const BatchRow& chosen = run_.rows()[static_cast<std::size_t>(row)];
    SampleRef sample;
    std::vector<int> views;
    const auto meshes = run_.kept(static_cast<std::size_t>(row), sample, views);
    if (!meshes) {
        parts_.window.openSample(chosen.location, run_.plan().views);
        return;
    }
    // Reconstructed already: only what the window shows beside is made, off its thread.
    const auto answer = [self = QPointer(this), asked = ++rowsAsked_](auto what) {
        QMetaObject::invokeMethod(qApp, [self, asked, what = std::move(what)] {
            if (self && self->rowsAsked_ == asked) what(self->parts_);  // the last row wins
        });
    };
    QThreadPool::globalInstance()->start([answer, meshes, sample, views] {
        const auto refuse = [&](const ErrorReport& report) {
            answer([report](const WindowParts& parts) { parts.banner.show(report); });
        };
        try {
            const ResultRef result = makeResult(sample, views, *meshes);
            answer([result](const WindowParts& parts) { parts.window.show(result); });
        } catch (const Error& error) {
            refuse(error.report());
        } catch (const std::exception& error) {
            refuse({sample->renderingFolder.string(), "", error.what(), ""});
        }
    });
}

void BatchFeature::save() {
    auto* dialog = new QFileDialog(&parts_.window, tr("Save the table"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Comma-separated values (*.csv)"));
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->setDirectory(parts_.settings.value(kSaveKey, home()).toString());
    dialog->selectFile(QStringLiteral("batch.csv"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        parts_.settings.setValue(kSaveKey, QFileInfo(file).absolutePath());
        panel_->table().clearSelection();
        const QPointer<BatchFeature> self(this);
        QThreadPool::globalInstance()->start([self, file, rows = panel_->chosenRows()] {
            const auto problem = writeText(file, batchCsv(rows));
            QMetaObject::invokeMethod(qApp, [self, file, problem] {
                if (!self) return;
                if (problem) {
                    self->parts_.banner.show(*problem);
                } else {
                    self->parts_.status.say(BatchFeature::tr("Written: %1").arg(file));
                }
            });
        });
    });
    dialog->open();
}

}  // namespace threefold::ui
