#pragma once

#include <memory>

namespace threefold::ui {

/// Qt ends the process where it finds no display, so this asks first. Call before QApplication is
/// made. Throws DeviceError with the remedy where neither an X server nor a Wayland compositor
/// answers, or QT_QPA_PLATFORM names a platform that cannot show Vulkan.
/// Keep what it returns until QApplication is there: an X server whose only client leaves may start
/// anew, and refuses others meanwhile.
std::shared_ptr<void> checkDisplay();

}  // namespace threefold::ui
