#include "ui/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QScreen>
#include <QSplitter>

#include "engine/system/process_age.h"
#include "ui/document/connections.h"
#include "ui/document/opened_mesh_values.h"
#include "ui/document/photograph_textures.h"
#include "ui/inspect/measures_table.h"
#include "ui/panes/header_text.h"
#include "ui/panes/make_scene.h"
#include "ui/style/number_format.h"
#include "ui/style/path_text.h"
#include "ui/style/tool_tips.h"

namespace threefold::ui {
namespace {

const QString kGeometryKey = QStringLiteral("window/geometry");
const QString kSplitterKey = QStringLiteral("window/splitter");
const QString kInputSplitterKey = QStringLiteral("window/inputSplitter");
const QString kDocksKey = QStringLiteral("window/docks");
const QString kThemeKey = QStringLiteral("window/theme");

QString titleOf(const Sample& sample, const std::vector<int>& chosen) {
    return MainWindow::tr("%1 — views %2").arg(sampleTitle(sample), numberList(chosen));
}

/// Title of the window. `input`: sample and views in the slots.
QString titleOf(const Document& document, const InputState& input) {
    const QString title = QStringLiteral("Threefold");
    if (const ReconstructionRun* run = document.run.state().reconstruction())
        return !run->sample ? MainWindow::tr("Opening… — %1").arg(title)
                            : MainWindow::tr("%1 — reconstructing… — %2")
                                  .arg(titleOf(*run->sample, run->views), title);
    if (document.run.showsAnotherSample() && input.sample)
        return MainWindow::tr("%1 — %2").arg(titleOf(*input.sample, input.selection.views()),
                                             title);
    const ResultRef& result = document.result.current();
    const std::vector<MeshId> opened = document.opened.ids();
    if (!result && opened.empty()) return title;
    QString name = result ? titleOf(*result->sample, result->views)
                          : document.opened.find(opened.front())->name();
    if (const OpenedMeshRef& reference = document.opened.reference(); reference && !result)
        name = MainWindow::tr("%1 against %2").arg(name, reference->name());
    return MainWindow::tr("%1 — %2").arg(name, title);
}

QString truthText(const Result& result) {
    if (result.truthProblem()) return MainWindow::tr("truth: cannot be used");
    if (!result.evaluation()) return MainWindow::tr("no truth");
    return MainWindow::tr("truth: %1, %2 points")
        .arg(fileName(result.sample->truthFile()),
             groupedCount(result.truth->points->vertices.size()));
}

QPalette systemPalette() {
    // Resetting the application's palette makes Qt use the system's palette.
    QApplication::setPalette(QPalette());
    return QApplication::palette();
}

}  // namespace

MainWindow::MainWindow(WindowSetup setup)
    : setup_(std::move(setup)),
      theme_(themeFromName(setup_.settings.value(kThemeKey).toString())),
      readSystemPalette_(systemPalette),
      document_(new Document(this)),
      openedValues_(new OpenedMeshValues(*document_)),
      photographs_(new PhotographTextures(*document_)),
      shown_{*document_, openedValues_, photographs_},
      client_(std::make_unique<NetworkClient>(setup_.networks.openInitial, setup_.log,
                                              setup_.networks.maxListWait)) {
    // The theme comes before the widgets, because styling each of them again would take 45 ms of
    // the start.
    applyTheme(*qApp, theme_, setup_.systemPalette);
    setWindowTitle(QStringLiteral("Threefold"));
    new WrappedToolTips(this);
    setWindowIcon(applicationIcon());
    document_->look.set(readLook(setup_.settings));
    actions_ = new Actions(*this, *document_);
    buildLayout();
    connectDocument();
    connectActions();
    connectViewport();
    addFeatures();
    updateColours();

    // Leaves room for title bar and frame; their size is known only once the window is shown.
    constexpr QSize kDefaultSize(1600, 960);
    constexpr QSize kFrame(16, 48);
    resize(kDefaultSize.boundedTo(screen()->availableSize() - kFrame));
    restoreGeometry(setup_.settings.value(kGeometryKey).toByteArray());
    splitter_->restoreState(setup_.settings.value(kSplitterKey).toByteArray());
    inputSide_->restoreState(setup_.settings.value(kInputSplitterKey).toByteArray());
    defaultDocks_ = saveState();
    restoreState(setup_.settings.value(kDocksKey).toByteArray());
}

MainWindow::~MainWindow() {
    client_.reset();  // before the widgets that receive its signals
}

void MainWindow::awaitPicture() {
    showScene();
    resultSerial_ = viewport_->newestSerial();
}

void MainWindow::connectDocument() {
    connect(&document_->result, &ResultModel::changed, this, &MainWindow::showScene);
    connect(&document_->fit, &FitModel::convergingMeshChanged, this, &MainWindow::showScene);
    connectAll(&document_->pointed, this, &MainWindow::showScene, &PointedVertices::hoveredChanged,
               &PointedVertices::markedChanged, &PointedVertices::distanceEndsChanged);
    connect(&document_->look, &LookModel::blinkingChanged, this, &MainWindow::showScene);
    connect(&document_->run, &RunModel::changed, this, [this] {
        const bool reconstructing = document_->run.state().isReconstructing();
        setWindowTitle(titleOf(*document_, inputModel_->state()));
        // Dimming draws the inspector twice, so only an inspector with a result is dimmed.
        inspector_->setStale(document_->result.current() &&
                             (reconstructing || document_->run.showsAnotherSample()));
        showScene();
        if (!reconstructing) partialSerial_ = 0;
    });
    connect(&document_->fit, &FitModel::choiceChanged, this,
            [this] { inspector_->measures().setFitExpected(document_->fit.choice().on); });
    connect(&document_->opened, &OpenedMeshes::changed, this, [this] {
        if (document_->result.current())
            showScene();
        else
            awaitPicture();
        setWindowTitle(titleOf(*document_, inputModel_->state()));
        actions_->exportMesh->setEnabled(document_->result.current() || document_->opened.first());
    });
    connect(&document_->look, &LookModel::changed, this, [this] {
        writeLook(setup_.settings, document_->look.current());
        showScene();
    });
}

void MainWindow::showScene() {
    viewport_->setScene(makeScene(shown_, themeColours(palette()), cameraLayers_, photographPane_));
}

void MainWindow::connectViewport() {
    connect(viewport_, &Viewport::presented, this, &MainWindow::onPresented);
    connect(viewport_, &Viewport::sceneRejected, banner_, &Banner::show);
    connect(viewport_, &Viewport::deviceLost, this, [this](ErrorReport report) {
        report.remedy =
            tr("The picture was drawn again. Save your work if this is repeated.").toStdString();
        banner_->show(report);
    });
    connect(viewport_, &Viewport::drawingFailed, banner_, &Banner::show);
    connect(viewport_, &Viewport::drawingFailed, this, &MainWindow::rendererFailed);
}

void MainWindow::onPresented(quint64 serial) {
    if (std::exchange(firstFrame_, false)) logTimeOf("window drawn");
    if (partialSerial_ != 0 && serial >= partialSerial_) {
        partialSerial_ = 0;
        announcePartial();
    }
    if (resultSerial_ == 0 || serial < resultSerial_) return;
    resultSerial_ = 0;
    announcePicture();
}

// Writes the time since the start of the program to the log.
void MainWindow::logTimeOf(const char* event) {
    const std::optional<double> age = processAgeMilliseconds();
    if (!age) return;
    const QString line =
        QStringLiteral("%1 after %2 ms").arg(QLatin1String(event)).arg(qRound(*age));
    setup_.log(LogLevel::info, line.toStdString());
}

// Reports that the partial result is on the screen.
void MainWindow::announcePartial() {
    const QString text = tr("%1 mesh after %2 ms · refining…")
                             .arg(meshTitle(shownMorph(document()), MeshId::firstPublished),
                                  millisecondsText(partialRunWatch_.milliseconds()));
    status_->showMessage(text);
    setup_.log(LogLevel::info, text.toStdString());
    Q_EMIT partialShown();
}

// Reports that the picture of the new scene is on the screen.
void MainWindow::announcePicture() {
    if (std::exchange(firstPicture_, false)) logTimeOf("first picture");
    // Without a result, only opened meshes are shown.
    if (const ResultRef& shown = document_->result.current())
        status_->showMessage(
            tr("Reconstructed in %1 ms · picture after %2 ms · %3")
                .arg(millisecondsText(shown->reconstruction.network.milliseconds()),
                     millisecondsText(reconstructor_->watchOfPostedRun().milliseconds()),
                     truthText(*shown)),
            tr("Time of the network's steps · time from the click to the picture on the screen, "
               "decoding and measuring included · ") +
                pathText(shown->sample->truthFile()));
    Q_EMIT pictureShown();
}

void MainWindow::setTheme(ThemeChoice theme) {
    theme_ = theme;
    setup_.settings.setValue(kThemeKey, themeName(theme));
    applyTheme(*qApp, theme, setup_.systemPalette);
    updateColours();
}

void MainWindow::updateColours() {
    actions_->showTheme(theme_);
    actions_->tint(themeColours(QApplication::palette()));
    showScene();
}

bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::ThemeChange) {
        setup_.systemPalette = readSystemPalette_();
        setTheme(theme_);
    }
    return QMainWindow::event(event);
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    // The panes' background follows the palette.
    if (event->type() == QEvent::PaletteChange && viewport_ != nullptr) showScene();
}

// In a narrow or low window the panes get the space.
void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    constexpr int kNarrow = 1280;
    inspector_->measures().setCompact(width() < kNarrow);
    actions_->setCompact(width() < kNarrow);
    constexpr int kLow = 800;
    inspector_->setFolded(width() < kNarrow || height() < kLow);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    setup_.settings.setValue(kGeometryKey, saveGeometry());
    setup_.settings.setValue(kSplitterKey, splitter_->saveState());
    setup_.settings.setValue(kInputSplitterKey, inputSide_->saveState());
    setup_.settings.setValue(kDocksKey, saveState());
    client_->cancel();
    exports_->cancel();
    QMainWindow::closeEvent(event);
}

}  // namespace threefold::ui
