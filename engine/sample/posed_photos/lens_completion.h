#pragma once

#include <filesystem>
#include <string>

#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/views/lens.h"

namespace threefold {

/// Sets the width and height of `lens`, where missing, from the image: upright or as stored, by
/// `order`. Returns false if the image cannot be read: then this view cannot be chosen, but others
/// can.
bool completeSize(Lens& lens, const Photo& photo, PixelOrder order);

/// Throws InputError for an invalid lens: a size or focal length not above zero, a principal point
/// outside the photograph by more than its size, a value that is not finite.
void requireValidLens(const Lens& lens, const std::filesystem::path& file,
                      const std::string& place);

/// Completes a lens: sets a missing size from the picture and, if `centred`, the principal point to
/// the picture's centre. Checks the lens if the size is known.
void completeLens(Photo& photo, bool centred, const std::filesystem::path& file,
                  const std::string& place);

}  // namespace threefold
