#include "ui/window/run_window.h"

#include <algorithm>
#include <future>

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <QVulkanInstance>

#include "engine/resources.h"
#include "ui/batch/batch_feature.h"
#include "ui/document/photograph_textures.h"
#include "ui/files/opened_files.h"
#include "ui/run/fit_runner.h"
#include "ui/style/number_format.h"
#include "ui/style/path_text.h"
#include "ui/window/main_window.h"

namespace threefold::ui {
namespace {

void install(QApplication& application, const QString& name, const QString& folder) {
    auto translator = std::make_unique<QTranslator>(&application);
    if (!translator->load(QLocale(), name, QStringLiteral("_"), folder)) return;
    QCoreApplication::installTranslator(translator.release());  // owned by the application
}

// Installs the translations of Threefold, from the program's folder, and of Qt, if they exist.
void installTranslations(QApplication& application) try {
    install(application, QStringLiteral("qtbase"),
            QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(application, QStringLiteral("threefold"), pathText(resourceFolder() / "translations"));
} catch (const Error&) {
    // Missing resources are reported elsewhere.
}

void checkDevices(const render::Instance& instance) {
    std::string problems;
    for (const render::DeviceDescription& device : render::describeDevices(instance)) {
        if (device.usable) return;
        problems += (problems.empty() ? "" : "; ") + device.name + " lacks " + device.missing;
    }
    throw DeviceError({"Vulkan", "", problems.empty() ? "there is no device" : problems,
                       "Install a Vulkan driver, for example the package mesa-vulkan-drivers, "
                       "which also draws on the processor."});
}

// Starts the Vulkan driver in parallel with Qt: each takes about as long as the other.
std::future<std::unique_ptr<render::Instance>> startVulkan(const WindowOptions& options) {
    return std::async(std::launch::async, [&options] {
        auto instance = std::make_unique<render::Instance>(
            render::InstanceOptions{options.validation, true, options.log});
        checkDevices(*instance);
        return instance;
    });
}

// Opens the first network at once, in parallel with the window; NetworkClient waits for the
// network if necessary. After a failure, networks are opened on request.
NetworkOpener openedEarly(const NetworkOpener& open) {
    using Opening = std::future<NetworkDevices>;
    auto opening = std::make_shared<Opening>(std::async(std::launch::async, open));
    return [opening, open] { return opening->valid() ? opening->get() : open(); };
}

/// Whether the window shows its first complete picture: no file is read, nothing is computed for
/// it.
bool isComplete(MainWindow& window) {
    const Document& document = window.document();
    return !window.files().tasks().isBusy() && !document.run.state().isActive() &&
           !document.fit.isPending() && !window.shownValues().photographs->isBusy();
}

/// Calls `onReady` once, with the window's first complete picture.
void whenReady(MainWindow& window, std::function<void()> onReady) {
    // Only the first complete picture counts: the user may continue to work.
    QObject::connect(&window, &MainWindow::pictureShown, &window,
                     [&window, onReady = std::move(onReady), done = false]() mutable {
                         if (done || !isComplete(window)) return;
                         done = true;
                         onReady();
                     });
    // The last file that is read, the fit and its texture change the picture once more.
    QObject::connect(window.shownValues().photographs, &PhotographTextures::changed, &window,
                     &MainWindow::awaitPicture);
    QObject::connect(&window.fitRunner(), &FitRunner::ended, &window, &MainWindow::awaitPicture);
    QObject::connect(&window.files().tasks(), &FileTasks::busyChanged, &window,
                     [&window](bool busy) {
                         if (!busy) window.awaitPicture();
                     });
}

void saveWindowWhenReady(MainWindow& window, const std::filesystem::path& screenshot) {
    // The panels repaint before the picture is taken.
    whenReady(window, [&window, screenshot] {
        QTimer::singleShot(0, &window,
                           [&window, screenshot] { window.exports().saveWindow(screenshot); });
    });
}

/// Quits after the first complete picture, or once the screenshot is saved; or calls `fail` with
/// the reason why there is none.
void quitWhenReady(MainWindow& window, bool afterScreenshot,
                   const std::function<void(const ErrorReport&)>& fail) {
    if (!afterScreenshot) whenReady(window, [&window] { window.close(); });
    QObject::connect(&window.opener(), &SampleOpener::requestFailed, fail);
    for (const auto requested : {&OpenedFiles::listRequested, &OpenedFiles::modelRequested}) {
        QObject::connect(&window.files(), requested, [fail](const std::filesystem::path& file) {
            fail({file.string(), "", "gives no picture",
                  "Use `threefold eval` for a list, and --model for a model."});
        });
    }
    QObject::connect(&window.exports(), &ExportCommands::failed, fail);
    QObject::connect(&window.exports(), &ExportCommands::saved, &window, &QWidget::close);
}

// Applies WindowOptions::start. Later changes by the user are saved as always.
void applyStart(MainWindow& window, const std::map<std::string, std::string>& start) {
    Document& document = window.document();
    Look look = document.look.current();
    applyWords(look, start);
    document.look.set(look);
    if (const auto theme = start.find("theme"); theme != start.end())
        window.setTheme(themeFromName(QString::fromStdString(theme->second)));
    if (const auto fit = start.find("fit"); fit != start.end()) {
        FitChoice choice = document.fit.choice();
        choice.on = fit->second != "off";
        if (choice.on) {
            const FitRequest request = fitRequestFromName(fit->second);
            choice.views = request.views.value_or(FitViews{FitViews::Kind::all}).kind;
            using enum FitSource;  // `plainHull` has no menu entry
            const FitSource surface = request.source.value_or(automatic);
            choice.surface = surface == plainHull ? hull : surface;
        }
        document.fit.setChoice(choice);
    }
}

}  // namespace

int runWindow(int argc, char** argv, const WindowOptions& given) {
    const auto logStore = std::make_shared<LogStore>();
    WindowOptions options = given;
    options.log = LogStore::teeInto(logStore, given.log);
    std::shared_ptr<void> display = connectToDisplay();
    auto startingVulkan = startVulkan(options);
    const auto isMesh = [](const auto& file) { return fileKind(file) == FileKind::mesh; };
    NetworkOpener& openInitial = options.networks.openInitial;
    if (openInitial && !std::ranges::all_of(options.files, isMesh))
        openInitial = openedEarly(openInitial);

    QApplication::setApplicationName(QStringLiteral("Threefold"));
    QApplication::setOrganizationName(QStringLiteral("Threefold"));
    QApplication::setApplicationVersion(QStringLiteral(THREEFOLD_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("threefold"));
    QApplication application(argc, argv);
    installTranslations(application);
    useOneNumberFormat();
    display.reset();
    const std::unique_ptr<render::Instance> instance = startingVulkan.get();
    QVulkanInstance vulkan;
    vulkan.setVkInstance(instance->handle());
    if (!vulkan.create()) {
        throw DeviceError({"Vulkan", QApplication::platformName().toStdString(),
                           "Qt cannot use Vulkan with this window system",
                           "Set QT_QPA_PLATFORM to xcb or wayland."});
    }

    std::optional<ErrorReport> failure;
    QSettings settings;
    MainWindow window({*instance, vulkan, settings, options.networks, options.log,
                       QApplication::palette(), logStore});
    applyStart(window, options.start);
    window.batch().run().setMachineOf(options.machineOf);
    const auto fail = [&failure](const ErrorReport& report) {
        failure = report;
        QApplication::exit(1);
    };
    // Without a first frame the window is useless; after one, everything else still works.
    QObject::connect(&window, &MainWindow::rendererFailed, [&](const ErrorReport& report) {
        if (window.viewport().framesPresented() == 0 || options.quitWhenReady) fail(report);
    });
    const bool screenshot = !options.screenshotWhenReady.empty();
    if (screenshot) saveWindowWhenReady(window, options.screenshotWhenReady);
    if (options.quitWhenReady) quitWhenReady(window, screenshot, fail);
    window.show();
    window.files().open(
        {options.files, FileRole::byKind, options.views, options.meshBesideResult, options.truth});
    const int code = QApplication::exec();
    if (failure) throw Error(*failure);
    return code;
}

}  // namespace threefold::ui
