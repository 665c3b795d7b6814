#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include <unistd.h>

namespace threefold {

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
    /// Closes the file. Returns false, with errno set, if the system reports a late write error.
    bool close() { return descriptor_ < 0 || ::close(std::exchange(descriptor_, -1)) == 0; }

  private:
    int descriptor_;
};

/// Opens a regular file with `flags` of open(2); O_CREAT creates a missing one. Never waits for the
/// other end of a pipe. Throws IoError for a folder, a device or a pipe, and if the file cannot be
/// opened: `problem` with the system's reason, and `remedy`.
FileDescriptor openRegularFile(const std::filesystem::path& file, int flags, const char* problem,
                               const char* remedy);

/// A regular file, opened to be read.
struct ReadableFile {
    FileDescriptor descriptor;
    std::uintmax_t size;  ///< bytes
};
/// Opens a regular file to be read. Throws IoError as openRegularFile() does.
ReadableFile openForReading(const std::filesystem::path& file);

/// Writes all bytes. Throws IoError naming `file`, with `remedy`.
void writeAll(const FileDescriptor& descriptor, std::span<const std::byte> bytes,
              const std::filesystem::path& file, const char* remedy);

/// Whether other processes may lock a file or folder, too.
enum class RunLock { shared, exclusive };
/// Locks an opened `file` of a run, or the run's folder itself, until the descriptor is closed,
/// also by the end of the process. Locks nothing where the file system has no locks, as on some
/// clusters. Throws InputError naming `folder` if another run holds the lock, IoError naming `file`
/// for any other reason.
void lockRun(const FileDescriptor& descriptor, RunLock lock, const std::filesystem::path& file,
             const std::filesystem::path& folder);
/// Opens a run's output folder and locks it exclusively, as lockRun() does. Throws IoError also if
/// the folder cannot be opened.
FileDescriptor openLockedFolder(const std::filesystem::path& folder);

/// Throws IoError: "file: problem: reason. Remedy", with the system's reason for `errorNumber`
/// (errno). Replaces the remedy if the process has run out of memory or open files, or the name is
/// too long.
[[noreturn]] void throwIoError(const std::filesystem::path& file, const std::string& problem,
                               int errorNumber, std::string remedy);

}  // namespace threefold
