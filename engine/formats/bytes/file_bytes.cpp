#include "engine/formats/bytes/file_bytes.h"

#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/error.h"
#include "engine/formats/bytes/file_descriptor.h"

namespace threefold {
namespace {

struct OpenFile {
    FileDescriptor descriptor;
    std::uintmax_t size;
};

OpenFile openForReading(const std::filesystem::path& file) {
    // O_NONBLOCK: opening a pipe without a writer must not hang.
    FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!descriptor) failIo(file, "cannot be opened", errno, "Check the path and its permissions.");
    struct stat status {};
    if (::fstat(descriptor.get(), &status) != 0)
        failIo(file, "cannot be examined", errno, "Check the disk it lies on.");
    if (S_ISDIR(status.st_mode))
        throw IoError({file.string(), "", "is a folder, expected a file", "Name a file in it."});
    if (!S_ISREG(status.st_mode))
        throw IoError({file.string(), "", "is not a regular file",
                       "Save its content to a file and name that one."});
    return {std::move(descriptor), static_cast<std::uintmax_t>(status.st_size)};
}

}  // namespace

bool isFile(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
}

bool isFolder(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_directory(path, error);
}

std::vector<std::filesystem::path> entriesIn(const std::filesystem::path& folder,
                                             std::error_code* error) {
    std::vector<std::filesystem::path> paths;
    std::error_code ignored;
    std::error_code& failure = error != nullptr ? *error : ignored;
    // Not std::filesystem::directory_iterator: libstdc++'s ends the process where memory is short.
    const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
    errno = open ? 0 : errno;
    while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") paths.push_back(folder / name);
        errno = 0;
    }
    failure.assign(errno, std::generic_category());
    return paths;
}

std::vector<std::byte> readFile(const std::filesystem::path& file, std::uintmax_t limit) {
    const OpenFile open = openForReading(file);
    if (open.size > limit)
        throw IoError({file.string(), "",
                       fmt::format("is {} bytes long, at most {} are accepted", open.size, limit),
                       "Make sure that it is the file you mean."});
    std::vector<std::byte> bytes(open.size);
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count =
            ::read(open.descriptor.get(), bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) failIo(file, "cannot be read", errno, "Check the disk it lies on.");
        if (count == 0) break;
        done += static_cast<std::size_t>(count);
    }
    bytes.resize(done);
    return bytes;
}

MappedFile::MappedFile(const std::filesystem::path& file) {
    const OpenFile open = openForReading(file);
    if (open.size == 0) return;
    void* address = ::mmap(nullptr, open.size, PROT_READ, MAP_PRIVATE, open.descriptor.get(), 0);
    if (address == MAP_FAILED)
        failIo(file, "cannot be mapped", errno, "Copy it to a local disk and try again.");
    bytes_ = {static_cast<const std::byte*>(address), static_cast<std::size_t>(open.size)};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
}

}  // namespace threefold
