#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace threefold {

/// The images of a rendering folder, matched to the rows of its metadata.
struct ViewFiles {
    std::vector<std::filesystem::path> images;  ///< one for each row; empty where it is missing
    bool numbered = false;                      ///< ShapeNet's naming: image NN belongs to row NN
};

/// True for .png, .jpg and .jpeg in any case, but for hidden files.
bool isImageName(const std::filesystem::path& file);

/// The file with the rows of a folder's cameras: kMetadataName, or kPlainMetadataName where no
/// other cameras are there (COLMAP's file of that name is nothing without its images.txt); empty
/// where neither.
std::filesystem::path metadataFileIn(const std::filesystem::path& folder);

/// The folder with the metadata: `folder` itself or "rendering" in it; empty where neither.
std::filesystem::path renderingFolderIn(const std::filesystem::path& folder);

/// The name of the file with an item's cameras.
inline constexpr const char* kMetadataName = "rendering_metadata.txt";
/// The same rows beside the pictures of the method's own demo.
inline constexpr const char* kPlainMetadataName = "cameras.txt";
/// The folder of an item's images in ShapeNet's layout.
inline constexpr const char* kRenderingName = "rendering";

/// Throws InputError: an image without a row, a row without an image (unless numbered), two images
/// for one row; IoError where the folder cannot be listed.
ViewFiles matchViewFiles(const std::filesystem::path& folder, std::size_t rows);

}  // namespace threefold
