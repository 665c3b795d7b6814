#include "ui/run_window.h"

#include <memory>
#include <optional>
#include <string>

#include <QApplication>
#include <QSettings>
#include <QTimer>
#include <QVulkanInstance>

#include "engine/error.h"
#include "render/device.h"
#include "ui/display_check.h"
#include "ui/icons.h"
#include "ui/main_window.h"

namespace threefold::ui {
namespace {

void checkDevices(const render::Instance& instance) {
    std::string found;
    for (const render::DeviceDescription& device : render::describeDevices(instance)) {
        if (device.usable) return;
        found += (found.empty() ? "" : "; ") + device.name + " lacks " + device.missing;
    }
    throw DeviceError({"Vulkan", "", found.empty() ? "there is no device" : found,
                       "Install a Vulkan driver, for example the package mesa-vulkan-drivers, "
                       "which also draws on the processor."});
}

// Quits after the first picture; remembers why there was none.
void quitWhenReady(MainWindow& window, const WindowOptions& options,
                   std::optional<ErrorReport>& failure) {
    const auto fail = [&failure](const ErrorReport& report) {
        failure = report;
        QApplication::exit(1);
    };
    // Only the first picture counts: the user may go on from there.
    QObject::connect(
        &window, &MainWindow::pictureShown, &window,
        [&window, &options] {
            if (!options.screenshotWhenReady.empty()) {
                // The panels repaint before the picture is taken.
                QTimer::singleShot(0, &window,
                                   [&] { window.saveWindow(options.screenshotWhenReady); });
            } else {
                window.close();
            }
        },
        Qt::SingleShotConnection);
    if (!options.quitWhenReady) return;
    QObject::connect(&window, &MainWindow::requestFailed, fail);
    QObject::connect(&window, &MainWindow::saveFailed, fail);
    QObject::connect(&window, &MainWindow::saved, &window, &QWidget::close);
}

}  // namespace

int runWindow(int argc, char** argv, const WindowOptions& options) {
    std::shared_ptr<void> display = checkDisplay();
    const render::Instance instance({options.validation, true, options.log});
    checkDevices(instance);

    QApplication::setApplicationName(QStringLiteral("Threefold"));
    QApplication::setOrganizationName(QStringLiteral("Threefold"));
    QApplication::setApplicationVersion(QStringLiteral(THREEFOLD_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("threefold"));
    QApplication application(argc, argv);
    display.reset();
    QVulkanInstance vulkan;
    vulkan.setVkInstance(instance.handle());
    if (!vulkan.create()) {
        throw DeviceError({"Vulkan", QApplication::platformName().toStdString(),
                           "Qt cannot use Vulkan with this window system",
                           "Set QT_QPA_PLATFORM to xcb or wayland."});
    }

    std::optional<ErrorReport> failure;
    QSettings settings;
    MainWindow window(
        {instance, vulkan, settings, options.makeBackend, options.log, QApplication::palette()});
    QObject::connect(&window, &MainWindow::rendererFailed, [&failure](const ErrorReport& report) {
        failure = report;
        QApplication::exit(1);
    });
    if (options.quitWhenReady || !options.screenshotWhenReady.empty()) {
        quitWhenReady(window, options, failure);
    }
    window.show();
    if (!options.sample.empty()) window.openSample(options.sample, options.views);
    const int code = QApplication::exec();
    if (failure) throw Error(*failure);
    return code;
}

}  // namespace threefold::ui
