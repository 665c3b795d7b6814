#include "ui/files/export_commands.h"

#include <optional>
#include <utility>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QPainter>

#include "ui/document/background.h"
#include "ui/files/export_dialog.h"
#include "ui/files/file_kinds.h"
#include "ui/files/screenshot_dialog.h"
#include "ui/files/screenshot_progress.h"
#include "ui/files/screenshot_writer.h"
#include "ui/files/suggested_name.h"
#include "ui/panes/viewport.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/image_conversion.h"
#include "ui/style/path_text.h"

namespace threefold::ui {

ExportCommands::ExportCommands(const FeatureContext& context, const WindowPanes& panes,
                               const render::Instance& instance)
    : QObject(&context.window),
      context_(context),
      panes_(panes),
      screenshots_(new ScreenshotWriter(instance, this)) {
    context.status.add(*new ScreenshotProgress(*screenshots_));
    connect(screenshots_, &ScreenshotWriter::saved, this,
            [this](const QString& file) { reportSaved({file.toStdString()}); });
    connect(screenshots_, &ScreenshotWriter::failed, this, &ExportCommands::reportFailed);
    connect(screenshots_, &ScreenshotWriter::cancelled, this,
            [this] { context_.status.showMessage(tr("Cancelled; no picture was saved")); });
    connect(context.actions.exportMesh, &QAction::triggered, this,
            [this] { ask(exportDialog_, context_.shown, &ExportCommands::exportTo); });
    connect(context.actions.screenshot, &QAction::triggered, this, [this] {
        ask(screenshotDialog_, panes_.viewport.size(), &ExportCommands::askForFile);
    });
    for (const auto resized : {&QWindow::widthChanged, &QWindow::heightChanged}) {
        connect(&panes.viewport, resized, this, [this] {
            if (screenshotDialog_) screenshotDialog_->setPanes(panes_.viewport.size());
        });
    }
}

void ExportCommands::cancel() {
    screenshots_->cancel();
}

template <class Dialog, class Subject, class Done>
void ExportCommands::ask(QPointer<Dialog>& dialog, const Subject& subject, Done done) {
    if (!dialog) {
        dialog = new Dialog(subject, context_.settings, &context_.window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QDialog::accepted, this,
                [this, &dialog, done] { (this->*done)(dialog->choice()); });
    }
    dialog->show();
    dialog->raise();
}

void ExportCommands::askForFile(const ScreenshotChoice& choice) {
    const ResultRef& result = context_.document.result.current();
    const QString name = result
                             ? QString::fromStdString(suggestedName(*result->sample, result->views))
                             : QStringLiteral("threefold");
    askForSavePath({.parent = context_.window,
                    .title = tr("Save a screenshot"),
                    .filters = {tr("Pictures (*.png)")},
                    .remembered = {{context_.settings, QStringLiteral("files/exportFolder")}},
                    .name = name + ".png"},
                   *this, [this, choice](const std::filesystem::path& file, const QString&) {
                       if (choice.wholeWindow)
                           saveWindow(file);
                       else
                           savePanes(file, choice.pixels, choice.transparent, choice.labelled);
                   });
}

void ExportCommands::exportTo(const ExportChoice& choice) {
    const ExportSource source = exportSource(context_.shown, choice.coloured);
    const std::vector<ExportFile> files = exportFiles(source, choice);
    if (files.empty()) return;
    std::vector<std::filesystem::path> toWrite;
    for (const ExportFile& each : files) {
        toWrite.push_back(each.path);
        toWrite.insert(toWrite.end(), each.texture.begin(), each.texture.end());
    }
    if (!mayReplace(toWrite)) return;
    inBackground(
        this, [source, choice] { return exportMeshes(source, choice); },
        [this](const ExportedFiles& written) {
            QStringList notes;
            for (const std::string& note : written.notes) notes << QString::fromStdString(note);
            reportSaved(written.files, notes.join(QStringLiteral(" · ")));
        },
        [this](const ErrorReport& report) { reportFailed(report); }, files.back().path.string());
}

void ExportCommands::savePanes(const std::filesystem::path& file, QSize pixels, bool transparent,
                               bool labelled) {
    if (!mayReplace({file})) return;
    std::optional<render::Scene> scene = panes_.viewport.sceneFor(pixels);
    if (!scene) {
        reportNoPicture();
        return;
    }
    if (transparent) scene->background.w = 0;
    ScreenshotWriter::Job job{std::move(*scene), pixels, file};
    if (labelled) {
        job.labels = labelsOf(context_.shown, themeColours(context_.window.palette()),
                              context_.window.font());
    }
    screenshots_->write(std::move(job));
}

void ExportCommands::copyPane(std::size_t pane) {
    const QPointer<QObject> self(this);
    const render::PixelRect rect = panes_.viewport.cameras().rect(pane);
    const bool requested =
        panes_.viewport.grabPanes([this, self, rect](const TaskResult<Image>& panes) {
            callOnGuiThread(self, [this, rect, panes] {
                if (panes.problem) return context_.banner.show(*panes.problem);
                QGuiApplication::clipboard()->setImage(
                    toQImage(*panes.value).copy(rect.x, rect.y, rect.width, rect.height));
                context_.status.showMessage(tr("Copied the picture"));
            });
        });
    if (!requested) reportNoPicture();
}

void ExportCommands::saveWindow(const std::filesystem::path& file) {
    if (!mayReplace({file})) return;
    // The render thread calls back, possibly after this object is gone.
    const QPointer<QObject> self(this);
    const bool requested =
        panes_.viewport.grabPanes([this, self, file](const TaskResult<Image>& panes) {
            callOnGuiThread(self, [this, file, panes] {
                if (panes.problem) return reportFailed(*panes.problem);
                QImage picture = context_.window.grab().toImage();
                QPainter painter(&picture);
                painter.drawImage(QRect(panes_.container.mapTo(&context_.window, QPoint(0, 0)),
                                        panes_.container.size()),
                                  toQImage(*panes.value));
                painter.end();
                writeImage(file, picture);
            });
        });
    if (!requested) reportNoPicture();
}

bool ExportCommands::mayReplace(const std::vector<std::filesystem::path>& files) {
    for (const std::filesystem::path& file : files) {
        if (!context_.document.shows(file)) continue;
        reportFailed({file.string(), "", "is a file that the window shows", "Name another one."});
        return false;
    }
    return true;
}

void ExportCommands::writeImage(const std::filesystem::path& file, const QImage& image) {
    inBackground(
        this, [file, image] { writePng(file, fromQImage(image)); },
        [this, file] { reportSaved({file}); },
        [this](const ErrorReport& report) { reportFailed(report); }, file.string());
}

void ExportCommands::reportSaved(const std::vector<std::filesystem::path>& files,
                                 const QString& remark) {
    context_.status.showSavedFiles(files, remark);
    Q_EMIT saved(pathText(files.back()));
}

void ExportCommands::reportFailed(const ErrorReport& report) {
    context_.banner.show(report);
    Q_EMIT failed(report);
}

void ExportCommands::reportNoPicture() {
    context_.banner.show(
        {"screenshot", "", "there is no picture yet", "Wait for the first picture."});
}

ExportCommands& addExportCommands(const FeatureContext& context, const WindowPanes& panes,
                                  const render::Instance& instance) {
    return *new ExportCommands(context, panes, instance);
}

}  // namespace threefold::ui
