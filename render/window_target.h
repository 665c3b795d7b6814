#pragma once

#include <functional>

#include "render/device.h"
#include "render/frame_statistics.h"
#include "render/scene.h"

namespace threefold::render {

/// Draws scenes into a window's surface: swapchain, frames in flight, uploads. Survives resizing
/// and a minimised (0×0) window. For one thread. While the target draws, nothing else may use the
/// device's queue.
class WindowTarget {
  public:
    /// The surface and the device must outlive the target. Throws DeviceError.
    WindowTarget(const Device& device, VkSurfaceKHR surface);
    ~WindowTarget();

    /// Whether draw() need not wait for any mesh of the scene.
    bool isReady(const Scene& scene) const;

    /// Starts to prepare the scene's meshes that are not ready, on another thread, which calls
    /// `onReady` for each. Other scenes can be drawn meanwhile.
    void startPreparing(const Scene& scene, const std::function<void()>& onReady);

    /// Draws and presents one frame. `width` and `height` in device pixels; a size that the window
    /// system dictates takes precedence. The background's alpha is ignored. Software devices draw
    /// scenes of more than a million triangles with one sample per pixel.
    /// Returns when the frame is queued, at most one frame ahead of the device; false if nothing
    /// was presented (size zero, or the surface is changing): call again soon.
    /// Throws InputError (a mesh with an index out of range or a wrong number of values) and
    /// DeviceError. The target stays usable unless the device or the surface is lost.
    bool draw(const Scene& scene, int width, int height);

    /// Whether the last frame had the requested size and fitted the surface. During resizing the
    /// window system may be ahead or behind: a frame that does not fit is shown clipped or with a
    /// gap, until the next frame.
    bool lastFrameFits() const;

    /// Times and memory of the last presented frame.
    FrameStatistics lastFrame() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace threefold::render
