#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <vector>

#include "engine/formats/files/file_descriptor.h"

namespace threefold {

/// Whether the path leads to a regular file; false also if the path cannot be examined.
bool isFile(const std::filesystem::path& path);
/// Whether the path leads to anything; false also if the path cannot be examined.
bool pathExists(const std::filesystem::path& path);
/// Whether the path leads to a folder; false also if the path cannot be examined.
bool isFolder(const std::filesystem::path& path);

/// Lists a folder without throwing: paths of its entries in no order, up to the first error.
std::vector<std::filesystem::path> tryListFolder(const std::filesystem::path& folder);

/// Default remedy of listFolder().
inline constexpr const char* kListRemedy = "Check that the folder is there and may be read.";

/// Paths of a folder's entries, in no order. Throws IoError, with `remedy`, if the folder cannot be
/// listed.
std::vector<std::filesystem::path> listFolder(const std::filesystem::path& folder,
                                              const char* remedy = kListRemedy);

/// Size limit of an image, mesh or truth file, in bytes.
inline constexpr std::uintmax_t kMaxContentBytes = std::uintmax_t{1} << 30;

/// The whole file. Throws IoError (missing, not a regular file, unreadable, larger than `limit`
/// bytes).
std::vector<std::byte> readFile(const std::filesystem::path& file,
                                std::uintmax_t limit = std::uintmax_t{4} << 30);

/// Returns the result of `work`, which reads `file`. Throws an IoError that names the file if
/// `work` runs out of memory.
template <class Work>
auto namingFileIfOutOfMemory(const std::filesystem::path& file, const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        throwIoError(file, "cannot be read", ENOMEM, "");
    }
}

}  // namespace threefold
