#include "ui/window/run_window.h"

#include <algorithm>
#include <filesystem>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <QDir>
#include <QLibraryInfo>

#include "engine/error.h"
#include "engine/text.h"

namespace threefold::ui {
namespace {

std::shared_ptr<void> connectToX() {
    std::shared_ptr<xcb_connection_t> connection(xcb_connect(nullptr, nullptr), &xcb_disconnect);
    return xcb_connection_has_error(connection.get()) == 0 ? connection : nullptr;
}

bool waylandAnswers(const std::string& display) {
    const std::filesystem::path socketFile =
        display.front() == '/'
            ? std::filesystem::path(display)
            : std::filesystem::path(qgetenv("XDG_RUNTIME_DIR").toStdString()) / display;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = socketFile.string();
    if (path.size() >= sizeof(address.sun_path)) return false;
    std::copy(path.begin(), path.end(), address.sun_path);
    const int handle = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (handle < 0) return false;
    const bool connected =
        connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
    close(handle);
    return connected;
}

bool hasQtWayland() {
    const QDir plugins(QLibraryInfo::path(QLibraryInfo::PluginsPath) + "/platforms");
    return !plugins.entryList({QStringLiteral("libqwayland*.so")}).isEmpty();
}

/// Kinds of display that a window may be shown on.
struct Platforms {
    bool x = false;
    bool wayland = false;
};

/// Reads QT_QPA_PLATFORM: plug-ins that Qt tries in turn, separated by semicolons, each with
/// options after a colon. An empty variable allows both kinds.
Platforms platformsFrom(const std::string& variable) {
    if (variable.empty()) return {true, true};
    Platforms platforms;
    for (const std::string& entry : split(variable, ';')) {
        const std::string plugin = entry.substr(0, entry.find(':'));
        platforms.x |= plugin == "xcb";
        platforms.wayland |= plugin.starts_with("wayland");
    }
    return platforms;
}

}  // namespace

std::shared_ptr<void> connectToDisplay() {
    const std::string platform = qgetenv("QT_QPA_PLATFORM").toStdString();
    const Platforms platforms = platformsFrom(platform);
    if (!platforms.x && !platforms.wayland) {
        throw DeviceError({"display", "QT_QPA_PLATFORM=" + platform,
                           "this platform cannot show Vulkan",
                           "Unset QT_QPA_PLATFORM, or set it to xcb or wayland."});
    }
    const std::string wayland = qgetenv("WAYLAND_DISPLAY").toStdString();
    const std::string x11 = qgetenv("DISPLAY").toStdString();
    if (platforms.x && !x11.empty()) {
        if (std::shared_ptr<void> connection = connectToX()) return connection;
    }
    if (platforms.wayland && !wayland.empty() && waylandAnswers(wayland)) {
        if (hasQtWayland()) return nullptr;
        throw DeviceError({"display", "WAYLAND_DISPLAY=" + wayland,
                           "Qt's Wayland plug-in is not installed",
                           "Install the package qt6-wayland, or run with XWayland."});
    }
    const std::string remedy =
        "Run from a desktop session, set DISPLAY, use `ssh -X`, or start the program under "
        "`xvfb-run`; `threefold reconstruct` needs no display.";
    if (x11.empty() && wayland.empty())
        throw DeviceError({"display", "", "neither DISPLAY nor WAYLAND_DISPLAY is set", remedy});
    const std::string variable = x11.empty() ? "WAYLAND_DISPLAY=" + wayland : "DISPLAY=" + x11;
    throw DeviceError({"display", variable, "nothing answers there", remedy});
}

}  // namespace threefold::ui
