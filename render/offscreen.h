#pragma once

#include <stop_token>

#include "engine/formats/pictures/image.h"
#include "render/recording.h"
#include "render/renderer.h"

namespace threefold::render {

/// Draws a scene into an image of the given size in pixels. The same scene on the same driver gives
/// the same bytes, also in a window (but for what WindowTarget::draw says of many triangles). A
/// background with alpha < 1 gives straight alpha, without a fringe at the mesh's edge. Throws
/// DeviceError, InputError (a size of zero or beyond the device's limit; a mesh with an index out
/// of range or a wrong number of values). Not thread-safe with other uses of the device's queue.
Image renderOffscreen(const Device& device, const Scene& scene, int width, int height);

/// The same for many pictures: keeps pipelines and uploaded meshes between them.
/// One thread only; the device must outlive it.
class OffscreenTarget {
  public:
    explicit OffscreenTarget(const Device& device);

    /// As renderOffscreen. The target stays usable after an error.
    Image draw(const Scene& scene, int width, int height);

    /// CPU time of the last picture's overlay in milliseconds.
    double overlayMilliseconds() const { return renderer_.overlayMilliseconds(); }

  private:
    /// The images of one picture size. They are kept for the next picture: on a software device,
    /// touching new memory costs as much as drawing.
    struct Canvas {
        Attachment picture;
        PassImages images;
        FramebufferHandle framebuffer;
        Buffer pixels;
    };
    const Canvas& canvasOf(VkExtent2D extent);

    const Device& device_;
    Renderer renderer_;
    Commands commands_;
    std::optional<Canvas> canvas_;
};

/// Receives the next rows of a picture from its top: width × 4 bytes each, straight RGBA.
using RowsFunction = std::function<void(std::span<const std::uint8_t> rgba)>;

/// Draws a picture of any size, also beyond the device's limit, in tiles and passes its rows on as
/// they are finished. Pixels equal those of renderOffscreen. Holds one band of tiles in memory:
/// width × 512 pixels at most.
/// Throws Cancelled between tiles if `cancel` requests it; InputError (a side below 1 or above 2³⁰
/// pixels; a mesh that cannot be drawn; a scene that is itself a tile), DeviceError, and what
/// `receive` throws. Not thread-safe with other uses of the device's queue.
/// `tileWidth`, `tileHeight`: for tests of the seams.
void renderTiled(const Device& device, const Scene& scene, int width, int height,
                 const RowsFunction& receive, const std::stop_token& cancel = {},
                 int tileWidth = 4096, int tileHeight = 512);

}  // namespace threefold::render
