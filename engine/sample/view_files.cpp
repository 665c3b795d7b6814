#include "engine/sample/view_files.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

/// The name of the file with the rows, for people.
std::string rowsFileOf(const Path& folder) {
    const Path file = metadataFileIn(folder);
    return file.empty() ? kMetadataName : file.filename().string();
}

/// The number that a file name consists of: "07.png" → 7.
std::optional<std::size_t> numberOf(const Path& file) {
    const std::string stem = file.stem().string();
    constexpr std::size_t kMostDigits = 6;
    if (stem.empty() || stem.size() > kMostDigits ||
        !std::ranges::all_of(stem, [](char c) { return c >= '0' && c <= '9'; }))
        return std::nullopt;
    return std::stoul(stem);
}

std::vector<Path> listImages(const Path& folder) {
    std::error_code error;
    std::vector<Path> images = entriesIn(folder, &error);
    if (error)
        throw IoError({folder.string(), "", "cannot be listed: " + error.message(),
                       "Check that the folder is there and may be read."});
    std::erase_if(images, [](const Path& entry) { return !isImageName(entry); });
    std::ranges::sort(images);
    return images;
}

/// Numbers and images, by number; empty unless every name is a number.
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

std::vector<Path> placeByNumber(const std::vector<std::pair<std::size_t, Path>>& numbered,
                                const Path& folder, std::size_t rows) {
    // People count their own images from 1; then every row has its image, in the same order.
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

bool isImageName(const Path& file) {
    if (file.filename().string().starts_with('.')) return false;
    std::string extension = file.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension == ".png" || extension == ".jpg" || extension == ".jpeg";
}

Path metadataFileIn(const Path& folder) {
    if (isFile(folder / kMetadataName)) return folder / kMetadataName;
    const bool plain = isFile(folder / kPlainMetadataName) && cameraFileIn(folder).empty();
    return plain ? folder / kPlainMetadataName : Path();
}

Path renderingFolderIn(const Path& folder) {
    if (!metadataFileIn(folder).empty()) return folder;
    if (isFile(folder / kRenderingName / kMetadataName)) return folder / kRenderingName;
    return {};
}

ViewFiles matchViewFiles(const Path& folder, std::size_t rows) {
    const std::vector<Path> images = listImages(folder);
    const auto numbered = numberedImages(images);
    if (!numbered.empty()) return {placeByNumber(numbered, folder, rows), true};
    if (images.size() != rows)
        throw InputError({folder.string(), "",
                          fmt::format("holds {} images, but {} has {} rows", images.size(),
                                      rowsFileOf(folder), rows),
                          "Give one row for each image, in the order of the images' names."});
    return {images, false};
}

}  // namespace threefold
