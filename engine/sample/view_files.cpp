#include "engine/sample/view_files.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/formats/pictures/picture_listing.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/text.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

/// Display name of the file with the camera rows.
std::string rowsFileOf(const Path& folder) {
    const Path file = metadataFileIn(folder);
    return file.empty() ? kMetadataName : file.filename().string();
}

/// Number of a purely numeric file name: "07.png" → 7.
std::optional<std::size_t> numberOf(const Path& file) {
    const std::string stem = file.stem().string();
    constexpr std::size_t kMaxDigits = 6;
    return stem.size() > kMaxDigits ? std::nullopt : parseNumber<std::size_t>(stem);
}

/// Images with their numbers, sorted; empty unless every name is a number.
std::vector<std::pair<std::size_t, Path>> numberedImages(const std::vector<Path>& images) {
    std::vector<std::pair<std::size_t, Path>> numbered;
    for (const Path& image : images) {
        const std::optional<std::size_t> number = numberOf(image);
        if (!number) return {};
        numbered.emplace_back(*number, image);
    }
    std::ranges::sort(numbered);
    return numbered;
}

/// Whether an image is another output of the renderer beside a view: 00_depth.png beside 00.png.
bool isBesideView(const Path& image, const std::vector<Path>& images) {
    constexpr std::string_view kSuffixes[] = {"_prj",    "_depth", "_normal", "_normals",
                                              "_albedo", "_mask",  "_seg",    "_nocs"};
    const std::string stem = image.stem().string();
    for (const std::string_view suffix : kSuffixes) {
        if (!stem.ends_with(suffix) || stem.size() == suffix.size()) continue;
        const std::string view = stem.substr(0, stem.size() - suffix.size());
        if (std::ranges::any_of(images, [&](const Path& other) { return other.stem() == view; }))
            return true;
    }
    return false;
}

std::vector<Path> imagesByNumber(const std::vector<std::pair<std::size_t, Path>>& numbered,
                                 const Path& folder, std::size_t rows) {
    // People number their own images from 1. Numbers count from 1 only if every row then has an
    // image, since ShapeNet's numbers, from 0, may have gaps.
    const std::size_t first =
        numbered.front().first == 1 && numbered.back().first == rows && numbered.size() == rows ? 1
                                                                                                : 0;
    std::vector<Path> images(rows);
    for (const auto& [number, file] : numbered) {
        const std::size_t row = number - first;
        if (row >= rows)
            throw InputError(
                {folder.string(), file.filename().string(),
                 fmt::format("has no camera: {} has {} rows", rowsFileOf(folder), rows),
                 "Add a row for the image, or remove the image."});
        if (!images[row].empty())
            throw InputError({folder.string(), file.filename().string(),
                              fmt::format("is a second image for view {}, beside {}", row,
                                          images[row].filename().string()),
                              "Keep one of the two."});
        images[row] = file;
    }
    return images;
}

}  // namespace

std::vector<Path> imagesIn(const Path& folder) {
    std::vector<Path> images = listPictures(folder);
    std::erase_if(images, [all = images](const Path& image) { return isBesideView(image, all); });
    return images;
}

std::vector<Path> listPhotographs(const Path& folder) {
    std::vector<Path> images = imagesIn(folder);
    const Path subfolder = folder / kImagesFolder;
    return images.empty() && isFolder(subfolder) ? imagesIn(subfolder) : images;
}

Path metadataFileIn(const Path& folder) {
    if (isFile(folder / kMetadataName)) return folder / kMetadataName;
    const bool plain = isFile(folder / kDemoMetadataName) && cameraFileIn(folder).empty();
    return plain ? folder / kDemoMetadataName : Path();
}

Path renderingFolderIn(const Path& folder) {
    if (!metadataFileIn(folder).empty()) return folder;
    if (isFile(folder / kRenderingFolder / kMetadataName)) return folder / kRenderingFolder;
    return {};
}

ViewFiles matchViewFiles(const Path& folder, std::size_t rows) {
    const std::vector<Path> images = imagesIn(folder);
    const auto numbered = numberedImages(images);
    if (!numbered.empty()) return {imagesByNumber(numbered, folder, rows), true};
    if (images.size() != rows)
        throw InputError({folder.string(), "",
                          fmt::format("holds {} images, but {} has {} rows", images.size(),
                                      rowsFileOf(folder), rows),
                          "Give one row for each image, in the order of the images' names."});
    return {images, false};
}

}  // namespace threefold
