#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

/// Search for the image files of a camera file's photographs.
namespace threefold {

/// Finds the file `name` in `folder`, or `name` with an image extension appended; else the longest
/// suffix of the path `name` that exists in `folder`: for "C:/data/fox/images/1.jpg" this may be
/// images/1.jpg or 1.jpg; else the last suffix in the subfolder images. Accepts slashes and
/// backslashes. Empty if there is no such file or the name is invalid.
std::filesystem::path findPhoto(const std::filesystem::path& folder, const std::string& name);

/// Runs findPhoto() in `folder`, then in the subfolders images, image and blended_images of
/// `folder`, of its parent and of its grandparent, until a file is found.
std::filesystem::path findPhotoAround(const std::filesystem::path& folder, const std::string& name);

/// Pictures for the cameras of `file`, which names no pictures: all pictures of the first folder
/// that holds any, in the order of tryListPictures(). Picture i belongs to camera i. Empty if no
/// folder holds pictures. Throws InputError if the number of pictures is not `cameraCount`.
std::vector<std::filesystem::path> picturesInOrder(
    const std::vector<std::filesystem::path>& folders, std::size_t cameraCount,
    const std::filesystem::path& file);

}  // namespace threefold
