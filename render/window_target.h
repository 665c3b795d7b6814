#pragma once

#include <functional>
#include <memory>

#include "render/device.h"
#include "render/frame_cost.h"
#include "render/scene.h"

namespace threefold::render {

/// Draws scenes into a window's surface: swapchain, frames in flight, uploads. Survives resizing
/// and a minimised (0×0) window. One thread only, and the only user of the device's queue while
/// it draws.
class WindowTarget {
  public:
    /// The surface and the device must outlive the target. Throws DeviceError.
    WindowTarget(const Device& device, VkSurfaceKHR surface);
    ~WindowTarget();
    WindowTarget(const WindowTarget&) = delete;
    WindowTarget& operator=(const WindowTarget&) = delete;

    /// Whether draw() will not wait for a large mesh of the scene. Where one is new it is made
    /// ready on another thread, which then calls `then`; draw() of another scene goes on meanwhile.
    bool ready(const Scene& scene, const std::function<void()>& then);

    /// Draws and presents one frame at the given size in device pixels; where the window system
    /// dictates the size, at that one. The alpha of the background is not used. Returns when the
    /// frame is queued, at most one frame later than the device can take it.
    /// False: nothing was presented (size zero, or the surface is changing); call again soon.
    /// Throws InputError (a mesh with an index out of range or a wrong number of values; the
    /// target can be used on), DeviceError.
    bool draw(const Scene& scene, int width, int height);

    /// Whether the last frame had the size that draw() was asked for and the surface took it as
    /// fitting. A window system may be a step behind or ahead of the program while a window is
    /// resized: a frame that does not fit is shown, cut or with a gap, until the next one.
    bool fits() const;

    /// Of the last frame that was presented.
    FrameCost cost() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace threefold::render
