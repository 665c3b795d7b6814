#pragma once

#include <optional>

#include "engine/formats/pictures/image.h"
#include "engine/views/mask.h"

namespace threefold {

/// Mask of the object. In an image with transparency: the pixels that are at least half opaque. In
/// an opaque image, where all pixels are at least half opaque: the pixels that are not nearly
/// white. nullopt if the object would be every pixel or none; also if the object touches all four
/// sides of an opaque image and covers most of the border, which means that the background was not
/// cut out.
std::optional<Mask> foregroundOf(const Image& image);

}  // namespace threefold
