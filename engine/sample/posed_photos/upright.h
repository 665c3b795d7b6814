#pragma once

#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold {

/// Rotates cameras of stored pixels to upright pictures, by EXIF orientation. A lens with the
/// stored size is of stored pixels; `byDefault` decides if both sizes are equal.
void turnUpright(CameraFile& file, PixelOrder byDefault);

}  // namespace threefold
