#pragma once

namespace threefold::ui {

/// Qt ends the process where it finds no display, so this asks first. Call before QApplication is
/// made. Throws DeviceError with the remedy where neither an X server nor a Wayland compositor
/// answers, or QT_QPA_PLATFORM names a platform that cannot show Vulkan.
void checkDisplay();

}  // namespace threefold::ui
