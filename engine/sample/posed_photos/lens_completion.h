#pragma once

#include <filesystem>
#include <string>

#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/views/lens.h"

namespace threefold {

/// Sets the width and height of `lens`, where missing, from the image: upright or as stored, by
/// `order`. Returns false if a value is missing and the image cannot be read: then this view cannot
/// be chosen, but others can.
bool completeSize(Lens& lens, const Photo& photo, PixelOrder order);

/// Throws InputError for an invalid lens: a value that is not finite; a size not above zero; focalX
/// below a tenth of the width, focalY below a tenth of the height, or one of the two above 1e7
/// pixels; a distortion coefficient beyond ±1000; a principal point farther from the photograph's
/// centre than the width or height.
void requireValidLens(const Lens& lens, const std::filesystem::path& file,
                      const std::string& place);

/// Completes a lens: sets a missing size from the picture and, if `centred`, the principal point to
/// the picture's centre. Checks the lens if the size is known.
void completeLens(Photo& photo, bool centred, const std::filesystem::path& file,
                  const std::string& place);

}  // namespace threefold
