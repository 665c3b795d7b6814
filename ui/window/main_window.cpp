#include "ui/window/main_window.h"

#include <algorithm>

#include <QApplication>
#include <QCloseEvent>
#include <QScreen>
#include <QSplitter>

#include "engine/system/process_age.h"
#include "ui/inspect/measures_table.h"
#include "ui/panes/header_text.h"
#include "ui/run/reconstructor.h"
#include "ui/style/number_format.h"
#include "ui/style/path_text.h"
#include "ui/style/tool_tips.h"
#include "ui/window/first_picture_tasks.h"
#include "ui/window/window_scene.h"

namespace threefold::ui {
namespace {

const QString kGeometryKey = QStringLiteral("window/geometry");
const QString kSplitterKey = QStringLiteral("window/splitter");
const QString kInputSplitterKey = QStringLiteral("window/inputSplitter");
const QString kDocksKey = QStringLiteral("window/docks");
const QString kThemeKey = QStringLiteral("window/theme");

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

// Applies the theme of the settings. Called before the widgets are made, because styling each of
// them again would take 45 ms of the start.
ThemeChoice applySavedTheme(const WindowSetup& setup) {
    const ThemeChoice theme = themeFromName(setup.settings.value(kThemeKey).toString());
    applyTheme(*qApp, theme, setup.systemPalette);
    return theme;
}

}  // namespace

QRect fittingGeometry(const QRect& geometry, const QRect& available) {
    constexpr QMargins kFrame(8, 40, 8, 8);  // title bar and borders
    const QRect room = available - kFrame;
    QRect fitting(geometry.topLeft(), geometry.size().boundedTo(room.size()));
    fitting.moveRight(std::min(fitting.right(), room.right()));
    fitting.moveBottom(std::min(fitting.bottom(), room.bottom()));
    fitting.moveLeft(std::max(fitting.left(), room.left()));
    fitting.moveTop(std::max(fitting.top(), room.top()));
    return fitting;
}

MainWindow::MainWindow(WindowSetup setup)
    : setup_(std::move(setup)),
      readSystemPalette_(systemPalette),
      client_(setup_.networks.openInitial, setup_.log, setup_.networks.maxListWait),
      theme_(applySavedTheme(setup_)),
      parts_(makeParts(*this, setup_, client_)),
      features_(addFeatures(parts_, setup_, client_)),
      firstPictureTasks_(
          *new FirstPictureTasks(*this, parts_.models, features_, parts_.context.opener)) {
    new WrappedToolTips(this);
    setWindowIcon(applicationIcon());
    connectCommands();
    connectViewport();
    connectFocus();
    connectPictures();
    updateColours();

    // Leaves room for title bar and frame; their size is known only once the window is shown.
    constexpr QSize kDefaultSize(1600, 960);
    constexpr QSize kFrame(16, 48);
    resize(kDefaultSize.boundedTo(screen()->availableSize() - kFrame));
    const QSettings& settings = setup_.settings;
    // The screen may have become smaller since, or its scale larger.
    if (restoreGeometry(settings.value(kGeometryKey).toByteArray()) && !isMaximized() &&
        !isFullScreen())
        setGeometry(fittingGeometry(geometry(), screen()->availableGeometry()));
    parts_.layout.columns.restoreState(settings.value(kSplitterKey).toByteArray());
    parts_.layout.inputSide.restoreState(settings.value(kInputSplitterKey).toByteArray());
    defaultDocks_ = saveState();
    restoreState(settings.value(kDocksKey).toByteArray());
}

void MainWindow::awaitPicture() {
    parts_.scene.show();
    parts_.scene.awaitPicture();
}

// Connects the commands that change the window itself.
void MainWindow::connectCommands() {
    Actions& actions = parts_.context.actions;
    connect(actions.quit, &QAction::triggered, this, &QWidget::close);
    connect(actions.restoreDefaults, &QAction::triggered, this, &MainWindow::restoreDefaults);
    connect(&actions, &Actions::themeChosen, this, &MainWindow::setTheme);
}

void MainWindow::connectViewport() {
    Viewport& viewport = parts_.layout.panes.viewport;
    Banner& banner = parts_.context.banner;
    connect(&viewport, &Viewport::sceneRejected, &banner, &Banner::show);
    connect(&viewport, &Viewport::deviceLost, this, [&banner](ErrorReport report) {
        report.remedy =
            tr("The picture was drawn again. Save your work if this is repeated.").toStdString();
        banner.show(report);
    });
    connect(&viewport, &Viewport::drawingFailed, &banner, &Banner::show);
    connect(&viewport, &Viewport::drawingFailed, this, &MainWindow::rendererFailed);
}

void MainWindow::connectPictures() {
    WindowScene& scene = parts_.scene;
    const Reconstructor& reconstructor = parts_.reconstructor;
    connect(&scene, &WindowScene::firstFrameShown, this, [this] { logTimeOf("window drawn"); });
    connect(&scene, &WindowScene::partialShown, this, &MainWindow::announcePartial);
    connect(&scene, &WindowScene::pictureShown, this, &MainWindow::announcePicture);
    connect(&reconstructor, &Reconstructor::partialReady, this, [this] {
        parts_.scene.awaitPartial();
        // A copy: the next run may begin before the picture is shown.
        partialRunWatch_ = parts_.reconstructor.watchOfPostedRun();
    });
    connect(&reconstructor, &Reconstructor::resultReady, &scene, &WindowScene::awaitPicture);
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
    parts_.context.status.showMessage(text);
    setup_.log(LogLevel::info, text.toStdString());
    Q_EMIT partialShown();
}

// Reports that the picture of the new scene is on the screen.
void MainWindow::announcePicture() {
    if (std::exchange(firstPicture_, false)) logTimeOf("first picture");
    // Without a result, only opened meshes are shown.
    if (const ResultRef& shown = document().result.current())
        parts_.context.status.showMessage(
            tr("Reconstructed in %1 ms · picture after %2 ms · %3")
                .arg(millisecondsText(shown->reconstruction.network.milliseconds()),
                     millisecondsText(parts_.reconstructor.watchOfPostedRun().milliseconds()),
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
    parts_.context.actions.showTheme(theme_);
    parts_.context.actions.tint(themeColours(QApplication::palette()));
    parts_.scene.show();
}

bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::ThemeChange) {
        setup_.systemPalette = readSystemPalette_();
        setTheme(theme_);
    }
    return QMainWindow::event(event);
}

// In a narrow or low window the panes get the space.
void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    constexpr int kNarrow = 1280;
    inspector().measures().setCompact(width() < kNarrow);
    parts_.context.actions.setCompact(width() < kNarrow);
    constexpr int kLow = 800;
    inspector().setFolded(width() < kNarrow || height() < kLow);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    setup_.settings.setValue(kGeometryKey, saveGeometry());
    setup_.settings.setValue(kSplitterKey, parts_.layout.columns.saveState());
    setup_.settings.setValue(kInputSplitterKey, parts_.layout.inputSide.saveState());
    setup_.settings.setValue(kDocksKey, saveState());
    client_.cancel();
    exports().cancel();
    QMainWindow::closeEvent(event);
}

}  // namespace threefold::ui
