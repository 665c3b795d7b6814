#pragma once

#include "engine/evaluation/run/run_description.h"
#include "ui/document/log_store.h"
#include "ui/document/shown_document.h"
#include "ui/files/export_commands.h"
#include "ui/input/input_panel.h"
#include "ui/inspect/inspector.h"
#include "ui/panes/viewport.h"
#include "ui/run/reconstructor.h"
#include "ui/run/window_network.h"
#include "ui/shell/feature_context.h"

class QSplitter;
class QVBoxLayout;
class QVulkanInstance;

namespace threefold::ui {

class PaneHeaders;
class BatchFeature;
class CameraLayers;
class FirstPictureTasks;
class MeasuredMeshes;
class OpenedFiles;
class PhotographPane;
class ResultsList;

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
inline const QList<int> kDefaultInputHeights{660, 240};

/// Main window: views on the left, meshes in the middle, measures and timings on the right. A run
/// shows its first published mesh as soon as that mesh is ready and dims the previous numbers;
/// after a failed or cancelled run the previous result is shown again.
class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    explicit MainWindow(WindowSetup setup);
    ~MainWindow() override;

    /// The shown meshes and their look. Commands change only the document.
    Document& document() { return *document_; }
    Viewport& viewport() { return *viewport_; }
    OpenedFiles& files() { return *files_; }
    FirstPictureTasks& firstPictureTasks() { return *firstPictureTasks_; }
    void setTheme(ThemeChoice theme);
    void cancel() { client_->cancel(); }
    /// Emits pictureShown() again once the current scene is on the screen.
    void awaitPicture();

    // For tests.
    SampleOpener& opener() { return *reconstructor_; }
    /// The document with the values and textures of its meshes.
    const ShownDocument& shownDocument() const { return shown_; }
    MeasuredMeshes& measured() { return *measured_; }
    /// Sets the function that reads the system's current palette, regardless of the application's
    /// palette.
    void setSystemPaletteSource(std::function<QPalette()> read) {
        readSystemPalette_ = std::move(read);
    }
    InputPanel& input() { return *input_; }
    Inspector& inspector() { return *inspector_; }
    Banner& banner() { return *banner_; }
    StatusLine& statusLine() { return *status_; }
    ExportCommands& exports() { return *exports_; }
    BatchFeature& batch() { return *batch_; }

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
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool focusNextPrevChild(bool next) override;

  private:
    void buildLayout();
    void makeInputSide();
    QWidget* makeCentre();
    void makeInspectorSide();
    void connectDocument();
    void addFeatures();
    void addReconstructor(const WindowContext& context);
    void addExportFeatures(const FeatureContext& context, const WindowPanes& panes);
    WindowNetwork addRunFeatures(const FeatureContext& context);
    void addInputFeatures(const FeatureContext& context);
    void addInspectorFeatures(const FeatureContext& context, LiveUpdate& liveUpdate);
    void addPaneFeatures(const FeatureContext& context, const WindowPanes& panes);
    void addHelpFeatures(const FeatureContext& context, const WindowPanes& panes);
    void connectCancel();
    void connectPaneMenus(ResultsList& results);
    void connectPhotographs();
    void updateColours();
    void connectActions();
    void connectViewport();

    void showScene();
    void onPresented(quint64 serial);
    void logTimeOf(const char* event);
    void announcePartial();
    void announcePicture();
    void restoreDefaults();

    WindowSetup setup_;
    ThemeChoice theme_ = ThemeChoice::system;
    std::function<QPalette()> readSystemPalette_;

    QByteArray defaultDocks_;
    Document* document_;
    OpenedMeshValues* openedValues_;
    PhotographTextures* photographs_;
    const ShownDocument shown_;
    MeasuredMeshes* measured_ = nullptr;
    Actions* actions_ = nullptr;
    QSplitter* splitter_ = nullptr;
    QSplitter* inputSide_ = nullptr;
    QWidget* inspectorSide_ = nullptr;
    InputModel* inputModel_ = nullptr;
    InputPanel* input_ = nullptr;
    Banner* banner_ = nullptr;
    PaneHeaders* headers_ = nullptr;
    Viewport* viewport_ = nullptr;  // owned by its container
    QWidget* container_ = nullptr;
    QVBoxLayout* belowPanes_ = nullptr;
    Inspector* inspector_ = nullptr;
    StatusLine* status_ = nullptr;
    OpenedFiles* files_ = nullptr;
    ExportCommands* exports_ = nullptr;
    BatchFeature* batch_ = nullptr;
    Reconstructor* reconstructor_ = nullptr;
    FitRunner* fitRunner_ = nullptr;
    FirstPictureTasks* firstPictureTasks_ = nullptr;
    CameraLayers* cameraLayers_ = nullptr;
    PhotographPane* photographPane_ = nullptr;

    Stopwatch partialRunWatch_;       // since the run of the awaited partial result was posted
    std::uint64_t resultSerial_ = 0;  // scene that pictureShown() waits for; 0: none
    std::uint64_t firstSerialOfResult_ = 0;  // first scene with the document's result
    std::uint64_t partialSerial_ = 0;        // scene that partialShown() waits for; 0: none
    bool firstPicture_ = true;
    bool firstFrame_ = true;

    std::unique_ptr<NetworkClient> client_;
};

}  // namespace threefold::ui
