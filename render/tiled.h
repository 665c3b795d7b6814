#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>

#include "render/device.h"
#include "render/scene.h"

namespace threefold::render {

/// The next rows of a picture from its top: whole rows of width × 4 bytes, straight RGBA.
using RowsFunction = std::function<void(std::span<const std::uint8_t> rgba)>;

/// Draws a picture of any size, also beyond the device's limit, in tiles, and hands its rows over
/// as they come; `height` in all. Every pixel is the one that renderOffscreen would give. Holds one
/// band of tiles in memory: width × 512 pixels at most.
/// Throws Cancelled where `cancel` asks for it, between tiles; InputError (a size below 1 or of
/// more than 2³⁰ pixels a side; a mesh that cannot be drawn; a scene that is a tile itself),
/// DeviceError, and what `receive` throws. Not at the same time as another use of the device's
/// queue.
void renderTiled(const Device& device, const Scene& scene, int width, int height,
                 const RowsFunction& receive, const std::stop_token& cancel = {});

/// The same with tiles of the given sides, for tests of the seams between them.
void renderTiled(const Device& device, const Scene& scene, int width, int height, int tileWidth,
                 int tileHeight, const RowsFunction& receive, const std::stop_token& cancel = {});

}  // namespace threefold::render
