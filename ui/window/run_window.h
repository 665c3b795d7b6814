#pragma once

#include <map>

#include "engine/evaluation/record.h"
#include "engine/network/service/devices.h"
#include "ui/run/worker.h"

namespace threefold::ui {

struct WindowOptions {
    /// Samples, images, truths, meshes and sessions to open. Meshes alone start no network.
    std::vector<std::filesystem::path> files;
    std::vector<int> views;            ///< empty: suggestedViews()
    std::filesystem::path comparison;  ///< a mesh beside the result; empty: none
    std::filesystem::path truth;       ///< instead of the sample's; empty: its own
    /// Called on the network's thread, while the window is already on the screen.
    NetworkOpener openNetwork;
    /// Likewise another one; empty: there is none.
    std::function<NetworkDevices(const NetworkChoice&)> openChosen;
    /// The devices that a choice may name, in the order of the menus. Called once a network is
    /// open, on the window's thread.
    std::function<std::vector<std::string>()> devices;
    /// `files` and model are the bundled ones: the window explains the first picture until the
    /// user's first action.
    bool greets = false;
    /// The machine of that network, for reports; empty: this processor. Any thread.
    std::function<MachineDescription(const NetworkInfo&)> machineOf;
    LogFunction log;  ///< called from several threads at once
    /// NetworkServiceOptions::patience
    Scheduler::Duration patience = Scheduler::kPatience;
    /// The window's state at the start, instead of the saved one: names and words of a session's
    /// look ("map": "viridis"), "theme" (themeFromName()), "fit" ("off", "chosen", "all").
    std::map<std::string, std::string> start;
    /// A PNG of the whole window once the first reconstruction is on the screen; empty: none.
    std::filesystem::path screenshotWhenReady;
    bool quitWhenReady = false;  ///< after the first picture, and the screenshot if asked for
    bool validation = false;     ///< Vulkan's validation layers; their messages go to `log`
};

/// Opens the window and returns its exit code when it is closed. The caller's thread becomes the
/// window's; call once in a process. Throws DeviceError without display or Vulkan device (before
/// anything is shown); with quitWhenReady, Error if a file cannot be opened, the sample cannot be
/// reconstructed, or the screenshot cannot be written.
int runWindow(int argc, char** argv, const WindowOptions& options);

/// Checks for a display, because Qt ends the process if there is none. Call it before making
/// QApplication. Throws DeviceError with the remedy if neither an X server nor a Wayland compositor
/// answers, or if QT_QPA_PLATFORM names a platform that cannot show Vulkan. Keep the returned
/// connection until QApplication exists: an X server may restart when its only client leaves, and
/// refuse others meanwhile.
std::shared_ptr<void> checkDisplay();

}  // namespace threefold::ui
