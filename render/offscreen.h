#pragma once

#include "engine/formats/image.h"
#include "render/device.h"
#include "render/scene.h"

namespace threefold::render {

/// Draws a scene into an image of the given size in pixels: for tests, screenshots and exports.
/// The same scene on the same driver gives the same bytes. Throws DeviceError, InputError (a size
/// of zero or beyond the device's limit).
Image renderOffscreen(const Device& device, const Scene& scene, int width, int height);

}  // namespace threefold::render
