#pragma once

#include <optional>

#include "engine/formats/pictures/image.h"
#include "engine/views/mask.h"

namespace threefold {

/// Mask of the object: the pixels that are at least half opaque; in an image where all are, those
/// that are not nearly white. nullopt if that is every pixel or no pixel; also if, in such an
/// opaque image, the object touches all four sides and covers most of the border: the background
/// was not cut out.
std::optional<Mask> foregroundOf(const Image& image);

}  // namespace threefold
