#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace threefold {

/// Kind of a file that no reader accepts.
struct UnsupportedKind {
    std::string name;         ///< "a TIFF image"; "packed with gzip"
    std::string_view remedy;  ///< how to convert the file to a readable one, a sentence
    bool isPicture = false;
};

/// Recognises other programs' pictures, videos, documents, scenes, archives and arrays by their
/// bytes. nullopt for other bytes, also for files of Threefold's own formats.
std::optional<UnsupportedKind> unsupportedKind(std::span<const std::byte> bytes);

/// Whether the bytes begin as a video does: MP4 or QuickTime, Matroska or WebM, AVI.
bool isVideo(std::span<const std::byte> bytes);

/// Counts a folder's pictures of the most frequent kind that no reader accepts: "12 files are TIFF
/// images, which are not read"; empty if there are none. Skips files that cannot be opened. No
/// content of the folder makes the function throw.
std::string unsupportedPicturesText(const std::filesystem::path& folder);

}  // namespace threefold
