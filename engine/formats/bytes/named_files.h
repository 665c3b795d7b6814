#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace threefold {

/// The files that another one names: a mesh its material libraries, textures and buffers.
class NamedFiles {
  public:
    NamedFiles() = default;
    NamedFiles(const NamedFiles&) = delete;
    NamedFiles& operator=(const NamedFiles&) = delete;
    virtual ~NamedFiles() = default;

    /// What is called `name` in a file of `folder`; empty where there is none.
    virtual std::filesystem::path find(const std::filesystem::path& folder,
                                       const std::string& name) const = 0;
    /// The whole of what find() has found. Throws IoError.
    virtual std::vector<std::byte> read(const std::filesystem::path& file) const = 0;
};

/// On the disk, and as other machines name them: with backslashes, in quotes, in upper or lower
/// case, and, where only the folders are another machine's, in the folder itself.
class FilesOnDisk final : public NamedFiles {
  public:
    std::filesystem::path find(const std::filesystem::path& folder,
                               const std::string& name) const override;
    std::vector<std::byte> read(const std::filesystem::path& file) const override;
};

}  // namespace threefold
