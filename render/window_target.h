#pragma once

#include <memory>

#include "render/device.h"
#include "render/scene.h"

namespace threefold::render {

/// Draws scenes into a window's surface: swapchain, frames in flight, uploads. Survives resizing
/// and a minimised (0×0) window. One thread only.
class WindowTarget {
  public:
    /// The surface and the device must outlive the target. Throws DeviceError.
    WindowTarget(const Device& device, VkSurfaceKHR surface);
    ~WindowTarget();
    WindowTarget(const WindowTarget&) = delete;
    WindowTarget& operator=(const WindowTarget&) = delete;

    /// Draws and presents one frame at the given size in device pixels. False: nothing was
    /// presented (size zero, or the surface is changing); call again when asked to draw next.
    bool draw(const Scene& scene, int width, int height);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace threefold::render
