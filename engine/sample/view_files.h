#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

/// Files of a sample: its pictures and its camera rows.
namespace threefold {

/// File name of a sample's camera rows.
inline constexpr const char* kMetadataName = "rendering_metadata.txt";
/// File name of camera rows in the method's own demo.
inline constexpr const char* kDemoMetadataName = "cameras.txt";
/// Folder name of a sample's images in ShapeNet's layout.
inline constexpr const char* kRenderingFolder = "rendering";
/// File with the names of the images in a sample's rendering folder.
inline constexpr const char* kRenderingListName = "renderings.txt";

/// Images of a rendering folder, matched to the rows of its metadata.
struct ViewFiles {
    std::vector<std::filesystem::path> images;  ///< one for each row; empty if the image is missing
    bool isNumbered = false;                    ///< ShapeNet's naming: image NN belongs to row NN
};

/// Images of a folder (listPictures()), except a renderer's other outputs, such as 00_depth.png
/// beside 00.png. Throws IoError.
std::vector<std::filesystem::path> imagesIn(const std::filesystem::path& folder);

/// Images of a folder, or if it has none, of its subfolder `images`, as in projects of COLMAP and
/// nerfstudio. Throws the exceptions of imagesIn().
std::vector<std::filesystem::path> listPhotographs(const std::filesystem::path& folder);

/// File with the camera rows of a folder: kMetadataName, or kDemoMetadataName if the folder has no
/// camera file (COLMAP's cameras.txt is a camera file if images.txt lies beside it); empty if
/// neither exists.
std::filesystem::path metadataFileIn(const std::filesystem::path& folder);

/// Folder with the metadata: `folder` itself or its subfolder "rendering"; empty if neither has
/// any.
std::filesystem::path renderingFolderIn(const std::filesystem::path& folder);

/// Matches the images of a folder to its camera rows. Throws InputError (an image without a row, a
/// row without an image unless numbered, two images for one row), IoError (the folder cannot be
/// listed).
ViewFiles matchViewFiles(const std::filesystem::path& folder, std::size_t rows);

}  // namespace threefold
