#pragma once

#include <filesystem>
#include <string>

#include "engine/formats/files/file_descriptor.h"

namespace threefold {

/// Owns a new, empty folder in the system's temporary folder, readable by its user alone. The
/// destructor removes it with its contents. Left-over folders of killed processes are removed by
/// the next TemporaryFolder with the same purpose.
class TemporaryFolder {
  public:
    /// Makes "threefold-`purpose`-XXXXXX". Throws IoError with the system's reason.
    explicit TemporaryFolder(const std::string& purpose);
    /// Makes the folder in `parent`; `remedy`: remedy of the IoError.
    TemporaryFolder(const std::string& purpose, const std::filesystem::path& parent,
                    const std::string& remedy);
    ~TemporaryFolder() { remove(); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Removes the folder with its contents, as far as the system lets it. Any thread, also while
    /// another thread removes it.
    void remove() const;

  private:
    std::filesystem::path path_;
    FileDescriptor lock_;  ///< locks the folder while the process runs
};

}  // namespace threefold
