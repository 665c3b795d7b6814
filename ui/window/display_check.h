#pragma once

#include <memory>

namespace threefold::ui {

/// Checks for a display, because Qt ends the process if there is none. Call it before making
/// QApplication. Throws DeviceError with the remedy if neither an X server nor a Wayland compositor
/// answers, or if QT_QPA_PLATFORM names a platform that cannot show Vulkan. Keep the returned
/// connection until QApplication exists: an X server may restart when its only client leaves, and
/// refuse others meanwhile.
std::shared_ptr<void> checkDisplay();

}  // namespace threefold::ui
