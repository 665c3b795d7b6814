#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "engine/formats/bytes/file_descriptor.h"

namespace threefold {

/// A new sample beside its place: filled in a hidden folder of the data set's root, which other
/// processes leave alone, then renamed into it as a whole. Nothing is left at the end of the scope.
class SampleFolder {
  public:
    /// Throws IoError.
    explicit SampleFolder(const std::filesystem::path& root);
    ~SampleFolder();
    SampleFolder(SampleFolder&& other) noexcept;
    SampleFolder& operator=(SampleFolder&&) = delete;
    SampleFolder(const SampleFolder&) = delete;
    SampleFolder& operator=(const SampleFolder&) = delete;

    /// Writes a file that will be in the item's folder at `name`. Any thread. Throws IoError.
    void write(const std::filesystem::path& name, std::span<const std::byte> bytes) const;
    void write(const std::filesystem::path& name, std::string_view text) const;

    /// Writes one of the truth's files: what `truth` + `extension` is to hold. Throws IoError.
    void writeTruth(std::string_view extension, std::string_view bytes) const;

    /// A file that was written becomes `target`. Throws IoError.
    void publishFile(const std::filesystem::path& name, const std::filesystem::path& target) const;

    /// The item's folder becomes `target`, last of all; the truth's files become `truth` + their
    /// extensions. Folders for both are made if missing. With `replace` what is there goes.
    /// Everything is as it was where it fails: throws IoError.
    void publish(const std::filesystem::path& target, const std::filesystem::path& truth,
                 bool replace);

  private:
    std::filesystem::path path_;
    FileDescriptor lock_;
};

/// Writes a file of a data set whole or not at all, as writeFileWhole() does; what a killed process
/// leaves of it is in a folder that removeLeftFolders() removes. Throws IoError.
void writeFileOfDataSet(const std::filesystem::path& file, std::string_view text);

/// Waits until everything that was written to the file system of `folder` is on its disk: once for
/// many files, which costs as much as once for each. Throws IoError.
void flushDisk(const std::filesystem::path& folder);

/// Removes what processes that were killed have left in `root`; never what one is writing.
void removeLeftFolders(const std::filesystem::path& root);

}  // namespace threefold
