#include "engine/formats/files/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/formats/files/folders.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRandomPart = "XXXXXX";

/// Locks a folder. Empty if the folder belongs to another user, is a link, or is locked by a
/// process that still runs.
FileDescriptor lockOf(const fs::path& folder) {
    FileDescriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat state {};
    const bool taken = lock && fstat(lock.get(), &state) == 0 && state.st_uid == geteuid() &&
                       flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
    return taken ? std::move(lock) : FileDescriptor();
}

/// Removes folders of this name whose process was killed.
void removeAbandoned(const fs::path& parent, const std::string& name) {
    for (const fs::path& folder : tryListFolder(parent)) {
        const std::string found = folder.filename().string();
        if (found.size() != name.size() + kRandomPart.size() || !found.starts_with(name)) continue;
        // The lock is held until the folder is removed, so that a process that has just made the
        // folder cannot lock the folder, and makes another.
        const FileDescriptor lock = lockOf(folder);
        if (!lock) continue;
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& purpose)
    : TemporaryFolder(purpose, systemTemporaryFolder(),
                      "Let TMPDIR name a folder that can be written to.") {}

TemporaryFolder::TemporaryFolder(const std::string& purpose, const fs::path& parent,
                                 const std::string& remedy) {
    const std::string name = "threefold-" + purpose + "-";
    removeAbandoned(parent, name);
    // Tries again: before the folder is locked, another process may take the folder for abandoned
    // and remove it.
    constexpr int kTries = 3;
    for (int i = 0; i < kTries && !(lock_ && isFolder(path_)); ++i) {
        remove();
        std::string pattern = (parent / name).string().append(kRandomPart);
        if (::mkdtemp(pattern.data()) == nullptr)
            throwIoError(parent, "no folder can be made in it", errno, remedy);
        path_ = pattern;
        lock_ = lockOf(path_);
    }
}

void TemporaryFolder::remove() const {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace threefold
