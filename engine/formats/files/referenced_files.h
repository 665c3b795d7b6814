#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace threefold {

/// Folders in which files named by another file may lie.
enum class AllowedFolders {
    folder,   ///< the opened file's folder or below; no link may lead out of it
    anywhere  ///< anywhere that this user may read
};

/// Finds files named in another file, such as the material libraries and textures of a mesh.
class ReferencedFiles {
  public:
    ReferencedFiles() = default;
    ReferencedFiles(const ReferencedFiles&) = delete;
    ReferencedFiles& operator=(const ReferencedFiles&) = delete;
    virtual ~ReferencedFiles() = default;

    /// Path of the file that `name` refers to in a file of `folder`; empty if missing. Throws
    /// InputError, which cites the name, if the file is outside the allowed folders.
    virtual std::filesystem::path find(const std::filesystem::path& folder, const std::string& name,
                                       AllowedFolders allowed = AllowedFolders::folder) const = 0;
    /// Reads the whole file that find() returned. Throws IoError.
    virtual std::vector<std::byte> read(const std::filesystem::path& file) const = 0;
};

/// Finds files on disk. Accepts names from other machines: with backslashes, in quotes, in upper or
/// lower case, and with folders that do not exist here or are outside the allowed folders (the file
/// is then looked for in `folder` itself).
class ReferencedFilesOnDisk final : public ReferencedFiles {
  public:
    /// `folder`: the folder of the opened file.
    explicit ReferencedFilesOnDisk(const std::filesystem::path& folder = {});
    std::filesystem::path find(const std::filesystem::path& folder, const std::string& name,
                               AllowedFolders allowed = AllowedFolders::folder) const override;
    std::vector<std::byte> read(const std::filesystem::path& file) const override;

  private:
    bool isInside(const std::filesystem::path& file) const;

    std::filesystem::path folder_;  ///< canonical; empty if missing
};

}  // namespace threefold
