#pragma once

#include <memory>

#include "engine/formats/pictures/image.h"
#include "render/device.h"
#include "render/scene.h"

namespace threefold::render {

/// Draws a scene into an image of the given size in pixels. The same scene on the same driver gives
/// the same bytes, also in a window. A background with alpha < 1 gives straight alpha, without a
/// fringe at the mesh's edge.
/// Throws DeviceError, InputError (a size of zero or beyond the device's limit; a mesh with an
/// index out of range or a wrong number of values).
/// Not thread-safe with other uses of the device's queue.
Image renderOffscreen(const Device& device, const Scene& scene, int width, int height);

/// The same for many pictures: keeps pipelines and uploaded meshes between them.
/// One thread only; the device must outlive it.
class OffscreenTarget {
  public:
    explicit OffscreenTarget(const Device& device);
    ~OffscreenTarget();

    /// As renderOffscreen. The target stays usable after an error.
    Image draw(const Scene& scene, int width, int height);

    /// CPU time of the last picture's overlay in milliseconds.
    double overlayMilliseconds() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace threefold::render
