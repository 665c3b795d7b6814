#include "ui/window/run_window.h"

#include <algorithm>
#include <future>

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <QVulkanInstance>

#include "engine/resources.h"
#include "ui/files/opened_files.h"
#include "ui/style/number_format.h"
#include "ui/style/path_text.h"
#include "ui/window/first_picture_tasks.h"
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

// Starts the Vulkan driver in parallel with Qt, because each takes about as long as the other.
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
            using enum FitSource;  // `hullWithoutHollows` has no menu entry
            const FitSource source = request.source.value_or(automatic);
            choice.source = source == hullWithoutHollows ? hull : source;
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
                       QApplication::palette(), logStore, options.machineOf});
    applyStart(window, options.start);
    const auto fail = [&failure](const ErrorReport& report) {
        failure = report;
        QApplication::exit(1);
    };
    // Without a first frame the window is useless; after a first frame, everything else still
    // works.
    QObject::connect(&window, &MainWindow::rendererFailed, [&](const ErrorReport& report) {
        if (window.viewport().framesPresented() == 0 || options.quitWhenReady) fail(report);
    });
    const bool screenshot = !options.screenshotWhenReady.empty();
    FirstPictureTasks& tasks = window.firstPictureTasks();
    if (screenshot) tasks.saveWindowWhenReady(options.screenshotWhenReady);
    if (options.quitWhenReady) tasks.quitWhenReady(screenshot, fail);
    window.show();
    window.files().open(
        {options.files, FileRole::byKind, options.views, options.meshBesideResult, options.truth});
    const int code = QApplication::exec();
    if (failure) throw Error(*failure);
    return code;
}

}  // namespace threefold::ui
