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

/// Waits for the window's first complete picture, which is drawn when no file is being read and no
/// computation for the picture is pending. Then saves the window, or quits. Child of the window.
/// GUI thread only.
class FirstPictureTasks : public QObject {
  public:
    /// Parts of the window that change the first picture, save it, or report why there is no
    /// picture.
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
    /// Closes the window after the first complete picture or, with a screenshot, once the
    /// screenshot is saved. Calls `fail` with the reason if the picture or the screenshot fails.
    void quitWhenReady(bool afterScreenshot, const std::function<void(const ErrorReport&)>& fail);

  private:
    bool isComplete() const;
    /// Calls `onReady` once, after the first complete picture.
    void whenReady(std::function<void()> onReady);

    MainWindow& window_;
    const Parts parts_;
};

}  // namespace threefold::ui
