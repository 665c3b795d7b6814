#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace threefold {

/// Maximum length of a path that a file may name: PATH_MAX of Linux.
inline constexpr std::size_t kMaxPathBytes = 4096;

/// Default remedy of makeFolder().
inline constexpr const char* kFolderRemedy =
    "Check that the folder may be written to, and has space left.";

/// Makes a folder and its missing parents, with default permissions. Throws IoError with the
/// system's reason, and `remedy`; also if a file has the folder's name.
void makeFolder(const std::filesystem::path& folder, std::string remedy = kFolderRemedy);

/// The process's current folder. Throws IoError if the folder was removed, or cannot be examined.
std::filesystem::path currentFolder();

/// Absolute path of `path`, resolved against the current folder without access to the disk. Throws
/// as currentFolder() does.
std::filesystem::path absolutePath(const std::filesystem::path& path);

/// Folder for temporary files: TMPDIR, else the system's default. Throws IoError if this path leads
/// to no folder.
std::filesystem::path systemTemporaryFolder();

}  // namespace threefold
