#pragma once

#include <filesystem>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// The mask of a photograph `dir/IMG_1.jpg`: the first that exists of dir/masks/IMG_1.png (ours),
/// dir/masks/IMG_1.jpg.png (COLMAP), the same two in dir/../masks (nerfstudio), dir/IMG_1_mask.png.
/// Empty where there is none.
std::filesystem::path maskFileOf(const std::filesystem::path& photograph);

/// dir/masks/IMG_1.png, whether it is there or not.
std::filesystem::path ownMaskFile(const std::filesystem::path& photograph);

/// Writes that file, making its folder. Throws IoError.
std::filesystem::path writeOwnMask(const std::filesystem::path& photograph, const Image& mask);

/// Whether it is another picture's mask by its name: IMG_1_mask.png.
bool isMaskName(const std::filesystem::path& file);

/// The photograph, upright; where it has a mask, no more opaque than the mask is white (or, of a
/// mask with transparent pixels, opaque). Throws as readImage(), for the mask as well; InputError:
/// a mask of another size.
Image readPhotograph(const std::filesystem::path& file);

}  // namespace threefold
