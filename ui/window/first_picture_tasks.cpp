#include "ui/window/first_picture_tasks.h"

#include <utility>

#include <QTimer>

#include "ui/files/opened_files.h"
#include "ui/window/main_window.h"

namespace threefold::ui {

FirstPictureTasks::FirstPictureTasks(MainWindow& window, const WindowModels& models,
                                     const WindowFeatures& features, SampleOpener& opener)
    : QObject(&window), window_(window), models_(models), features_(features), opener_(opener) {}

void FirstPictureTasks::saveWindowWhenReady(const std::filesystem::path& screenshot) {
    // Lets the panels repaint before the picture is taken.
    whenReady([this, screenshot] {
        QTimer::singleShot(0, this,
                           [this, screenshot] { features_.exports.saveWindow(screenshot); });
    });
}

void FirstPictureTasks::quitWhenReady(bool afterScreenshot,
                                      const std::function<void(const ErrorReport&)>& fail) {
    if (!afterScreenshot) whenReady([this] { window_.close(); });
    connect(&opener_, &SampleOpener::requestFailed, fail);
    for (const auto requested : {&OpenedFiles::listRequested, &OpenedFiles::modelRequested}) {
        connect(&features_.files, requested, [fail](const std::filesystem::path& file) {
            fail({file.string(), "", "cannot be shown in a screenshot",
                  "Use `threefold eval` for a list, and --model for a model."});
        });
    }
    connect(&features_.exports, &ExportCommands::failed, fail);
    connect(&features_.exports, &ExportCommands::saved, &window_, &QWidget::close);
}

bool FirstPictureTasks::isComplete() const {
    return !features_.files.tasks().isBusy() && !models_.document.run.state().isActive() &&
           !models_.document.fit.isPending() && !models_.photographs.isBusy();
}

void FirstPictureTasks::whenReady(std::function<void()> onReady) {
    // Only the first complete picture counts: the user may continue to work.
    connect(&window_, &MainWindow::pictureShown, this,
            [this, onReady = std::move(onReady), done = false]() mutable {
                if (done || !isComplete()) return;
                done = true;
                onReady();
            });
    // The last file that is read, the fit and its texture change the picture once more.
    connect(&models_.photographs, &PhotographTextures::changed, &window_,
            &MainWindow::awaitPicture);
    connect(&features_.fitRunner, &FitRunner::ended, &window_, &MainWindow::awaitPicture);
    connect(&features_.files.tasks(), &FileTasks::busyChanged, this, [this](bool busy) {
        if (!busy) window_.awaitPicture();
    });
}

}  // namespace threefold::ui
