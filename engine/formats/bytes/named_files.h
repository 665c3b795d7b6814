#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace threefold {

/// Finds files named in another file, such as the material libraries and textures of a mesh.
class NamedFiles {
  public:
    NamedFiles() = default;
    NamedFiles(const NamedFiles&) = delete;
    NamedFiles& operator=(const NamedFiles&) = delete;
    virtual ~NamedFiles() = default;

    /// The file that `name` means in a file of `folder`; empty if missing.
    virtual std::filesystem::path find(const std::filesystem::path& folder,
                                       const std::string& name) const = 0;
    /// The whole file that find() returned. Throws IoError.
    virtual std::vector<std::byte> read(const std::filesystem::path& file) const = 0;
};

/// On disk. Accepts names from other machines: with backslashes, in quotes, in upper or lower case,
/// and with folders that do not exist here (then the file is looked for in the folder itself).
class FilesOnDisk final : public NamedFiles {
  public:
    std::filesystem::path find(const std::filesystem::path& folder,
                               const std::string& name) const override;
    std::vector<std::byte> read(const std::filesystem::path& file) const override;
};

}  // namespace threefold
