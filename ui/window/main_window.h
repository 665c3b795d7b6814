#pragma once

#include "ui/files/saving.h"
#include "ui/input/input_panel.h"
#include "ui/inspect/inspector.h"
#include "ui/panes/viewport.h"
#include "ui/run/reconstructor.h"
#include "ui/shell/window_parts.h"

class QVulkanInstance;

namespace threefold::ui {

class PaneHeaders;
class BatchFeature;
class CameraLayers;
class FitMode;
class OpenedFiles;

/// What the window is made of. All references must outlive it.
struct WindowSetup {
    const render::Instance& instance;
    QVulkanInstance& vulkan;  ///< made from `instance`
    QSettings& settings;
    NetworkOpener openNetwork;  ///< called on the network's thread
    LogFunction log;            ///< called from several threads
    QPalette systemPalette;
    std::shared_ptr<LogStore> logged;  ///< what `log` writes to
    NetworkChooser openChosen = {};    ///< another one; null: there is no other
    std::function<std::vector<std::string>()> devices = {};  ///< that it may name
    bool greets = false;  ///< explains the first picture until the user's first action
    Scheduler::Duration patience = Scheduler::kPatience;  ///< of lists with clicks
};

/// Three views on the left, coarse and refined mesh in the middle, measures and timings on the
/// right. A run shows its coarse mesh as soon as it is ready and dims what it will replace; after a
/// failed or cancelled run the previous result is shown again.
class MainWindow : public Shell {
    Q_OBJECT

  public:
    explicit MainWindow(WindowSetup setup);
    ~MainWindow() override;

    void openSample(const std::filesystem::path& location,
                    const std::vector<int>& views = {}) override {
        reconstructor_->openSample(location, views);
    }
    RequestId reconstruct() override { return reconstructor_->reconstruct(); }
    void showResult(const ResultRef& result) override { reconstructor_->showResult(result); }
    void showInput(const SampleRef& sample, const std::vector<int>& views) override {
        reconstructor_->showInput(sample, views);
    }
    void cancel() { worker_->cancel(); }
    /// Emits pictureShown() again once the present scene is on the screen.
    void awaitPicture();

    /// What is shown and how; commands change only the document.
    Document& document() { return *document_; }
    void setTheme(ThemeChoice theme);
    /// Reads the system's present palette, regardless of the application's own. For tests, too.
    void readSystemFrom(std::function<QPalette()> read) { readSystem_ = std::move(read); }
    Viewport& viewport() { return *viewport_; }
    InputPanel& input() { return *input_; }
    Inspector& inspector() { return *inspector_; }
    Banner& banner() { return *banner_; }
    StatusLine& statusLine() { return *status_; }
    OpenedFiles& files() { return *files_; }
    Saving& saving() { return *saving_; }
    BatchFeature& batch() { return *batch_; }
    FitMode& fits() { return *fits_; }

  Q_SIGNALS:
    /// The coarse mesh of the present run is on the screen.
    void coarseShown();
    /// The picture of a new result is on the screen.
    void pictureShown();
    /// Nothing can be drawn.
    void rendererFailed(const threefold::ErrorReport& report);

  protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool focusNextPrevChild(bool next) override;

  private:
    void buildLayout();
    void connectDocument();
    void addFeatures();
    void followTheme();
    void connectActions();
    void connectViewport();

    void showScene();
    void notePresented(quint64 serial);
    void restoreDefaults();

    WindowSetup setup_;
    ThemeChoice theme_ = ThemeChoice::system;
    std::function<QPalette()> readSystem_;

    QByteArray firstDocks_;
    Document* document_;
    Actions* actions_ = nullptr;
    QSplitter* splitter_ = nullptr;
    QSplitter* inputSide_ = nullptr;
    QWidget* inspectorSide_ = nullptr;
    InputPanel* input_ = nullptr;
    Banner* banner_ = nullptr;
    PaneHeaders* headers_ = nullptr;
    Viewport* viewport_ = nullptr;  // owned by its container
    QWidget* container_ = nullptr;
    QVBoxLayout* belowPanes_ = nullptr;
    Inspector* inspector_ = nullptr;
    StatusLine* status_ = nullptr;
    OpenedFiles* files_ = nullptr;
    Saving* saving_ = nullptr;
    BatchFeature* batch_ = nullptr;
    Reconstructor* reconstructor_ = nullptr;
    FitMode* fits_ = nullptr;
    CameraLayers* cameraLayers_ = nullptr;

    Stopwatch coarseSince_;            // the post of the run whose coarse mesh is awaited
    std::uint64_t awaitedSerial_ = 0;  // scene with the newest result; 0: none
    std::uint64_t awaitedCoarse_ = 0;  // scene with the newest coarse mesh; 0: none
    bool firstPicture_ = true;
    bool firstFrame_ = true;

    std::unique_ptr<Worker> worker_;
};

}  // namespace threefold::ui
