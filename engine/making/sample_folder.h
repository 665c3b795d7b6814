#pragma once

#include <filesystem>

namespace threefold {

/// A folder that appears as a whole or not at all: filled under another name in the same `root`,
/// then renamed. What is not published is gone at the end of the scope.
class SampleFolder {
  public:
    /// Makes the folder to fill. Throws IoError.
    explicit SampleFolder(const std::filesystem::path& root);
    ~SampleFolder();
    SampleFolder(const SampleFolder&) = delete;
    SampleFolder& operator=(const SampleFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Becomes `target`, whose parent is made if missing; with `replace` what is there goes. Throws
    /// IoError.
    void publish(const std::filesystem::path& target, bool replace);

  private:
    std::filesystem::path path_;
};

}  // namespace threefold
