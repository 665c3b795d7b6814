#include "ui/batch/batch_feature.h"

#include <memory>
#include <optional>
#include <utility>

#include <QAction>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDockWidget>
#include <QFileDialog>
#include <QPointer>
#include <QSaveFile>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QThreadPool>
#include <QUrl>

#include "ui/batch/batch_dialog.h"
#include "ui/batch/batch_panel.h"
#include "ui/input/dataset_browser.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/shell.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {
namespace {

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

    QAction* many = parts.actions.add(
        MenuName::evaluate, tr("Evaluate &many…"), Qt::CTRL | Qt::Key_B,
        tr("Measure every item of a list or folder, and keep the results as `eval` does"));
    QAction* all = parts.actions.add(MenuName::evaluate, tr("Evaluate the &whole data set…"),
                                     Qt::CTRL | Qt::SHIFT | Qt::Key_B,
                                     tr("Measure every item of the data set on the left"));
    QAction* show = parts.actions.add(MenuName::view, tr("&Batch evaluation"), Qt::Key_F10,
                                      tr("Show the table of the last batch"));
    show->setCheckable(true);
    connect(show, &QAction::triggered, dock_, &QWidget::setVisible);
    connect(dock_->toggleViewAction(), &QAction::toggled, show, &QAction::setChecked);
    connect(many, &QAction::triggered, this, [this] { ask({}); });
    connect(all, &QAction::triggered, this, [this] { ask(browser_.root()); });
    connect(panel_, &BatchPanel::rowChosen, this, &BatchFeature::openRow);
    connect(panel_, &BatchPanel::saveWanted, this, &BatchFeature::save);
    connect(panel_, &BatchPanel::reportWanted, this, [this] {
        QDesktopServices::openUrl(
            QUrl::fromLocalFile(QString::fromStdString(run_.report().string())));
    });
    connect(panel_, &BatchPanel::said, this,
            [this](const QString& text) { parts_.status.say(text); });
    connect(&run_, &BatchRun::failed, this,
            [this](const ErrorReport& report) { parts_.banner.show(report); });
}

void BatchFeature::evaluate(const std::filesystem::path& source) {
    BatchPlan plan;
    plan.source = source;
    plan.name = QString::fromStdString(source.filename().string());
    evaluate(std::move(plan));
}

void BatchFeature::evaluate(BatchPlan plan) {
    plan.dataSet = browser_.root();
    dock_->show();
    dock_->raise();
    run_.start(std::move(plan));
}

void BatchFeature::ask(const std::filesystem::path& source) {
    auto* dialog = parts_.window.findChild<BatchDialog*>();
    if (dialog == nullptr) {
        dialog = new BatchDialog(parts_.settings, &parts_.window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QDialog::accepted, this, [this, dialog] { evaluate(dialog->plan()); });
    }
    if (!source.empty()) dialog->setSource(source);
    dialog->show();
    dialog->raise();
}

void BatchFeature::openRow(int row) {
    const auto session = run_.session();
    if (!session) return;
    const BatchRow& chosen = run_.rows()[static_cast<std::size_t>(row)];
    const std::size_t position = chosen.position;
    const bool failed = chosen.failed();
    // What is reconstructed already needs only what the window shows beside, made off its thread.
    const auto meshes = run_.kept(static_cast<std::size_t>(row));
    const auto answer = [self = QPointer(this), asked = ++rowsAsked_](auto what) {
        QMetaObject::invokeMethod(qApp, [self, asked, what = std::move(what)] {
            if (self && self->rowsAsked_ == asked) what(self->parts_);  // the last row wins
        });
    };
    QThreadPool::globalInstance()->start(
        [answer, session, position, meshes, failed, chosenViews = run_.choices().views] {
            const auto refuse = [&](const ErrorReport& report) {
                answer([report](const WindowParts& parts) { parts.banner.show(report); });
            };
            try {
                auto sample = std::make_shared<const Sample>(session->find(position));
                const std::vector<int> views =
                    chosenViews.empty() ? defaultViews(*sample) : chosenViews;
                if (meshes) {
                    const ResultRef result = makeResult(sample, views, *meshes);
                    answer([result](const WindowParts& parts) { parts.window.show(result); });
                } else {
                    answer([sample, views, failed](const WindowParts& parts) {
                        // One that failed may fail again, and then leaves everything as it is.
                        if (failed) return parts.window.openSample(sample->renderingFolder, views);
                        parts.window.showInput(sample, views);
                        parts.window.reconstruct();
                    });
                }
            } catch (const Error& error) {
                refuse(error.report());
            } catch (const std::exception& error) {
                refuse({"", "", error.what(), ""});
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
        QThreadPool::globalInstance()->start([self, file, csv = panel_->csv()] {
            const auto problem = writeText(file, csv);
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
