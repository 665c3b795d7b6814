#pragma once

#include <filesystem>
#include <string>
#include <string_view>
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

/// Before long work, for a file that `option` names: an earlier one of its kind, which begins with
/// `beginning`, may be replaced, and an empty one; nothing else. Does nothing where `file` is
/// empty. Throws IoError as requireWritable(), UsageError: the file holds something else. `kind`:
/// "a trace".
void requireReplaceable(const std::string& option, const std::filesystem::path& file,
                        std::string_view beginning, const std::string& kind);

}  // namespace threefold
