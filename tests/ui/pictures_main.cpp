// Makes the README's pictures by operating the window (docs/update_pictures):
//   threefold_pictures FOLDER [PHOTOGRAPHS [dark|light]]
// PHOTOGRAPHS: a folder of photographs of an object on the printed board, without cameras.
// With a theme, writes screenshots for review instead, in up to three window sizes. They show only
// a mesh if PHOTOGRAPHS is a PLY file, and only depth from photographs if PHOTOGRAPHS has a
// cameras.json.
// QT_SCALE_FACTOR=2 doubles the pictures' size.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>

#include <QApplication>
#include <QDockWidget>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QVulkanInstance>

#include "engine/network/cpu_backend.h"
#include "engine/resources.h"
#include "engine/sample/bundled_samples.h"
#include "ui/batch/batch_feature.h"
#include "ui/document/document.h"
#include "ui/document/photograph_textures.h"
#include "ui/files/export_commands.h"
#include "ui/files/opened_files.h"
#include "ui/input/input_panel.h"
#include "ui/input/photograph_viewer.h"
#include "ui/input/view_slots.h"
#include "ui/input/view_tiles.h"
#include "ui/panes/viewport.h"
#include "ui/run/fit_runner.h"
#include "ui/run/view_commands.h"
#include "ui/shell/actions.h"
#include "ui/shell/status_line.h"
#include "ui/window/main_window.h"

namespace threefold::ui {
namespace {

constexpr int kPatience = 300'000;  // milliseconds

void waitFor(const std::function<bool()>& done, const char* what) {
    if (QTest::qWaitFor(done, kPatience)) return;
    std::fprintf(stderr, "threefold_pictures: %s did not happen\n", what);
    std::exit(EXIT_FAILURE);
}

class Photographer {
  public:
    Photographer(MainWindow& window, std::filesystem::path folder)
        : window_(window), folder_(std::move(folder)) {}

    void open(const std::filesystem::path& sample) {
        afterPicture([&] { window_.opener().openSample(sample); });
    }
    /// Opens firstBundledSample(), as a window without files does, and waits for the fit and
    /// the texture.
    void openFirst() {
        open(firstBundledSample().value());
        waitFor([&] { return !window_.document().fit.isPending(); }, "the fit");
        waitFor([&] { return !window_.shownDocument().photographs->isBusy(); }, "the texture");
    }
    void reconstruct() {
        afterPicture([&] { window_.opener().reconstruct(); });
    }
    void take(const char* name) {
        settle();
        bool saved = false;
        QObject context;
        QObject::connect(&window_.exports(), &ExportCommands::saved, &context,
                         [&] { saved = true; });
        window_.exports().saveWindow(folder_ / name);
        waitFor([&] { return saved; }, name);
    }
    void settle() {
        waitFor([&] { return !window_.document().fit.isPending(); }, "the fit");
        QTest::qWait(400);  // time for thumbnails and outlines
        waitFor([&] { return window_.viewport().isUpToDate(); }, "a frame");
    }

  private:
    void afterPicture(const std::function<void()>& act) {
        bool shown = false;
        QObject context;
        QObject::connect(&window_, &MainWindow::pictureShown, &context, [&] { shown = true; });
        act();
        waitFor([&] { return shown; }, "the picture");
    }

    MainWindow& window_;
    std::filesystem::path folder_;
};

void takeAll(MainWindow& window, const std::filesystem::path& folder) {
    Photographer photographer(window, folder);
    const std::filesystem::path samples = bundledSamplesFolder() / "ShapeNetRendering";
    photographer.openFirst();
    photographer.take("window.png");

    photographer.open(samples / "04379243" / "p0001");
    photographer.settle();  // the end of a fit would clear the marked vertex
    window.document().look.set(
        {.edges = true, .paneLayout = PaneLayout::wipe, .seamPosition = 0.47F});
    window.viewport().frameMeshes();
    QTest::keyClick(&window.viewport(), Qt::Key_N);  // the worst vertex
    waitFor([&] { return window.document().pointed.marked().has_value(); }, "the worst vertex");
    photographer.take("wipe.png");
    QTest::keyClick(&window.viewport(), Qt::Key_Escape);

    window.document().look.set({});
    window.viewport().frameMeshes();
    QTest::keyClick(&window.viewport(), Qt::Key_P);
    for (int run = 0; run < 6; ++run) photographer.reconstruct();
    photographer.take("profile.png");
    QTest::keyClick(&window.viewport(), Qt::Key_P);

    BatchFeature& batch = *window.findChild<BatchFeature*>();
    batch.evaluate(samples);
    waitFor([&] { return batch.run().state() == BatchRun::State::done; }, "the batch");
    photographer.take("batch.png");
}

// Pictures of docs/PHOTOGRAPHS.md: opened photographs, found cameras, a corrected mask.
void takePhotographs(MainWindow& window, const std::filesystem::path& photographs,
                     const std::filesystem::path& folder) {
    Photographer photographer(window, folder);
    window.document().look.set({});
    for (QDockWidget* dock : window.findChildren<QDockWidget*>()) dock->hide();
    window.opener().openSample(photographs);
    auto& find = *window.findChild<QWidget*>("findCamerasRow")->findChild<QPushButton*>();
    waitFor([&] { return find.isVisible() && find.isEnabled(); }, "the board");
    photographer.take("photographs_dropped.png");
    const ResultRef before = window.document().result.current();
    find.click();
    waitFor([&] { return window.document().result.current() != before; }, "the cameras");
    photographer.settle();
    window.document().look.set({.quantity = Quantity::photographs});
    waitFor([&] { return !window.shownDocument().photographs->isBusy(); }, "the texture");
    window.viewport().frameMeshes();
    photographer.take("photographs_found.png");
    const auto& viewer = *window.findChild<PhotographViewer*>();
    QTest::keyClick(window.input().viewSlots().tiles().at(0), Qt::Key_Z);
    waitFor([&] { return viewer.openWindow() != nullptr; }, "the enlarged photograph");
    viewer.openWindow()->resize(960, 640);
    QTest::keyClick(viewer.openWindow(), Qt::Key_B);
    QTest::qWait(1000);
    viewer.openWindow()->grab().save(
        QString::fromStdString((folder / "photographs_mask.png").string()));
}

// Pictures of a fit with depth: its progress, its depth maps, the hull beside the fitted mesh.
void takeDepth(MainWindow& window, const std::filesystem::path& photographs,
               const std::filesystem::path& folder) {
    Photographer photographer(window, folder);
    const Document& document = window.document();
    const auto grab = [&](QWidget& widget, const char* name) {
        widget.grab().save(QString::fromStdString((folder / name).string()));
    };
    const auto& viewer = *window.findChild<PhotographViewer*>();
    window.opener().openSample(photographs);
    const auto isAtDepth = [&] {
        const FitRun* fit = document.run.state().fit();
        return fit != nullptr && fit->progress.phase == FitPhase::depth;
    };
    waitFor(isAtDepth, "depth from photographs");
    QTest::keyClick(window.input().viewSlots().tiles().at(0), Qt::Key_Z);
    waitFor([&] { return viewer.openWindow() && !viewer.openWindow()->depth().isNull(); }, "a map");
    grab(*viewer.openWindow(), "depth_offered.png");
    QTest::keyClick(viewer.openWindow(), Qt::Key_D);
    grab(*viewer.openWindow(), "depth_so_far.png");
    grab(window.statusLine(), "depth_progress.png");
    waitFor([&] { return !document.fit.isPending() && viewer.openWindow()->depth().isConsistent; },
            "the fit");
    QTest::mouseMove(viewer.openWindow(), {380, 330});
    QTest::qWait(500);
    grab(*viewer.openWindow(), "depth.png");
    QTest::keyClick(viewer.openWindow(), Qt::Key_M);
    QTest::mousePress(viewer.openWindow(), Qt::LeftButton, {}, {220, 80});
    QTest::mouseMove(viewer.openWindow(), {560, 640});
    QTest::mouseRelease(viewer.openWindow(), Qt::LeftButton, {}, {560, 640});
    QTest::qWait(500);
    grab(*viewer.openWindow(), "marked.png");
    QTest::keyClick(viewer.openWindow(), Qt::Key_Escape);
    QTest::keyClick(viewer.openWindow(), Qt::Key_Escape);
    viewer.openWindow()->resize(420, 420);
    QTest::qWait(500);
    grab(*viewer.openWindow(), "depth_small.png");
    viewer.openWindow()->close();
    for (const QSize size : {QSize(1024, 700), QSize(1600, 1000)}) {
        window.resize(size);
        window.document().look.set({.quantity = Quantity::none});
        photographer.take(("fitted_" + std::to_string(size.width()) + ".png").c_str());
        window.document().look.set(
            {.panes = {MeshId::hull, MeshId::fitted}, .quantity = Quantity::none});
        photographer.take(("hull_" + std::to_string(size.width()) + ".png").c_str());
    }
}

void takeScreens(MainWindow& window, const std::filesystem::path& photographs,
                 const std::filesystem::path& folder) {
    Photographer photographer(window, folder);
    const auto take = [&](const std::string& screen) {
        for (const QSize size : {QSize(1024, 700), QSize(1600, 1000), QSize(2560, 1440)}) {
            window.resize(size);
            QTest::qWait(300);
            photographer.take((screen + '_' + std::to_string(size.width()) + ".png").c_str());
        }
    };
    const auto hideDocks = [&] {
        for (QDockWidget* dock : window.findChildren<QDockWidget*>()) dock->hide();
    };
    const std::filesystem::path samples = bundledSamplesFolder() / "ShapeNetRendering";
    if (photographs.extension() == ".ply") {
        window.files().open({.files = {photographs}});
        QTest::qWait(2000);
        return take("mesh");
    }
    if (std::filesystem::exists(photographs / "cameras.json"))
        return takeDepth(window, photographs, folder);
    photographer.openFirst();
    take("first");
    photographer.open(samples / "04379243" / "p0001");
    take("sample");
    QTest::keyClick(&window, Qt::Key_E);
    take("cameras");
    QTest::keyClick(&window, Qt::Key_E);
    ViewCommands& choices = *window.findChild<ViewCommands*>();
    choices.tryChoices();
    waitFor([&] { return choices.trials().tried() >= 4; }, "the trials");
    choices.dialog()->grab().save(QString::fromStdString((folder / "trials.png").string()));
    choices.dialog()->close();

    photographer.open(samples / "02958343" / "p0001");
    const std::vector<MeshId> six{MeshId::firstPublished, MeshId::result, MeshId::truth,
                                  MeshId::firstPublished, MeshId::result, MeshId::truth};
    window.document().look.set({.panes = six});
    window.viewport().frameMeshes();
    take("panes");
    window.document().look.set({});

    BatchFeature& batch = *window.findChild<BatchFeature*>();
    const std::filesystem::path list = folder / "list.txt";  // the second sample does not exist
    std::ofstream(list) << (samples / "02691156/p0001").string() << "\nnot/there\n"
                        << (samples / "04379243/p0001").string() << '\n';
    batch.evaluate(list);
    waitFor([&] { return batch.run().state() == BatchRun::State::done; }, "the batch");
    take("batch");
    hideDocks();

    window.opener().openSample(photographs);
    auto& find = *window.findChild<QWidget*>("findCamerasRow")->findChild<QPushButton*>();
    waitFor([&] { return find.isVisible() && find.isEnabled(); }, "the board");
    take("photographs");
}

int run(const std::filesystem::path& folder, const std::filesystem::path& photographs,
        const QString& theme) {
    render::InstanceOptions options;
    options.surface = true;
    const render::Instance instance(options);
    QVulkanInstance vulkan;
    vulkan.setVkInstance(instance.handle());
    if (!vulkan.create()) return EXIT_FAILURE;
    const QTemporaryDir home;
    QSettings settings(home.filePath("settings.ini"), QSettings::IniFormat);
    settings.setValue("window/theme", theme.isEmpty() ? QStringLiteral("dark") : theme);
    const auto backend = [] { return oneDevice(makeCpuBackend(loadModel(defaultModelFile()))); };
    const auto logStore = std::make_shared<LogStore>();
    MainWindow window({.instance = instance,
                       .vulkan = vulkan,
                       .settings = settings,
                       .networks = {.openInitial = backend},
                       .log = LogStore::teeInto(logStore, {}),
                       .systemPalette = QApplication::palette(),
                       .logStore = logStore});
    window.resize(1600, 960);
    window.show();
    waitFor([&] { return window.viewport().framesPresented() > 0; }, "the window");
    if (!theme.isEmpty()) {
        takeScreens(window, photographs, folder);
        return EXIT_SUCCESS;
    }
    takeAll(window, folder);
    if (!photographs.empty()) takePhotographs(window, photographs, folder);
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace threefold::ui

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    if (argc < 2 || argc > 4) {
        std::fputs("usage: threefold_pictures FOLDER [PHOTOGRAPHS [dark|light]]\n", stderr);
        return 2;
    }
    return threefold::ui::run(argv[1], argc >= 3 ? argv[2] : "", argc == 4 ? argv[3] : "");
}
