#pragma once

#include <filesystem>
#include <vector>

namespace threefold {

/// The folder results are written to, made with its parents if it is not there. Folders that it
/// made and that are still empty when it goes are removed: a failed run leaves nothing behind.
class OutputFolder {
  public:
    /// Throws IoError: it cannot be made, is a file, or cannot be written to.
    explicit OutputFolder(std::filesystem::path folder);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    const std::filesystem::path& path() const { return folder_; }

  private:
    std::filesystem::path folder_;
    std::vector<std::filesystem::path> made_;  ///< innermost first
};

}  // namespace threefold
