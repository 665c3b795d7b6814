#pragma once

#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold {

/// Converts cameras of pictures as stored to cameras of upright pictures, by EXIF orientation. A
/// lens with the size of the stored picture is for that picture; if stored and upright picture have
/// equal sizes, `byDefault` decides.
void turnUpright(CameraFile& file, PixelOrder byDefault);

}  // namespace threefold
