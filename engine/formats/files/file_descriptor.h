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

/// Throws IoError: "file: problem: reason. Remedy", with the system's reason for `errorNumber`
/// (errno). Replaces the remedy if the process has run out of memory or open files, or the name is
/// too long.
[[noreturn]] void throwIoError(const std::filesystem::path& file, const std::string& problem,
                               int errorNumber, std::string remedy);

}  // namespace threefold
