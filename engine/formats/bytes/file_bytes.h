#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

#include "engine/formats/bytes/mapping_guard.h"

namespace threefold {

/// Lower-case hexadecimal SHA-256 of the bytes, 64 characters, computed by OpenSSL. Throws
/// DeviceError where the system's OpenSSL is configured not to offer it. Any thread.
std::string sha256(std::span<const std::byte> bytes);

/// False also if the path cannot be examined.
bool isFile(const std::filesystem::path& path);
bool pathExists(const std::filesystem::path& path);
bool isFolder(const std::filesystem::path& path);

/// Paths of a folder's entries, in no order. On an error `*error` is set, and the entries read
/// before are returned.
std::vector<std::filesystem::path> entriesIn(const std::filesystem::path& folder,
                                             std::error_code* error = nullptr);

/// Size limit of an image, mesh or truth file, in bytes.
inline constexpr std::uintmax_t kMaxContentBytes = std::uintmax_t{1} << 30;

/// The whole file. Throws IoError (missing, not a regular file, unreadable, larger than `limit`
/// bytes).
std::vector<std::byte> readFile(const std::filesystem::path& file,
                                std::uintmax_t limit = std::uintmax_t{4} << 30);

/// A file mapped read-only: pages are read from disk on first access. Bytes that are gone by then,
/// because the file was cut or the disk fails, read as zeros: see requireWhole().
class MappedFile {
  public:
    explicit MappedFile(const std::filesystem::path& file);  ///< Throws IoError.
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;

    /// The mapped bytes. Call requireWhole() before results computed from the bytes are used, or
    /// use decoded(), which does.
    std::span<const std::byte> bytes() const { return bytes_; }

    /// Throws IoError if bytes that were accessed were gone.
    void requireWhole() const;

    /// Returns decode(bytes()). Throws as `decode`, and as requireWhole(), which comes first.
    template <typename Decode>
    auto decoded(const Decode& decode) const {
        try {
            auto result = decode(bytes_);
            requireWhole();
            return result;
        } catch (...) {
            requireWhole();
            throw;
        }
    }

  private:
    std::filesystem::path file_;
    std::span<const std::byte> bytes_;
    MappingGuard guard_;
};

/// Version of the file that survives a power cut right after writing.
enum class Durability {
    atomic,   ///< the old or the new file, complete
    flushed,  ///< the new file; waits for the disk, which takes twice as long
};

/// Writes a temporary file in the same folder, flushes it, then renames it over `file`. Afterwards
/// `file` holds all of `bytes` or its previous content, and no temporary file is left. Follows a
/// symbolic link; an existing file keeps its permissions. Throws IoError with the system's reason.
void writeFileWhole(const std::filesystem::path& file, std::span<const std::byte> bytes,
                    Durability durability = Durability::atomic);
void writeFileWhole(const std::filesystem::path& file, std::string_view text,
                    Durability durability = Durability::atomic);

/// Content of a file to be written.
struct NewFile {
    std::filesystem::path path;
    std::span<const std::byte> bytes;
};

/// Writes files as writeFileWhole(), and replaces none of them before all are written. Throws as
/// writeFileWhole().
void writeFilesWhole(std::span<const NewFile> files);

/// Checks that writeFileWhole() could write this path, so that long work can fail before the work
/// begins. Throws IoError as writeFileWhole(): the folder is missing or not writable, or the path
/// is no regular file. Leaves nothing behind.
void requireWritable(const std::filesystem::path& file);

/// Removes the temporary files of killed processes from a folder. No other process may be writing
/// there.
void removeTemporaryFiles(const std::filesystem::path& folder);

/// Owns a POSIX file descriptor.
class FileDescriptor {
  public:
    explicit FileDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
    ~FileDescriptor() { close(); }
    FileDescriptor(FileDescriptor&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }

    explicit operator bool() const { return descriptor_ >= 0; }
    int get() const { return descriptor_; }
    /// False with errno set where the system reports a late write error.
    bool close() { return descriptor_ < 0 || ::close(std::exchange(descriptor_, -1)) == 0; }

  private:
    int descriptor_;
};

/// Opens a regular file with `flags` of open(2), with O_CREAT creating it; never waits for a pipe's
/// other end. Throws IoError if the path is no regular file, or cannot be opened: `problem` with
/// the system's reason, and `remedy`.
FileDescriptor openRegularFile(const std::filesystem::path& file, int flags, const char* problem,
                               const char* remedy);

/// Writes all bytes. Throws IoError naming `file`, with `remedy`.
void writeAll(const FileDescriptor& descriptor, std::span<const std::byte> bytes,
              const std::filesystem::path& file, const char* remedy);

/// Throws IoError: "file: what: reason. Remedy". Replaces the remedy if memory or open files ran
/// out, or the name is too long.
[[noreturn]] void failIo(const std::filesystem::path& file, const std::string& what, int error,
                         std::string remedy);

/// Returns the result of `work`, which reads `file`. If it runs out of memory, throws an IoError
/// that names the file.
template <class Work>
auto aboutFile(const std::filesystem::path& file, const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        failIo(file, "cannot be read", ENOMEM, "");
    }
}

}  // namespace threefold
