#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// The endings of pictures that are read, in lower case.
inline constexpr std::string_view kPictureEndings[] = {".png",  ".jpg",  ".jpeg", ".webp",
                                                       ".heic", ".heif", ".avif"};

/// The folder of the photographs of a project of COLMAP or nerfstudio.
inline constexpr const char* kImagesName = "images";

/// Another picture beside this one whose name differs in the ending alone, IMG_1.png of IMG_1.jpg;
/// empty where there is none.
std::filesystem::path namesakeOf(const std::filesystem::path& photograph);

/// The mask of a photograph `dir/IMG_1.jpg`: the first that exists in dir/masks, dir/mask,
/// dir/segmentation, dir/silhouettes and the same folders of dir/.. (nerfstudio, COLMAP) as
/// IMG_1.png, IMG_1.jpg.png, IMG_1.jpg, IMG_1.jpeg, IMG_1_mask.png or IMG_1.mask.png, as well as in
/// a folder of the photographs' own name in those above (masks/left for images/left) and in
/// dir_masks and dir_mask, then
/// dir/IMG_1_mask.png and dir/IMG_1.mask.png. In a folder `mask`, 000.png is the mask of 000000.jpg
/// as well (IDR). Where it has a namesake, IMG_1.jpg.png comes first,
/// as that tells the two apart. `named`, a mask that a camera file names for the photograph, comes
/// after ownMaskFile() and before all others; empty: none. Empty where there is none.
std::filesystem::path maskFileOf(const std::filesystem::path& photograph,
                                 const std::filesystem::path& named = {});

/// A line about a folder beside or above the photographs that is called after masks, where no
/// photograph takes its mask from anywhere; empty where one does, or there is no such folder. Empty
/// paths are passed over.
std::string unusedMasksNote(std::span<const std::filesystem::path> photographs);

/// dir/masks/IMG_1.png, whether it is there or not; dir/masks/IMG_1.jpg.png where the photograph
/// has a namesake. Of photographs in a folder `images` dir/../masks: COLMAP takes every picture in
/// and below `images` for a photograph.
std::filesystem::path ownMaskFile(const std::filesystem::path& photograph);

/// Writes that file, making its folder. Throws IoError, also where the folder or the file is a
/// symbolic link: what it leads to may be somebody else's.
std::filesystem::path writeOwnMask(const std::filesystem::path& photograph, const Image& mask);

/// Whether it is another picture's mask by its name: IMG_1_mask.png, IMG_1.mask.png.
bool isMaskName(const std::filesystem::path& file);

/// The photograph, upright; where it has a maskFileOf(), no more opaque than the mask is white (or,
/// of a mask with transparent pixels, opaque). Throws as readImage(), for the mask as well;
/// InputError: a mask of another size.
Image readPhotograph(const std::filesystem::path& file,
                     const std::filesystem::path& namedMask = {});

}  // namespace threefold
