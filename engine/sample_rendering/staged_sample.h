#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_descriptor.h"

namespace threefold {

/// New sample: written into a hidden, locked folder of the data set's root, then renamed to its
/// final path. Deletes the hidden folder at the end of the scope.
class StagedSample {
  public:
    /// Makes and locks the hidden folder. Throws IoError.
    explicit StagedSample(const std::filesystem::path& root);
    ~StagedSample();
    StagedSample(StagedSample&& other) noexcept;

    /// Writes a file at `name` in the sample's folder, from any thread. Throws IoError.
    void write(const std::filesystem::path& name, std::span<const std::byte> bytes) const;
    void write(const std::filesystem::path& name, std::string_view text) const {
        write(name, asBytes(text));
    }

    /// Writes a truth file, published as `truth` + `extension`. Throws IoError.
    void writeTruth(std::string_view extension, std::string_view bytes) const;

    /// Moves a written file to `target`. Throws IoError.
    void publishFile(const std::filesystem::path& name, const std::filesystem::path& target) const;

    /// Renames the truth files to `truth` + extension and, last, the sample's folder to `target`,
    /// creating parent folders. `replace` deletes an existing folder. Existing truth files are
    /// replaced in any case: if the sample has no folder, its truth files are left from an
    /// interrupted run. Throws IoError after undoing all renames.
    void publish(const std::filesystem::path& target, const std::filesystem::path& truth,
                 bool replace);

  private:
    StagedSample() = default;

    std::filesystem::path path_;
    FileDescriptor lock_;
};

/// Writes a file of a data set, completely or not at all. Unlike with writeFileAtomically(), a
/// killed process leaves only a folder for removeStaleFolders(). Throws IoError.
void writeFileOfDataSet(const std::filesystem::path& file, std::string_view text);

/// Flushes the file system of `folder` to disk. Throws IoError.
void flushDisk(const std::filesystem::path& folder);

/// Deletes folders that killed processes left in `root`, never one in use.
void removeStaleFolders(const std::filesystem::path& root);

}  // namespace threefold
