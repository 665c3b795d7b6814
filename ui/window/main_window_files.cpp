// Opening, exporting and saving: the part of MainWindow that deals with files. Nothing is read or
// written on the window's own thread.
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include <QApplication>
#include <QFileDialog>
#include <QPainter>
#include <QPointer>
#include <QSettings>
#include <QStandardPaths>
#include <QThreadPool>

#include "ui/document/document.h"
#include "ui/files/export_dialog.h"
#include "ui/files/picture_writer.h"
#include "ui/files/screenshot_dialog.h"
#include "ui/panes/viewport.h"
#include "ui/shell/banner.h"
#include "ui/shell/status_line.h"
#include "ui/style/image_conversion.h"
#include "ui/window/main_window.h"

namespace threefold::ui {
namespace {

const QString kSampleFolderKey = QStringLiteral("files/sampleFolder");
const QString kExportFolderKey = QStringLiteral("files/exportFolder");

QString homeFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
}

}  // namespace

void MainWindow::askForSample() {
    auto* dialog = new QFileDialog(this, tr("Open a sample's folder"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setDirectory(setup_.settings.value(kSampleFolderKey, homeFolder()).toString());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        setup_.settings.setValue(kSampleFolderKey, QFileInfo(folder).absolutePath());
        openSample(folder.toStdString());
    });
    dialog->open();
}

void MainWindow::askForExport() {
    auto* dialog = findChild<ExportDialog*>();
    if (dialog == nullptr) {
        dialog = new ExportDialog(*document_, setup_.settings, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QDialog::accepted, this, [this, dialog] { exportTo(dialog->choice()); });
    }
    dialog->show();
    dialog->raise();
}

void MainWindow::askForScreenshot() {
    auto* dialog = findChild<ScreenshotDialog*>();
    if (dialog == nullptr) {
        dialog = new ScreenshotDialog(viewport_->size(), setup_.settings, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QDialog::accepted, this,
                [this, dialog] { askWhereToSave(dialog->choice()); });
    }
    dialog->show();
    dialog->raise();
}

void MainWindow::askWhereToSave(const ScreenshotChoice& choice) {
    auto* dialog = new QFileDialog(this, tr("Save a screenshot"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Pictures (*.png)"));
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->setDirectory(setup_.settings.value(kExportFolderKey, homeFolder()).toString());
    const ResultRef& result = document_->result();
    const QString name = result ? QString::fromStdString(result->sample->name()) : "threefold";
    dialog->selectFile(name + ".png");
    connect(dialog, &QFileDialog::fileSelected, this, [this, choice](const QString& file) {
        setup_.settings.setValue(kExportFolderKey, QFileInfo(file).absolutePath());
        if (choice.wholeWindow) {
            saveWindow(file.toStdString());
        } else {
            savePanes(file.toStdString(), choice.pixels, choice.transparent);
        }
    });
    dialog->show();
}

void MainWindow::exportTo(const ExportChoice& choice) {
    const ExportSource source = exportSource(*document_, choice.coloured);
    const auto files = exportFiles(source, choice);
    if (files.empty()) return;
    inBackground(QString::fromStdString(files.back().path.string()),
                 [source, choice] { exportMeshes(source, choice); });
}

void MainWindow::savePanes(const std::filesystem::path& file, QSize pixels, bool transparent) {
    std::optional<render::Scene> scene = viewport_->sceneFor(pixels);
    if (!scene) {
        sayNoPicture();
        return;
    }
    if (transparent) scene->background.w = 0;
    pictures_->write({std::move(*scene), pixels, file});
}

void MainWindow::saveWindow(const std::filesystem::path& file) {
    // The picture arrives on the render thread, perhaps when this window is gone.
    const QPointer<MainWindow> self(this);
    const QString target = QString::fromStdString(file.string());
    const bool asked = viewport_->grabPanes([self, target](const Image& image) {
        QMetaObject::invokeMethod(qApp, [self, target, panes = toQImage(image)] {
            if (!self) return;
            QImage whole = self->grab().toImage();
            QPainter painter(&whole);
            const QWidget& place = *self->container_;
            painter.drawImage(QRect(place.mapTo(self, QPoint(0, 0)), place.size()), panes);
            painter.end();
            self->writeImage(target, panes.isNull() ? panes : whole);
        });
    });
    if (!asked) sayNoPicture();
}

void MainWindow::sayNoPicture() {
    banner_->show({"screenshot", "", "there is no picture yet", "Wait until the panes are drawn."});
}

void MainWindow::writeImage(const QString& file, const QImage& image) {
    if (image.isNull()) {
        const ErrorReport problem{file.toStdString(), "",
                                  "the device cannot draw a picture of this size",
                                  "Choose a smaller size."};
        saySaveFailed(problem);
        return;
    }
    inBackground(file, [file, image] { writePng(file.toStdString(), fromQImage(image)); });
}

void MainWindow::inBackground(const QString& target, std::function<void()> work) {
    const QPointer<MainWindow> self(this);
    QThreadPool::globalInstance()->start([self, target, work = std::move(work)] {
        std::shared_ptr<const ErrorReport> problem;
        try {
            work();
        } catch (const Error& error) {
            problem = std::make_shared<const ErrorReport>(error.report());
        } catch (const std::exception& error) {
            problem = std::make_shared<const ErrorReport>(
                ErrorReport{target.toStdString(), "", error.what(), ""});
        }
        QMetaObject::invokeMethod(qApp, [self, target, problem] {
            if (!self) return;
            problem ? self->saySaveFailed(*problem) : self->saySaved(target);
        });
    });
}

void MainWindow::saySaved(const QString& file) {
    status_->say(tr("Written: %1").arg(file));
    Q_EMIT saved(file);
}

void MainWindow::saySaveFailed(const ErrorReport& report) {
    banner_->show(report);
    Q_EMIT saveFailed(report);
}

}  // namespace threefold::ui
