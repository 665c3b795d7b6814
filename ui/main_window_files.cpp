// Opening, exporting and saving: the part of MainWindow that deals with files. Nothing is read or
// written on the window's own thread.
#include <exception>
#include <memory>
#include <utility>

#include <QApplication>
#include <QFileDialog>
#include <QPainter>
#include <QPointer>
#include <QSettings>
#include <QStandardPaths>
#include <QThreadPool>

#include "ui/banner.h"
#include "ui/document.h"
#include "ui/export_dialog.h"
#include "ui/image_conversion.h"
#include "ui/main_window.h"
#include "ui/status_line.h"
#include "ui/viewport.h"

namespace threefold::ui {
namespace {

const QString kSampleFolderKey = QStringLiteral("files/sampleFolder");
const QString kExportFolderKey = QStringLiteral("files/exportFolder");

QString homeFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
}

const QString kPanesFilter = QStringLiteral("Both panes at double size (*.png)");
const QString kWindowFilter = QStringLiteral("The whole window (*.png)");

}  // namespace

void MainWindow::askForSample() {
    auto* dialog = new QFileDialog(this, QStringLiteral("Open a sample's folder"));
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
    if (!document_->result()) return;
    const QString folder = setup_.settings.value(kExportFolderKey, homeFolder()).toString();
    auto* dialog = new ExportDialog(document_->result(), folder, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const ExportChoice choice = dialog->choice();
        setup_.settings.setValue(kExportFolderKey, QString::fromStdString(choice.folder.string()));
        exportTo(choice);
    });
    dialog->open();
}

void MainWindow::askForScreenshot() {
    auto* dialog = new QFileDialog(this, QStringLiteral("Save a screenshot"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({kPanesFilter, kWindowFilter});
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->setDirectory(setup_.settings.value(kExportFolderKey, homeFolder()).toString());
    const ResultRef& result = document_->result();
    const QString name = result ? QString::fromStdString(result->sample->name()) : "threefold";
    dialog->selectFile(name + ".png");
    connect(dialog, &QFileDialog::fileSelected, this, [this, dialog](const QString& file) {
        constexpr double kDouble = 2.0;
        setup_.settings.setValue(kExportFolderKey, QFileInfo(file).absolutePath());
        if (dialog->selectedNameFilter() == kWindowFilter) {
            saveWindow(file.toStdString());
        } else {
            savePanes(file.toStdString(), kDouble);
        }
    });
    dialog->open();
}

void MainWindow::exportTo(const ExportChoice& choice) {
    if (!document_->result()) return;
    const auto files = exportFiles(*document_->result(), choice);
    if (files.empty()) return;
    inBackground(QString::fromStdString(files.back().path.string()),
                 [result = document_->result(), choice] { exportMeshes(*result, choice); });
}

void MainWindow::savePanes(const std::filesystem::path& file, double scale) {
    grabInto([this, target = QString::fromStdString(file.string())](
                 const QImage& image) { writeImage(target, image); },
             scale);
}

void MainWindow::saveWindow(const std::filesystem::path& file) {
    grabInto(
        [this, target = QString::fromStdString(file.string())](const QImage& panes) {
            QImage whole = grab().toImage();
            QPainter painter(&whole);
            painter.drawImage(QRect(container_->mapTo(this, QPoint(0, 0)), container_->size()),
                              panes);
            painter.end();
            writeImage(target, whole);
        },
        devicePixelRatioF());
}

void MainWindow::grabInto(std::function<void(const QImage&)> receive, double scale) {
    // The picture arrives on the render thread, perhaps when this window is gone.
    const QPointer<MainWindow> self(this);
    const bool asked =
        viewport_->grabPanes(scale, [self, receive = std::move(receive)](const Image& image) {
            QMetaObject::invokeMethod(qApp, [self, receive, picture = toQImage(image)] {
                if (self) receive(picture);
            });
        });
    if (!asked) {
        banner_->show(
            {"screenshot", "", "there is no picture yet", "Wait until the panes are drawn."});
    }
}

void MainWindow::writeImage(const QString& file, const QImage& image) {
    if (image.isNull()) {
        const ErrorReport problem{file.toStdString(), "",
                                  "the device cannot draw a picture of this size",
                                  "Make the window smaller."};
        banner_->show(problem);
        Q_EMIT saveFailed(problem);
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
            if (problem) {
                self->banner_->show(*problem);
                Q_EMIT self->saveFailed(*problem);
                return;
            }
            self->status_->say(QStringLiteral("Written: %1").arg(target));
            Q_EMIT self->saved(target);
        });
    });
}

}  // namespace threefold::ui
