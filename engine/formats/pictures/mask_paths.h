#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "engine/formats/pictures/image.h"

/// Names of masks and their photographs.
namespace threefold {

/// Folder of the photographs in a project of COLMAP or nerfstudio.
inline constexpr const char* kImagesFolder = "images";

/// Another picture in the same folder whose mask may have the same name. Its name differs from the
/// photograph's only in the extension (IMG_1.png for IMG_1.jpg), or lacks the photograph's
/// extension (a.png for a.png.jpg). Empty if there is none.
std::filesystem::path namesakeOf(const std::filesystem::path& photograph);

/// Finds the mask of a photograph `dir/IMG_1.jpg`; empty if there is none.
///
/// Folders, in this order:
/// 1. dir/masks, dir/mask, dir/segmentation, dir/silhouettes, and the same folders of dir/..
///    (nerfstudio, COLMAP);
/// 2. in these folders of dir/.. and dir/../.., a folder of the photographs' own name (masks/left
///    for images/left);
/// 3. dir_masks, dir_mask;
/// 4. dir itself, for IMG_1_mask.png and IMG_1.mask.png alone.
///
/// Names in folders 1 to 3, in this order: IMG_1.png, IMG_1.jpg.png, IMG_1.jpg, IMG_1.jpeg,
/// IMG_1.JPG, IMG_1_mask.png, IMG_1.mask.png. In a folder `mask`, 000.png is also the mask of
/// 000000.jpg (IDR). If the photograph has a namesake, IMG_1.jpg.png comes first, to tell the two
/// apart; a.png.png is not the mask of a.png.jpg beside a photograph a.png.
///
/// `named`: a mask that a camera file names for the photograph, empty for none. Only ownMaskFile()
/// takes precedence over `named`.
std::filesystem::path maskFileOf(const std::filesystem::path& photograph,
                                 const std::filesystem::path& named = {});

/// Message about a folder of pictures whose name suggests masks, in or beside the photographs'
/// folder, if no photograph has a mask; empty if a photograph has one, or there is no such folder.
/// Skips empty paths.
std::string unusedMasksText(std::span<const std::filesystem::path> photographs);

/// Path of the mask that Threefold writes, existing or not: dir/masks/IMG_1.png, or
/// dir/masks/IMG_1.jpg.png if the photograph has a namesake. The mask of a photograph in a folder
/// `images` lies in dir/../masks, unless images/masks exists: COLMAP takes every picture in and
/// below `images` for a photograph.
std::filesystem::path ownMaskFile(const std::filesystem::path& photograph);

/// Writes ownMaskFile(), making its folder; returns its path. Throws IoError, also if the folder or
/// the file is a symbolic link, whose target may belong to somebody else.
std::filesystem::path writeOwnMask(const std::filesystem::path& photograph, const Image& mask);

/// Whether the file is named like a mask beside its photograph: IMG_1_mask.png, IMG_1.mask.png.
bool isMaskName(const std::filesystem::path& file);

}  // namespace threefold
