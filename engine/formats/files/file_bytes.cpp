#include "engine/formats/files/file_bytes.h"

#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/error.h"

namespace threefold {
namespace {

struct Entries {
    std::vector<std::filesystem::path> paths;
    int error = 0;  ///< errno of opening or reading the folder
};

// Uses readdir(3): std::filesystem::directory_iterator of libstdc++ ends the process when memory
// runs out.
Entries readEntries(const std::filesystem::path& folder) {
    Entries entries;
    const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
    errno = open ? 0 : errno;
    while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") entries.paths.push_back(folder / name);
        errno = 0;
    }
    entries.error = errno;
    return entries;
}

}  // namespace

bool isFile(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
}

bool pathExists(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::exists(path, error);
}

bool isFolder(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_directory(path, error);
}

std::vector<std::filesystem::path> tryListFolder(const std::filesystem::path& folder) {
    return readEntries(folder).paths;
}

std::vector<std::filesystem::path> listFolder(const std::filesystem::path& folder,
                                              const char* remedy) {
    Entries entries = readEntries(folder);
    if (entries.error != 0) throwIoError(folder, "cannot be listed", entries.error, remedy);
    return std::move(entries.paths);
}

std::vector<std::byte> readFile(const std::filesystem::path& file, std::uintmax_t limit) {
    const ReadableFile open = openForReading(file);
    if (open.size > limit)
        throw IoError(
            {file.string(), "",
             fmt::format("is {} bytes long, but at most {} are accepted", open.size, limit),
             "Make sure that it is the file you mean."});
    std::vector<std::byte> bytes(open.size);
    std::size_t bytesRead = 0;
    while (bytesRead < bytes.size()) {
        const ssize_t count =
            ::read(open.descriptor.get(), bytes.data() + bytesRead, bytes.size() - bytesRead);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throwIoError(file, "cannot be read", errno, "Check the disk it lies on.");
        if (count == 0) break;
        bytesRead += static_cast<std::size_t>(count);
    }
    bytes.resize(bytesRead);
    return bytes;
}

}  // namespace threefold
