#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string_view>

namespace threefold {

/// Content that a file has after a power cut right after writing.
enum class Durability {
    atomic,   ///< the old or the new content, complete
    flushed,  ///< the new content; waits for the disk, which takes twice as long
};

/// Writes a temporary file in the same folder, flushes it, then renames it over `file`. Afterwards
/// `file` holds all of `bytes` or its previous content, and no temporary file is left. Follows a
/// symbolic link; an existing file keeps its permissions. Throws IoError with the system's reason,
/// UsageError if the file is reserved (ReservedFile).
void writeFileAtomically(const std::filesystem::path& file, std::span<const std::byte> bytes,
                         Durability durability = Durability::atomic);
void writeFileAtomically(const std::filesystem::path& file, std::string_view text,
                         Durability durability = Durability::atomic);

/// Content of a file to be written.
struct NewFile {
    std::filesystem::path path;
    std::span<const std::byte> bytes;
};

/// Writes files as writeFileAtomically() does, and replaces none of them before all are written.
/// Throws as writeFileAtomically() does.
void writeFilesAtomically(std::span<const NewFile> files);

/// Atomic replacement of a file that another program writes, or that is written in pieces. Makes an
/// empty temporary file beside `file`. The destructor removes the temporary file unless commit()
/// has renamed it.
class FileReplacement {
  public:
    /// Throws as writeFileAtomically() does.
    explicit FileReplacement(const std::filesystem::path& file);
    ~FileReplacement();
    FileReplacement(const FileReplacement&) = delete;
    FileReplacement& operator=(const FileReplacement&) = delete;

    /// The temporary file: write into it; do not replace it by a rename.
    const std::filesystem::path& path() const;
    /// Flushes the temporary file and renames it over the target. At most once. Throws IoError with
    /// the system's reason.
    void commit();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Checks that writeFileAtomically() could write this path, so that long work can fail before the
/// work begins. Throws IoError as writeFileAtomically() does: the folder is missing or not
/// writable, or the path is no regular file; UsageError: the file is reserved. Leaves nothing
/// behind.
void requireWritable(const std::filesystem::path& file);

/// Removes the temporary files of killed processes from a folder. Files that a process is writing
/// are locked and stay.
void removeTemporaryFiles(const std::filesystem::path& folder);

/// Waits until no function of this header writes a file, and blocks new writes while the lock is
/// held. Use it to end the process while other threads work.
std::unique_lock<std::shared_mutex> blockWrites();

}  // namespace threefold
