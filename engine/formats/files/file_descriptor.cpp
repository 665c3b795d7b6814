#include "engine/formats/files/file_descriptor.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "engine/error.h"

namespace threefold {
namespace {

constexpr const char* kNoFile = "is not a regular file";
constexpr const char* kNoFileRemedy = "Save its content to a file and name that one.";

}  // namespace

FileDescriptor openRegularFile(const std::filesystem::path& file, int flags, const char* problem,
                               const char* remedy) {
    // O_NONBLOCK: opening a pipe without another end must not hang.
    FileDescriptor descriptor(::open(file.c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0666));
    // ENXIO: the file is a socket, or a pipe that is opened for writing but has no reader.
    if (!descriptor && errno == ENXIO) throw IoError({file.string(), "", kNoFile, kNoFileRemedy});
    if (!descriptor) throwIoError(file, problem, errno, remedy);
    struct stat status {};
    if (::fstat(descriptor.get(), &status) != 0)
        throwIoError(file, "cannot be examined", errno, "Check the disk it lies on.");
    if (S_ISDIR(status.st_mode))
        throw IoError({file.string(), "", "is a folder, expected a file", "Name a file in it."});
    if (!S_ISREG(status.st_mode)) throw IoError({file.string(), "", kNoFile, kNoFileRemedy});
    return descriptor;
}

ReadableFile openForReading(const std::filesystem::path& file) {
    FileDescriptor descriptor =
        openRegularFile(file, O_RDONLY, "cannot be opened", "Check the path and its permissions.");
    struct stat status {};
    if (::fstat(descriptor.get(), &status) != 0)
        throwIoError(file, "cannot be examined", errno, "Check the disk it lies on.");
    return {std::move(descriptor), static_cast<std::uintmax_t>(status.st_size)};
}

void lockRun(const FileDescriptor& descriptor, RunLock lock, const std::filesystem::path& file,
             const std::filesystem::path& folder) {
    const int operation = lock == RunLock::shared ? LOCK_SH : LOCK_EX;
    if (::flock(descriptor.get(), operation | LOCK_NB) == 0) return;
    if (errno == EWOULDBLOCK)
        throw InputError({folder.string(), "", "another run is writing to it at this moment",
                          "Wait for its end, or choose another output folder (`output`)."});
    // NFS fails with EBADF: an exclusive lock there needs a descriptor opened for writing, and a
    // folder cannot be opened for writing.
    if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP || errno == EBADF) return;
    throwIoError(file, "cannot be locked", errno,
                 "Choose an output folder on another file system (`output`).");
}

FileDescriptor openLockedFolder(const std::filesystem::path& folder) {
    FileDescriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!descriptor)
        throwIoError(folder, "cannot be opened", errno, "Choose another output folder (`output`).");
    lockRun(descriptor, RunLock::exclusive, folder, folder);
    return descriptor;
}

void throwIoError(const std::filesystem::path& file, const std::string& problem, int errorNumber,
                  std::string remedy) {
    // These errors do not come from the file, so the caller's remedy would not help.
    if (errorNumber == EMFILE || errorNumber == ENFILE)
        remedy = "Raise the limit with `ulimit -n`, or end other programs.";
    if (errorNumber == ENAMETOOLONG) remedy = "Choose a shorter name.";
    if (errorNumber == ENOMEM) remedy = "Close other programs, or raise the limit of `ulimit -v`.";
    throw IoError({file.string(), "",
                   fmt::format("{}: {}", problem, std::generic_category().message(errorNumber)),
                   std::move(remedy)});
}

void writeAll(const FileDescriptor& descriptor, std::span<const std::byte> bytes,
              const std::filesystem::path& file, const char* remedy) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throwIoError(file, "cannot be written", errno, remedy);
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
}

}  // namespace threefold
