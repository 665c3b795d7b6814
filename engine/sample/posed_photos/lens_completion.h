#pragma once

#include <filesystem>
#include <string>

#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/views/lens.h"

namespace threefold {

/// Sets a missing size of `lens` from the image, as upright or as stored. False on failure: then
/// this view cannot be chosen, but others can.
bool completeSize(Lens& lens, const Photo& photo, PixelOrder order);

/// Throws InputError for an invalid lens: a size or focal length not above zero, a principal point
/// outside the photograph by more than its size, a value that is not finite.
void requireValidLens(const Lens& lens, const std::filesystem::path& file,
                      const std::string& place);

/// Completes a lens: a missing size from the picture, and if `centred`, the principal point at the
/// centre. Checks the lens if the size is known.
void completeLens(Photo& photo, bool centred, const std::filesystem::path& file,
                  const std::string& place);

}  // namespace threefold
