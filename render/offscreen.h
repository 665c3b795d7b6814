#pragma once

#include <stop_token>

#include "engine/formats/pictures/image.h"
#include "render/recording.h"
#include "render/renderer.h"

namespace threefold::render {

/// Draws a scene into an image of the given size in pixels. The same scene and driver give the same
/// bytes, also in a window (WindowTarget::draw() names an exception). A background with alpha < 1
/// gives straight alpha: pixels at edges hold the mesh's colour alone. Throws
/// DeviceError, InputError (a size of zero or beyond the device's limit; a mesh with an index out
/// of range or a wrong number of values). Not thread-safe with other uses of the device's queue.
Image renderOffscreen(const Device& device, const Scene& scene, int width, int height);

/// Draws many pictures as renderOffscreen() does, but keeps pipelines and uploaded meshes between
/// them. For one thread; the device must outlive the target.
class OffscreenTarget {
  public:
    /// Throws DeviceError.
    explicit OffscreenTarget(const Device& device);

    /// Draws as renderOffscreen() does. Throws only after the device has finished its work for the
    /// target, so that the target can be used again.
    Image draw(const Scene& scene, int width, int height);

    /// CPU time of the last picture's profile panel in milliseconds.
    double profileMilliseconds() const { return renderer_.profileMilliseconds(); }

  private:
    /// Images of one picture size, kept for the next picture: on a software device, touching new
    /// memory costs as much as drawing.
    struct Canvas {
        Attachment picture;
        TransientAttachments images;
        FramebufferHandle framebuffer;
        Buffer pixels;
    };
    const Canvas& canvasOf(VkExtent2D extent);

    const Device& device_;
    Renderer renderer_;
    CommandBuffer commands_;
    std::optional<Canvas> canvas_;
};

/// Receives the next rows of a picture, from the top: width × 4 bytes each, straight RGBA.
using RowsFunction = std::function<void(std::span<const std::uint8_t> rgba)>;

/// Size of the tiles of renderTiled(), in pixels.
struct TileSize {
    int width = 4096, height = 512;
};

/// Draws a picture of any size, even beyond the device's limit, in tiles, and gives its finished
/// rows to `receive`. Pixels equal those of renderOffscreen(), except for the rounding that Tile
/// describes. Holds one band of tiles in memory: width × the tiles' height in pixels. `tileSize`:
/// for tests of the seams. Throws Cancelled between tiles if `cancel` requests it; InputError (a
/// side below 1 or above 2³⁰ pixels; a mesh that cannot be drawn; a scene that is itself a tile),
/// DeviceError, and exceptions of `receive`. Not thread-safe with other uses of the device's queue.
void renderTiled(const Device& device, const Scene& scene, int width, int height,
                 const RowsFunction& receive, const std::stop_token& cancel = {},
                 TileSize tileSize = {});

}  // namespace threefold::render
