#include "engine/formats/files/write_file.h"

#include <cerrno>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/formats/files/reserved_file.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWriteRemedy =
    "Check that the folder exists, may be written to, and has space left.";

constexpr const char* kLinkRemedy = "Name a file, or a link to one.";

constexpr std::string_view kTemporaryStart = ".threefold-";
constexpr std::string_view kTemporaryEnd = ".tmp";

std::shared_mutex& writesMutex() {
    static std::shared_mutex mutex;
    return mutex;
}

/// Removes a file that no process has locked: its writer has ended.
void removeIfAbandoned(const fs::path& file) {
    const FileDescriptor abandoned(
        ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    if (!abandoned || ::flock(abandoned.get(), LOCK_EX | LOCK_NB) != 0) return;
    // Another process may have removed the file meanwhile, and a third created one of the same
    // name.
    struct stat locked {};
    struct stat current {};
    const bool same = ::fstat(abandoned.get(), &locked) == 0 &&
                      ::lstat(file.c_str(), &current) == 0 && locked.st_ino == current.st_ino &&
                      locked.st_dev == current.st_dev;
    if (same) ::unlink(file.c_str());
}

/// Temporary file beside the target, locked while it is written; removed again unless renamed over
/// the target. Its name is derived from the target's name, so that the next writer finds the file
/// that a killed process left.
class TemporaryFile {
  public:
    /// The caller holds a shared lock of writesMutex(), which no thread may take twice.
    explicit TemporaryFile(const fs::path& target) : target_(target) {
        const fs::path folder = target.parent_path();
        const std::size_t hash = std::hash<std::string>()(target.filename().string());
        for (int attempt = 0; attempt < 1000 && !descriptor_; ++attempt) {
            path_ = folder /
                    fmt::format("{}{:016x}-{}{}", kTemporaryStart, hash, attempt, kTemporaryEnd);
            removeIfAbandoned(path_);
            // The umask restricts the mode, as for any new file.
            descriptor_ = FileDescriptor(
                ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
            if (!descriptor_ && errno != EEXIST) break;
            if (descriptor_ && !isOwned()) descriptor_.close();
        }
        if (!descriptor_) {
            path_.clear();  // an existing file belongs to another process
            throwIoError(target_, "cannot be written", errno, kWriteRemedy);
        }
    }
    ~TemporaryFile() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove(path_, ignored);
    }

    const fs::path& path() const { return path_; }

    void write(std::span<const std::byte> bytes) {
        writeAll(descriptor_, bytes, target_, kWriteRemedy);
    }

    void renameOverTarget() {
        struct stat status {};
        const bool targetExists = ::stat(target_.c_str(), &status) == 0;
        const bool hasMode =
            !targetExists || ::fchmod(descriptor_.get(), status.st_mode & 07777) == 0;
        // Closing reports late write errors but would release the lock, so a duplicate descriptor
        // holds the lock meanwhile.
        const FileDescriptor locked(::fcntl(descriptor_.get(), F_DUPFD_CLOEXEC, 0));
        if (!hasMode || !locked || ::fsync(descriptor_.get()) != 0 || !descriptor_.close() ||
            ::rename(path_.c_str(), target_.c_str()) != 0)
            throwIoError(target_, "cannot be written", errno, kWriteRemedy);
        path_.clear();
    }

  private:
    /// Whether this process owns the new file: false if another process took the file for abandoned
    /// before this process locked it. On a file system without locks, no process takes the file for
    /// abandoned, so that the answer is true.
    bool isOwned() const {
        struct stat status {};
        const bool isLockedByOther =
            ::flock(descriptor_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        return !isLockedByOther &&
               (::fstat(descriptor_.get(), &status) != 0 || status.st_nlink > 0);
    }

    const fs::path target_;
    fs::path path_;
    FileDescriptor descriptor_;
};

/// Path that the rename replaces: the target of a link, so that the link stays. Throws IoError for
/// a path that must not be replaced, UsageError for a reserved file.
fs::path renameTarget(const fs::path& file) {
    std::error_code error;
    fs::path target = fs::is_symlink(file, error) ? fs::weakly_canonical(file, error) : file;
    if (target.empty()) throwIoError(file, "cannot be written", error.value(), kLinkRemedy);
    const fs::file_status status = fs::status(target, error);
    if (fs::is_directory(status))
        throw IoError({file.string(), "", "is a folder, not a file", "Name a file."});
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw IoError({file.string(), "", "is not a regular file", "Name a regular file."});
    requireUnreserved(target);
    return target;
}

/// Flushes the file's folder, so that the file's name is on the disk, too.
void flushFolder(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const FileDescriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Tolerated: a folder that is writable but not listable, and file systems without this flush.
    if (!descriptor && errno == EACCES) return;
    if (!descriptor || (::fsync(descriptor.get()) != 0 && errno != EINVAL && errno != ENOTSUP))
        throwIoError(file, "is written, but may not be on the disk yet", errno,
                     "Check the disk, then write it again.");
}

}  // namespace

std::unique_lock<std::shared_mutex> blockWrites() {
    return std::unique_lock(writesMutex());
}

void writeFileAtomically(const fs::path& file, std::span<const std::byte> bytes,
                         Durability durability) {
    const std::shared_lock lock(writesMutex());
    const fs::path target = renameTarget(file);
    TemporaryFile temporary(target);
    temporary.write(bytes);
    temporary.renameOverTarget();
    if (durability == Durability::flushed) flushFolder(target);
}

void writeFilesAtomically(std::span<const NewFile> files) {
    const std::shared_lock lock(writesMutex());
    std::vector<std::unique_ptr<TemporaryFile>> written;
    for (const NewFile& file : files) {
        written.push_back(std::make_unique<TemporaryFile>(renameTarget(file.path)));
        written.back()->write(file.bytes);
    }
    for (const auto& file : written) file->renameOverTarget();
}

struct FileReplacement::State {
    TemporaryFile temporary;
};

FileReplacement::FileReplacement(const fs::path& file) {
    const std::shared_lock lock(writesMutex());
    state_.reset(new State{TemporaryFile(renameTarget(file))});
}

FileReplacement::~FileReplacement() = default;

const fs::path& FileReplacement::path() const {
    return state_->temporary.path();
}

void FileReplacement::commit() {
    const std::shared_lock lock(writesMutex());
    state_->temporary.renameOverTarget();
}

void requireWritable(const fs::path& file) {
    const std::shared_lock lock(writesMutex());
    const TemporaryFile temporary(renameTarget(file));
}

void writeFileAtomically(const fs::path& file, std::string_view text, Durability durability) {
    writeFileAtomically(file, asBytes(text), durability);
}

void removeTemporaryFiles(const fs::path& folder) {
    for (const fs::path& file : tryListFolder(folder)) {
        const std::string name = file.filename().string();
        if (name.starts_with(kTemporaryStart) && name.ends_with(kTemporaryEnd))
            removeIfAbandoned(file);
    }
}

}  // namespace threefold
