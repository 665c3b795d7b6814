#include "ui/window/main_window.h"

#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>

#include <unistd.h>

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QScreen>
#include <QSettings>
#include <QSplitter>

#include "ui/document/document.h"
#include "ui/files/saving.h"
#include "ui/input/input_panel.h"
#include "ui/inspect/inspector.h"
#include "ui/panes/scene_making.h"
#include "ui/panes/viewport.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/status_line.h"
#include "ui/style/icons.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

const QString kGeometryKey = QStringLiteral("window/geometry");
const QString kSplitterKey = QStringLiteral("window/splitter");
const QString kInputSplitterKey = QStringLiteral("window/inputSplitter");
const QString kDocksKey = QStringLiteral("window/docks");
const QString kThemeKey = QStringLiteral("window/theme");

QString titleOf(const Sample& sample, const std::vector<int>& chosen) {
    const QString category = QString::fromStdString(sample.category);
    const QString item = QString::fromStdString(sample.item);
    return MainWindow::tr("%1 — views %2")
        .arg(category.isEmpty() ? item : category + " / " + item, numberList(chosen));
}

QString titleOf(const Document& document) {
    QString title = QStringLiteral("Threefold");
    const auto& pending = document.pending();
    if (pending && !pending->sample) return MainWindow::tr("Opening… — %1").arg(title);
    if (pending)
        return MainWindow::tr("%1 — reconstructing… — %2")
            .arg(titleOf(*pending->sample, pending->views), title);
    const ResultRef& result = document.result();
    if (result)
        return MainWindow::tr("%1 — %2").arg(titleOf(*result->sample, result->views), title);
    if (const OpenedMeshRef& alone = document.comparison()) {
        const OpenedMeshRef& reference = document.reference();
        const QString name =
            reference ? MainWindow::tr("%1 against %2").arg(alone->name(), reference->name())
                      : alone->name();
        return MainWindow::tr("%1 — %2").arg(name, title);
    }
    return title;
}

RunKind kindOf(const Result& result) {
    return {result.views.size(), result.origin.backend};
}

QString truthText(const Result& result) {
    if (result.truthProblem) return MainWindow::tr("truth: cannot be used");
    if (!result.evaluation) return MainWindow::tr("no truth");
    return MainWindow::tr("truth: %1, %2 points")
        .arg(QString::fromStdString(result.sample->groundTruth.filename().string()),
             groupedCount(static_cast<std::int64_t>(result.truthPoints)));
}

// Time since this process started, to 10 ms; −1 if unknown.
double processAgeMilliseconds() {
    std::ifstream file("/proc/self/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    // The second field, the name in parentheses, may hold blanks; the start is the 22nd.
    const std::size_t name = text.rfind(')');
    if (name == std::string::npos) return -1;
    std::istringstream fields(text.substr(name + 1));
    std::string skipped;
    for (int field = 3; field < 22; ++field) fields >> skipped;
    double startTicks = -1;
    fields >> startTicks;
    timespec now{};
    if (!fields || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -1;
    const double started = startTicks / static_cast<double>(sysconf(_SC_CLK_TCK));
    return (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - started) *
           1e3;
}

WindowSetup withLogStore(WindowSetup setup) {
    if (!setup.logged) {
        setup.logged = std::make_shared<LogStore>();
        setup.log = LogStore::tap(setup.logged, std::move(setup.log));
    }
    return setup;
}

}  // namespace

MainWindow::MainWindow(WindowSetup setup)
    : setup_(withLogStore(std::move(setup))),
      theme_(themeFromName(setup_.settings.value(kThemeKey).toString())),
      document_(new Document(this)),
      worker_(std::make_unique<Worker>(setup_.makeBackend, setup_.log)) {
    setWindowTitle(QStringLiteral("Threefold"));
    setWindowIcon(applicationIcon());
    document_->setLook(readLook(setup_.settings));
    actions_ = new Actions(*this);
    buildLayout();
    connectDocument();
    connectActions();
    connectWorker();
    connectViewport();
    addFeatures();
    setTheme(theme_);

    // Leave room for the title bar and frame; their size is known only once shown.
    constexpr QSize kUsualSize(1600, 960);
    constexpr QSize kFrame(16, 48);
    resize(kUsualSize.boundedTo(screen()->availableSize() - kFrame));
    restoreGeometry(setup_.settings.value(kGeometryKey).toByteArray());
    splitter_->restoreState(setup_.settings.value(kSplitterKey).toByteArray());
    inputSide_->restoreState(setup_.settings.value(kInputSplitterKey).toByteArray());
    firstDocks_ = saveState();
    restoreState(setup_.settings.value(kDocksKey).toByteArray());
}

MainWindow::~MainWindow() {
    worker_.reset();  // before the widgets that its signals go to
}

void MainWindow::openSample(const std::filesystem::path& location, const std::vector<int>& views) {
    Request request;
    request.location = location;
    request.views = views;
    post(std::move(request));
    status_->say(tr("Opening %1…").arg(QString::fromStdString(location.string())));
}

Shell::RequestId MainWindow::reconstruct() {
    const SampleRef& sample = input_->sample();
    if (!sample) return 0;
    Request request;
    request.sample = sample;
    request.views = input_->selection().views();
    post(std::move(request));
    return latest_;
}

void MainWindow::show(const ResultRef& result) {
    abandonRun();
    sincePost_ = {};
    const InputState state{result->sample, ViewSelection(result->views)};
    if (!input_->state().sameInput(state)) input_->show(state.sample, state.selection);
    actions_->reconstruct->setEnabled(true);
    showResult(result);
}

void MainWindow::awaitPicture() {
    showScene();
    awaitedSerial_ = viewport_->lastShown();
}

void MainWindow::showInput(const SampleRef& sample, const std::vector<int>& views) {
    abandonRun();
    input_->show(sample, ViewSelection(views));
    actions_->reconstruct->setEnabled(sample != nullptr);
}

void MainWindow::abandonRun() {
    banner_->hide();
    worker_->cancel();
    latest_ = 0;  // results that still arrive from the worker are outdated
    endRun();
}

void MainWindow::post(Request request) {
    banner_->hide();
    sincePost_ = {};
    status_->startProgress(history_);
    actions_->cancel->setEnabled(true);
    latestOpens_ = !request.sample;
    PendingRun run{request.sample, request.views};
    // What is overtaken by the same object's next run stays until that has something better.
    const auto& before = document_->pending();
    if (before && run.sample && sameItem(before->sample, run.sample)) run.coarse = before->coarse;
    document_->setPending(std::move(run));
    latest_ = worker_->post(std::move(request));
}

void MainWindow::connectWorker() {
    connect(worker_.get(), &Worker::found, this,
            [this](quint64 id, const SampleRef& sample, const std::vector<int>& views) {
                if (id != latest_ || !latestOpens_) return;
                input_->show(sample, ViewSelection(views));
                actions_->reconstruct->setEnabled(true);
                document_->setPending(PendingRun{sample, views});
                status_->say(tr("Reconstructing…"));
            });
    connect(worker_.get(), &Worker::coarseMade, this, [this](quint64 id, const ResultRef& result) {
        if (id != latest_) return;
        lookAt(*result);
        PendingRun run = document_->pending().value_or(PendingRun{});
        run.coarse = result;
        document_->setPending(std::move(run));
        awaitedCoarse_ = viewport_->lastShown();
        coarseSince_ = sincePost_;  // the next run may begin before the picture is there
    });
    connect(worker_.get(), &Worker::backendReady, this,
            [this](const BackendInfo& info) { inspector_->show(info); });
    connect(worker_.get(), &Worker::takenOver, banner_, &Banner::show);
    connect(worker_.get(), &Worker::progressed, this, [this](quint64 id, const Progress& progress) {
        if (id != latest_) return;
        status_->advance(progress);
        document_->setPendingDone(status_->done());
    });
    connect(worker_.get(), &Worker::finished, this, [this](quint64 id, const ResultRef& result) {
        if (id == latest_) take(result);
    });
    connect(worker_.get(), &Worker::cancelled, this, [this](quint64 id) {
        if (id != latest_) return;
        endRun();
        returnInputToShown();
        status_->say(tr("Cancelled"));
    });
    connect(worker_.get(), &Worker::failed, this, [this](quint64 id, const ErrorReport& report) {
        if (id != latest_) return;
        endRun();
        returnInputToShown();
        banner_->show(report);
        const QString what = latestOpens_ ? tr("Could not open") : tr("Could not reconstruct");
        status_->say(document_->result() ? tr("%1; still showing the previous result").arg(what)
                                         : what);
        Q_EMIT requestFailed(report);
    });
}

void MainWindow::take(const ResultRef& result) {
    history_.add(result->reconstruction.timings, result->reconstruction.wallMilliseconds,
                 kindOf(*result));
    showResult(result);
    endRun();
}

// Another object, as its reference photograph shows it.
void MainWindow::lookAt(const Result& next) {
    const ResultRef before = document_->shown(MeshRole::coarse);
    const bool otherItem = !before || !sameItem(before->sample, next.sample);
    const bool otherReference = otherItem || before->views.front() != next.views.front();
    viewport_->setExtent(next.extent);
    if (otherItem || (otherReference && !viewport_->cameraTouched()))
        viewport_->lookLike(next.referenceCamera());
}

void MainWindow::showResult(const ResultRef& result) {
    actions_->exportMesh->setEnabled(true);
    lookAt(*result);
    document_->endPending(result);
    awaitedSerial_ = viewport_->lastShown();
    if (result->truthProblem) banner_->show(*result->truthProblem);
}

void MainWindow::endRun() {
    if (document_->pending()) {
        if (const ResultRef& result = document_->result()) lookAt(*result);
        document_->setPending(std::nullopt);
    }
    awaitedCoarse_ = 0;
    status_->endProgress();
    actions_->cancel->setEnabled(false);
}

void MainWindow::returnInputToShown() {
    const ResultRef& result = document_->result();
    // Keep images that were never reconstructed: the user set their cameras by hand.
    if (!result || (!latestOpens_ && !sameItem(result->sample, input_->sample()))) return;
    input_->show(result->sample, ViewSelection(result->views));
}

void MainWindow::connectDocument() {
    connect(document_, &Document::resultChanged, this, [this] {
        if (const ResultRef& result = document_->result()) {
            history_.show(kindOf(*result));
            inspector_->show(*result, history_);
        }
        showScene();
    });
    connect(document_, &Document::pendingChanged, this, [this] {
        setWindowTitle(titleOf(*document_));
        inspector_->setStale(document_->pending().has_value());
        showScene();
    });
    connect(document_, &Document::fitAdvanced, this, &MainWindow::showScene);
    connect(document_, &Document::fitChoiceChanged, this,
            [this] { inspector_->awaitFit(document_->fitChoice().on); });
    connect(document_, &Document::comparisonChanged, this, [this] {
        document_->result() ? showScene() : awaitPicture();
        setWindowTitle(titleOf(*document_));
        actions_->exportMesh->setEnabled(document_->result() || document_->comparison());
    });
    connect(document_, &Document::hoveredChanged, this, &MainWindow::showScene);
    connect(document_, &Document::markedChanged, this, &MainWindow::showScene);
    connect(document_, &Document::distanceEndsChanged, this, &MainWindow::showScene);
    connect(document_, &Document::blinkingChanged, this, &MainWindow::showScene);
    connect(document_, &Document::lookChanged, this, [this] {
        writeLook(setup_.settings, document_->look());
        actions_->show(document_->look(), theme_);
        showScene();
    });
}

void MainWindow::showScene() {
    viewport_->show(makeScene(*document_, themeColours(palette())));
}

void MainWindow::connectViewport() {
    connect(viewport_, &Viewport::presented, this, &MainWindow::notePresented);
    connect(viewport_, &Viewport::deviceReady, inspector_, &Inspector::showRenderer);
    connect(viewport_, &Viewport::refused, banner_, &Banner::show);
    connect(viewport_, &Viewport::lost, this, [this](ErrorReport report) {
        report.remedy =
            tr("The picture was drawn again. Save your work if this is repeated.").toStdString();
        banner_->show(report);
    });
    connect(viewport_, &Viewport::failed, banner_, &Banner::show);
    connect(viewport_, &Viewport::failed, this, &MainWindow::rendererFailed);
}

void MainWindow::notePresented(quint64 serial) {
    const auto note = [this](const char* what) {
        const QString line = QStringLiteral("%1 after %2 ms")
                                 .arg(QLatin1String(what))
                                 .arg(qRound(processAgeMilliseconds()));
        if (setup_.log) setup_.log(LogLevel::info, line.toStdString());
    };
    if (std::exchange(firstFrame_, false)) note("window drawn");
    if (awaitedCoarse_ != 0 && serial >= awaitedCoarse_) {
        awaitedCoarse_ = 0;
        const QString text = tr("Coarse mesh after %1 ms · refining…")
                                 .arg(milliseconds(coarseSince_.milliseconds()));
        status_->say(text);
        if (setup_.log) setup_.log(LogLevel::info, text.toStdString());
        Q_EMIT coarseShown();
    }
    if (awaitedSerial_ == 0 || serial < awaitedSerial_) return;
    awaitedSerial_ = 0;
    if (std::exchange(firstPicture_, false)) note("first picture");
    if (!document_->result()) {  // a mesh alone
        Q_EMIT pictureShown();
        return;
    }
    const Result& shown = *document_->result();
    status_->say(tr("Reconstructed in %1 ms · picture after %2 ms · %3")
                     .arg(milliseconds(shown.reconstruction.milliseconds()),
                          milliseconds(sincePost_.milliseconds()), truthText(shown)),
                 tr("Time of the network's stages · from the click to the picture on "
                    "the screen, decoding and evaluation included · ") +
                     QString::fromStdString(shown.sample->groundTruth.string()));
    Q_EMIT pictureShown();
}

void MainWindow::setTheme(ThemeChoice theme) {
    theme_ = theme;
    setup_.settings.setValue(kThemeKey, themeName(theme));
    applyTheme(*qApp, theme, setup_.systemPalette);
    actions_->show(document_->look(), theme_);
    actions_->tint(themeColours(QApplication::palette()));
    showScene();
}

void MainWindow::followSystem(const QPalette& palette) {
    setup_.systemPalette = palette;
    setTheme(theme_);
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    // The panes' background follows the palette.
    if (event->type() == QEvent::PaletteChange && viewport_ != nullptr) showScene();
}

// A narrow window's room is for the panes.
void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    constexpr int kNarrow = 1280;
    inspector_->setCompact(width() < kNarrow);
    actions_->setCompact(width() < kNarrow);
    constexpr int kLow = 800;
    inspector_->setFolded(width() < kNarrow || height() < kLow);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    setup_.settings.setValue(kGeometryKey, saveGeometry());
    setup_.settings.setValue(kSplitterKey, splitter_->saveState());
    setup_.settings.setValue(kInputSplitterKey, inputSide_->saveState());
    setup_.settings.setValue(kDocksKey, saveState());
    worker_->cancel();
    saving_->cancel();
    QMainWindow::closeEvent(event);
}

}  // namespace threefold::ui
