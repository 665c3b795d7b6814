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

namespace threefold {

/// Lower-case hexadecimal SHA-256 of the bytes, 64 characters, computed by OpenSSL. Throws
/// DeviceError where the system's OpenSSL is configured not to offer it. Any thread.
std::string sha256(std::span<const std::byte> bytes);

/// False as well where the path cannot be examined.
bool isFile(const std::filesystem::path& path);
bool pathExists(const std::filesystem::path& path);
bool isFolder(const std::filesystem::path& path);

/// The paths of a folder's entries, in no order; those before the error where it cannot be read.
std::vector<std::filesystem::path> entriesIn(const std::filesystem::path& folder,
                                             std::error_code* error = nullptr);

/// The largest image, mesh or truth that is read, in bytes.
inline constexpr std::uintmax_t kLargestContent = std::uintmax_t{1} << 30;

/// The whole file. Throws IoError (missing, not a regular file, unreadable, larger than `limit`
/// bytes).
std::vector<std::byte> readFile(const std::filesystem::path& file,
                                std::uintmax_t limit = std::uintmax_t{4} << 30);

/// A file's bytes, mapped read-only: only what is touched is read from disk.
class MappedFile {
  public:
    explicit MappedFile(const std::filesystem::path& file);  ///< Throws IoError.
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;

    std::span<const std::byte> bytes() const { return bytes_; }

  private:
    std::span<const std::byte> bytes_;
};

/// The file that a power cut right after writing may leave.
enum class Surviving {
    oldOrNew,  ///< the old or the new file, complete
    theNew,    ///< the new file; waits for the disk, which takes twice as long
};

/// Writes to a temporary file in the same folder, flushes, then renames over `file`: afterwards
/// `file` holds all of `bytes` or what it held before, and no temporary is left. A symbolic link is
/// followed, an existing file keeps its permissions. Throws IoError with the system's reason.
void writeFileWhole(const std::filesystem::path& file, std::span<const std::byte> bytes,
                    Surviving powerCut = Surviving::oldOrNew);
void writeFileWhole(const std::filesystem::path& file, std::string_view text,
                    Surviving powerCut = Surviving::oldOrNew);

/// Throws as writeFileWhole() would now for this path, so that long work can fail before it begins:
/// the folder is missing or not writable, or the path is no file's. Leaves nothing behind.
void requireWritable(const std::filesystem::path& file);

/// Removes the temporary files that killed processes have left in a folder. No other process may be
/// writing there.
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

/// Opened with these flags of open(2), made where they say so, never waiting for somebody at a
/// pipe's other end. Throws IoError where it is no regular file, or cannot be opened: `problem`
/// with the system's reason, and `remedy`.
FileDescriptor openRegularFile(const std::filesystem::path& file, int flags, const char* problem,
                               const char* remedy);

/// Throws IoError naming `file`.
void writeAll(const FileDescriptor& descriptor, std::span<const std::byte> bytes,
              const std::filesystem::path& file, const char* remedy);

/// Throws IoError: "file: what: reason. Remedy"; where memory or open files ran out, or the name is
/// too long, the remedy for that.
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
