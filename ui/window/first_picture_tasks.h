#pragma once

#include <filesystem>
#include <functional>

#include <QObject>

#include "engine/error.h"

namespace threefold::ui {

class Document;
class ExportCommands;
class FitRunner;
class MainWindow;
class OpenedFiles;
class PhotographTextures;
class SampleOpener;

/// Waits for the window's first complete picture, drawn when no file is being read and no
/// computation for it is pending. Then saves the window, or quits. Child of the window. GUI thread
/// only.
class FirstPictureTasks : public QObject {
  public:
    /// Parts of the window that change the first picture, save it, or report why there is none.
    struct Parts {
        Document& document;
        PhotographTextures& photographs;
        OpenedFiles& files;
        FitRunner& fitRunner;
        ExportCommands& exports;
        SampleOpener& opener;
    };

    /// The parts must outlive this object.
    FirstPictureTasks(MainWindow& window, const Parts& parts);

    /// Saves the window as a PNG file, once.
    void saveWindowWhenReady(const std::filesystem::path& screenshot);
    /// Closes the window after the first complete picture, or once the screenshot is saved; or
    /// calls `fail` with the reason why there is none.
    void quitWhenReady(bool afterScreenshot, const std::function<void(const ErrorReport&)>& fail);

  private:
    bool isComplete() const;
    /// Calls `onReady` once.
    void whenReady(std::function<void()> onReady);

    MainWindow& window_;
    const Parts parts_;
};

}  // namespace threefold::ui
