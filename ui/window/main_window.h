#pragma once

#include "engine/evaluation/run/run_description.h"
#include "ui/document/document.h"
#include "ui/document/log_store.h"
#include "ui/files/export_commands.h"
#include "ui/input/input_panel.h"
#include "ui/inspect/inspector.h"
#include "ui/panes/viewport.h"
#include "ui/window/window_parts.h"

class QVulkanInstance;

namespace threefold::ui {

class FirstPictureTasks;

/// Parts and options of the window. All references must outlive the window.
struct WindowSetup {
    const render::Instance& instance;
    QVulkanInstance& vulkan;  ///< wraps `instance`
    QSettings& settings;
    NetworkSources networks;
    LogFunction log;  ///< not empty; called from several threads
    QPalette systemPalette;
    std::shared_ptr<LogStore> logStore;  ///< store of the lines written to `log`
    /// See WindowOptions::machineOf.
    std::function<MachineDescription(const NetworkInfo&)> machineOf = {};
};

/// Default heights of the window's left side, from the top: input panel, data set.
inline const QList<int> kDefaultInputHeights{620, 280};

/// The window's `geometry` (without its frame), made smaller and moved so that the window fits into
/// the screen's `available` area.
QRect fittingGeometry(const QRect& geometry, const QRect& available);

/// Main window: views on the left, meshes in the middle, measures and timings on the right. A run
/// shows its first published mesh as soon as that mesh is ready and dims the previous numbers, or
/// hides those of another sample; after a failed or cancelled run the previous result is shown
/// again.
class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    explicit MainWindow(WindowSetup setup);

    /// The shown meshes and their look. Commands change only the document.
    Document& document() { return parts_.models.document; }
    Viewport& viewport() { return parts_.layout.panes.viewport; }
    OpenedFiles& files() { return features_.files; }
    FirstPictureTasks& firstPictureTasks() { return firstPictureTasks_; }
    void setTheme(ThemeChoice theme);
    void cancel() { client_.cancel(); }
    /// Emits pictureShown() again once the current scene is on the screen.
    void awaitPicture();

    // For tests.
    SampleOpener& opener() { return parts_.context.opener; }
    /// The document with the values and textures of its meshes.
    const ShownDocument& shownDocument() const { return parts_.context.shown; }
    MeasuredMeshes& measured() { return parts_.context.measured; }
    /// Sets the function that reads the system's current palette, regardless of the application's
    /// palette.
    void setSystemPaletteSource(std::function<QPalette()> read) {
        readSystemPalette_ = std::move(read);
    }
    InputPanel& input() { return parts_.layout.input; }
    Inspector& inspector() { return parts_.layout.inspector; }
    Banner& banner() { return parts_.context.banner; }
    StatusLine& statusLine() { return parts_.context.status; }
    ExportCommands& exports() { return features_.exports; }
    BatchFeature& batch() { return features_.batch; }

  Q_SIGNALS:
    /// The partial result of the current run is on the screen.
    void partialShown();
    /// The picture of a new result, or of the scene of awaitPicture(), is on the screen.
    void pictureShown();
    /// The renderer has failed: nothing can be drawn.
    void rendererFailed(const threefold::ErrorReport& report);

  protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool focusNextPrevChild(bool next) override;

  private:
    void connectCommands();
    void connectViewport();
    void connectFocus();
    void connectPictures();
    void updateColours();
    void logTimeOf(const char* event);
    void announcePartial();
    void announcePicture();
    void restoreDefaults();

    WindowSetup setup_;
    std::function<QPalette()> readSystemPalette_;
    NetworkClient client_;  // destroyed before the widgets that receive its signals
    ThemeChoice theme_;     // before the widgets, which are made in its colours
    const WindowParts parts_;
    const WindowFeatures features_;
    FirstPictureTasks& firstPictureTasks_;

    QByteArray defaultDocks_;
    Stopwatch partialRunWatch_;  // since the run of the awaited partial result was posted
    bool firstPicture_ = true;
};

}  // namespace threefold::ui
