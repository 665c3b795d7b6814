#pragma once

#include <map>

#include "engine/evaluation/run/run_description.h"
#include "engine/network/service/network_info.h"
#include "ui/run/network_client.h"

namespace threefold::ui {

/// Contents of a new window, and the functions that it gets from the program.
struct WindowOptions {
    /// Samples, images, truths, meshes and sessions to open. Meshes alone start no network.
    std::vector<std::filesystem::path> files;
    std::vector<int> views;                  ///< empty: suggestedViews()
    std::filesystem::path meshBesideResult;  ///< empty: none
    std::filesystem::path truth;             ///< replaces the sample's truth; empty: keeps it
    NetworkSources networks;
    /// Describes the machine of a network, for reports; empty: this processor. Any thread.
    std::function<MachineDescription(const NetworkInfo&)> machineOf;
    LogFunction log;  ///< empty: none; called from several threads at once
    /// Initial state of the window, instead of the saved state: keys and values from the look of a
    /// session file ("map": "viridis"), "theme" (themeFromName()), "fit" ("off", "chosen", "all").
    std::map<std::string, std::string> start;
    /// PNG file of the whole window, written once the first complete picture is on the screen;
    /// empty: none.
    std::filesystem::path screenshotWhenReady;
    bool quitWhenReady = false;  ///< after the first picture, and the screenshot if requested
    bool validation = false;     ///< Vulkan's validation layers; their messages go to `log`
};

/// Opens the window and returns its exit code when it is closed. The caller's thread becomes the
/// GUI thread; call once in a process. Throws DeviceError without display or Vulkan device (before
/// anything is shown), and Error if the renderer fails before the first frame; with quitWhenReady,
/// also Error if the renderer fails later, a file cannot be opened, the sample cannot be
/// reconstructed, or the screenshot cannot be written.
int runWindow(int argc, char** argv, const WindowOptions& options);

/// Checks for a display, because Qt ends the process if there is none. Call before constructing
/// QApplication. Throws DeviceError with the remedy if neither an X server nor a Wayland compositor
/// answers, or if QT_QPA_PLATFORM names a platform that cannot show Vulkan. Keep the returned
/// connection until QApplication exists: an X server may restart when its only client leaves, and
/// refuse others meanwhile.
std::shared_ptr<void> connectToDisplay();

}  // namespace threefold::ui
