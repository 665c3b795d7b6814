#include "engine/sample/posed_photos/photo_files.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/formats/pictures/picture_listing.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/text.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

/// Existing file `plain`, or `plain` with the extension of a picture; else empty.
Path withPictureExtension(const Path& plain) {
    if (isFile(plain)) return plain;
    for (const PictureExtension& each : kPictureExtensions) {
        std::string capitals(each.extension);
        for (char& letter : capitals)
            if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
        for (const std::string& ending : {std::string(each.extension), capitals}) {
            Path longer = plain;
            longer += ending;
            if (isFile(longer)) return longer;
        }
    }
    return {};
}

}  // namespace

Path findPhoto(const Path& folder, const std::string& name) {
    // A path ends at a zero byte: "1.jpg\0x" would be 1.jpg.
    if (name.empty() || name.size() > kMaxPathBytes || name.find('\0') != name.npos) return {};
    Path file = withPictureExtension((folder / name).lexically_normal());
    if (!file.empty()) return file;
    std::string slashes = name;
    std::ranges::replace(slashes, '\\', '/');
    // Tries path suffixes, longest first: for "C:/data/fox/images/1.jpg" at last images/1.jpg, then
    // 1.jpg.
    constexpr int kMaxComponents = 64;
    for (int i = 0; i < kMaxComponents && !slashes.empty(); ++i) {
        if (slashes.front() != '/') {
            file = withPictureExtension((folder / slashes).lexically_normal());
            if (!file.empty()) return file;
        }
        const std::size_t slash = slashes.find('/');
        if (slash == slashes.npos) break;
        slashes.erase(0, slash + 1);
    }
    return slashes.empty() ? Path() : withPictureExtension(folder / "images" / slashes);
}

Path findPhotoAround(const Path& folder, const std::string& name) {
    constexpr int kLevels = 3;  // COLMAP's sparse/0 lies two folders below its project
    Path parent = folder;
    for (int i = 0; i < kLevels; ++i, parent = parent.parent_path()) {
        for (const char* subfolder : {"", kImagesFolder, "image", "blended_images"}) {
            // Images directly in a parent folder belong to something else.
            if (i > 0 && *subfolder == '\0') continue;
            Path found = findPhoto(parent / subfolder, name);
            if (!found.empty()) return found;
        }
        if (!parent.has_relative_path()) break;
    }
    return {};
}

std::vector<Path> picturesInOrder(const std::vector<Path>& folders, std::size_t cameraCount,
                                  const Path& file) {
    for (const Path& folder : folders) {
        std::vector<Path> pictures = tryListPictures(folder);
        if (pictures.empty()) continue;
        if (pictures.size() == cameraCount) return pictures;
        throw InputError(
            {file.string(), "",
             fmt::format("{} cameras, '{}' holds {} pictures; expected equal numbers, since the "
                         "file pairs them by their order",
                         cameraCount, folder.filename().string(), pictures.size()),
             "Keep only the pictures that have a camera in that folder, or give a camera file that "
             "names them, such as COLMAP's model."});
    }
    return {};
}

}  // namespace threefold
