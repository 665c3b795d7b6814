#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

/// Output folder, created with its parents if missing. The destructor removes created folders that
/// are still empty: a failed run leaves nothing behind.
class OutputFolder {
  public:
    /// Throws IoError: the folder cannot be created, is a file, or is not writable.
    explicit OutputFolder(std::filesystem::path folder);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;
    /// Removes created folders that are empty, as the destructor does. Thread-safe.
    void removeIfEmpty() const;

    const std::filesystem::path& path() const { return folder_; }

  private:
    std::filesystem::path folder_;
    std::vector<std::filesystem::path> createdFolders_;  ///< innermost first
};

/// Whether writing `file` loses nothing: the file is missing or empty, or is an earlier output,
/// which `isOurs` tells by the first bytes, at most kInspectedBytes. Follows symbolic links.
/// Anything but a regular file loses something.
bool isReplaceable(const std::filesystem::path& file,
                   const std::function<bool(std::string_view)>& isOurs);
inline constexpr std::size_t kInspectedBytes = 256;

/// Checks, before long work, that the output of `option` may be written to `file`: the file is
/// missing or empty, or is an earlier output of this kind, which begins with `beginning`. Does
/// nothing for an empty path. Throws UsageError if the file holds something else; otherwise throws
/// as requireWritable() does. `kind` names the kind in that error: "a trace".
void requireReplaceable(const std::string& option, const std::filesystem::path& file,
                        std::string_view beginning, const std::string& kind);
/// Checks an output as the other overload does, for a kind of file without a fixed beginning:
/// `isOurs` recognises an earlier output by the first bytes, see isReplaceable().
void requireReplaceable(const std::string& option, const std::filesystem::path& file,
                        const std::function<bool(std::string_view)>& isOurs,
                        const std::string& kind);

}  // namespace threefold
