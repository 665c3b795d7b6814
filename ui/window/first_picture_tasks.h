#pragma once

#include <filesystem>
#include <functional>

#include <QObject>

#include "ui/window/window_parts.h"

namespace threefold::ui {

class MainWindow;

/// Waits for the window's first complete picture, which is drawn when no file is being read and no
/// computation for the picture is pending. Then saves the window, or quits. Child of the window.
/// GUI thread only.
class FirstPictureTasks : public QObject {
  public:
    /// `opener` and the parts that `models` and `features` name must outlive this object.
    FirstPictureTasks(MainWindow& window, const WindowModels& models,
                      const WindowFeatures& features, SampleOpener& opener);

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
    const WindowModels models_;
    const WindowFeatures features_;
    SampleOpener& opener_;
};

}  // namespace threefold::ui
