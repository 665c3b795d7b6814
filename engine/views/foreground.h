#pragma once

#include <optional>

#include "engine/formats/pictures/image.h"
#include "engine/views/mask.h"

namespace threefold {

/// The object's pixels: the at least half opaque ones; in an image where all are, those not nearly
/// white. None if that is every pixel or no pixel. None also if, in such an opaque image, the
/// object touches all four sides and covers most of the border: the background was not cut out.
std::optional<Mask> foregroundOf(const Image& image);

}  // namespace threefold
