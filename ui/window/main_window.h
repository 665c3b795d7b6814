#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include <QPalette>

#include "engine/profile/stopwatch.h"
#include "engine/progress.h"
#include "render/device.h"
#include "ui/document/log_store.h"
#include "ui/document/result.h"
#include "ui/document/stage_history.h"
#include "ui/files/mesh_export.h"
#include "ui/panes/viewport.h"
#include "ui/run/worker.h"
#include "ui/shell/shell.h"
#include "ui/style/theme.h"

class QSettings;
class QSplitter;
class QVBoxLayout;
class QVulkanInstance;

namespace threefold::ui {

class Actions;
class Banner;
class Document;
class InputPanel;
class Inspector;
class PictureWriter;
class StatusLine;
struct ScreenshotChoice;

/// What the window stands on. All references must outlive it.
struct WindowSetup {
    const render::Instance& instance;
    QVulkanInstance& vulkan;  ///< made of `instance`
    QSettings& settings;
    BackendFactory makeBackend;  ///< called on the worker thread
    LogFunction log;             ///< called from several threads
    QPalette systemPalette;
    std::shared_ptr<LogStore> logged = nullptr;  ///< what `log` keeps; null: nothing keeps it yet
};

/// Three views on the left, coarse and refined mesh in the middle, measures and timings on the
/// right. It shows the last result until the next one is there; a failed or cancelled request
/// leaves everything as it was.
class MainWindow : public Shell {
    Q_OBJECT

  public:
    explicit MainWindow(WindowSetup setup);
    ~MainWindow() override;

    void openSample(const std::filesystem::path& location,
                    const std::vector<int>& views = {}) override;
    RequestId reconstruct() override;
    void show(const ResultRef& result) override;
    using Shell::show;
    void showInput(const SampleRef& sample, const std::vector<int>& views) override;
    void cancel();
    /// pictureShown() comes once more, with what is shown now on the screen.
    void awaitPicture();
    /// Writes the panes, as large as wished; the answer comes as saved() or in the banner.
    void savePanes(const std::filesystem::path& file, QSize pixels, bool transparent = false);
    /// The same for the whole window, at its own resolution.
    void saveWindow(const std::filesystem::path& file);
    void exportTo(const ExportChoice& choice);

    /// What is shown and how. Changing it is all a command has to do.
    Document& document() { return *document_; }
    void setTheme(ThemeChoice theme);
    void followSystem(const QPalette& palette) override;
    /// Panels and docks as in the first run.
    void resetLayout();

    Viewport& viewport() { return *viewport_; }
    InputPanel& input() { return *input_; }
    Inspector& inspector() { return *inspector_; }
    Banner& banner() { return *banner_; }
    StatusLine& statusLine() { return *status_; }

  Q_SIGNALS:
    /// The picture of a new result is on the screen.
    void pictureShown();
    /// Nothing can be drawn at all.
    void rendererFailed(const threefold::ErrorReport& report);
    void saved(const QString& file);
    void saveFailed(const threefold::ErrorReport& report);

  protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;

  private:
    void buildLayout();
    void connectDocument();
    void addFeatures(QVBoxLayout& belowPanes);
    void connectActions();
    void connectWorker();
    void connectViewport();

    void post(Request request);
    void take(const ResultRef& result);
    void showResult(const ResultRef& result);
    void endRun();
    void returnInputToShown();
    void showScene();
    void notePresented(quint64 serial);
    void askForSample();
    void askForExport();
    void askForScreenshot();
    void askWhereToSave(const ScreenshotChoice& choice);
    void inBackground(const QString& target, std::function<void()> work);
    void writeImage(const QString& file, const QImage& image);
    void saySaved(const QString& file);
    void saySaveFailed(const ErrorReport& report);
    void sayNoPicture();
    void showAbout();

    WindowSetup setup_;
    ThemeChoice theme_ = ThemeChoice::system;

    QByteArray firstDocks_;
    Document* document_;
    Actions* actions_ = nullptr;
    QSplitter* splitter_ = nullptr;
    QSplitter* inputSide_ = nullptr;
    QWidget* inspectorSide_ = nullptr;
    InputPanel* input_ = nullptr;
    Banner* banner_ = nullptr;
    Viewport* viewport_ = nullptr;  // owned by its container
    QWidget* container_ = nullptr;
    QVBoxLayout* belowPanes_ = nullptr;
    Inspector* inspector_ = nullptr;
    StatusLine* status_ = nullptr;
    PictureWriter* pictures_ = nullptr;

    StageHistory history_;
    Worker::Id latest_ = 0;
    bool latestOpens_ = false;  // it goes by a location, not by what the input panel shows
    Stopwatch sincePost_;
    std::uint64_t awaitedSerial_ = 0;  // of the scene with the newest result; 0: none awaited
    bool firstPicture_ = true;
    bool firstFrame_ = true;

    std::unique_ptr<Worker> worker_;
};

}  // namespace threefold::ui
