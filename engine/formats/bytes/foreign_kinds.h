#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace threefold {

/// A kind of file that no reader takes.
struct ForeignKind {
    std::string name;         ///< "a TIFF image"; "packed with gzip"
    std::string_view remedy;  ///< what makes of it a file that is read, a sentence
    bool picture = false;
};

/// The kind of a file by its bytes: pictures, scenes, archives and arrays of other programs. None
/// for bytes that are of no such kind, those of Threefold's own formats among them.
std::optional<ForeignKind> foreignKind(std::span<const std::byte> bytes);

/// "12 files are TIFF images, which are not read" of the pictures in a folder that no reader takes,
/// of the most frequent kind; empty where there is none. Files that cannot be opened are passed
/// over. Throws nothing of the folder's content.
std::string foreignPicturesIn(const std::filesystem::path& folder);

}  // namespace threefold
