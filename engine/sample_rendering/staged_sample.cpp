#include "engine/sample_rendering/staged_sample.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/formats/files/folders.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy = "Check that the folder may be written to and has space left.";
constexpr std::string_view kFolderPrefix = ".threefold-render-";
constexpr const char* kLockName = "lock";
constexpr const char* kSampleSubfolder = "sample";
constexpr const char* kTruthSubfolder = "truth";

void require(const std::error_code& error, const fs::path& path, const char* problem) {
    if (error) throwIoError(path, problem, error.value(), kRemedy);
}

void writeNew(const fs::path& file, std::span<const std::byte> bytes) {
    FileDescriptor descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!descriptor) throwIoError(file, "cannot be written", errno, kRemedy);
    writeAll(descriptor, bytes, file, kRemedy);
    if (!descriptor.close()) throwIoError(file, "cannot be written", errno, kRemedy);
}

/// Creates and locks a lock file. Empty, with errno set, if the file cannot be created, or if a
/// process that cleans up was faster.
FileDescriptor lockIn(const fs::path& folder) {
    const fs::path file = folder / kLockName;
    FileDescriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!lock) return lock;
    struct stat status {};
    const bool taken = ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    const bool gone = ::fstat(lock.get(), &status) == 0 && status.st_nlink == 0;
    if (!taken && !gone) return lock;
    lock = FileDescriptor();
    errno = taken ? EWOULDBLOCK : ENOENT;
    return lock;
}

/// Renames files; undoes all renames at the end of the scope unless committed.
class RenameTransaction {
  public:
    RenameTransaction() = default;
    RenameTransaction(const RenameTransaction&) = delete;
    RenameTransaction& operator=(const RenameTransaction&) = delete;
    ~RenameTransaction() {
        std::error_code ignored;
        for (auto move = done_.rbegin(); move != done_.rend(); ++move)
            fs::rename(move->second, move->first, ignored);
    }

    void move(const fs::path& from, const fs::path& to) {
        std::error_code error;
        fs::rename(from, to, error);
        require(error, to, "cannot be made");
        done_.emplace_back(from, to);
    }
    /// Like move(), but ignores a missing `from`.
    void moveIfPresent(const fs::path& from, const fs::path& to) {
        std::error_code error;
        if (fs::exists(fs::symlink_status(from, error))) move(from, to);
    }
    void commit() { done_.clear(); }

  private:
    std::vector<std::pair<fs::path, fs::path>> done_;
};

}  // namespace

// Delegates to the default constructor, so that the destructor removes the folder if this
// constructor throws.
StagedSample::StagedSample(const fs::path& root) : StagedSample() {
    constexpr int kAttempts = 100;
    int reason = 0;
    for (int attempt = 0; attempt < kAttempts && !lock_; ++attempt) {
        std::string pattern = (root / kFolderPrefix).string() + "XXXXXX";
        if (::mkdtemp(pattern.data()) == nullptr)
            throwIoError(root, "no folder can be made in it", errno, kRemedy);
        path_ = pattern;
        lock_ = lockIn(path_);
        if (lock_) break;
        reason = errno;
        std::error_code ignored;
        fs::remove_all(std::exchange(path_, {}), ignored);
    }
    if (!lock_) throwIoError(root, "no folder can be locked in it", reason, kRemedy);
    // Makes subfolders, since these are renamed to their published paths, and mkdtemp()'s folder is
    // readable by its owner alone.
    makeFolder(path_ / kSampleSubfolder);
    makeFolder(path_ / kTruthSubfolder);
}

StagedSample::StagedSample(StagedSample&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

// Removes the lock last: removeStaleFolders() would remove a folder without a lock at once.
StagedSample::~StagedSample() {
    if (path_.empty()) return;
    std::error_code ignored;
    for (const fs::path& entry : tryListFolder(path_))
        if (entry.filename() != kLockName) fs::remove_all(entry, ignored);
    fs::remove_all(path_, ignored);
}

void StagedSample::write(const fs::path& name, std::span<const std::byte> bytes) const {
    const fs::path file = path_ / kSampleSubfolder / name;
    makeFolder(file.parent_path());
    writeNew(file, bytes);
}

void StagedSample::writeTruth(std::string_view extension, std::string_view bytes) const {
    writeNew(path_ / kTruthSubfolder / extension, asBytes(bytes));
}

void StagedSample::publishFile(const fs::path& name, const fs::path& target) const {
    std::error_code error;
    fs::rename(path_ / kSampleSubfolder / name, target, error);
    require(error, target, "cannot be written");
}

void StagedSample::publish(const fs::path& target, const fs::path& truth, bool replace) {
    makeFolder(target.parent_path());
    makeFolder(truth.parent_path());
    RenameTransaction renames;
    if (replace) renames.moveIfPresent(target, path_ / "old");
    for (const fs::path& written : listFolder(path_ / kTruthSubfolder, kRemedy)) {
        const std::string extension = written.filename().string();
        const fs::path file = truth.string() + extension;
        renames.moveIfPresent(file, path_ / ("old" + extension));
        renames.move(written, file);
    }
    renames.move(path_ / kSampleSubfolder, target);
    renames.commit();
}

void writeFileOfDataSet(const fs::path& file, std::string_view text) {
    const StagedSample folder(file.parent_path());
    folder.write(file.filename(), text);
    flushDisk(file.parent_path());
    folder.publishFile(file.filename(), file);
}

void flushDisk(const fs::path& folder) {
    const FileDescriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!descriptor || ::syncfs(descriptor.get()) != 0)
        throwIoError(folder, "cannot be written", errno, kRemedy);
}

void removeStaleFolders(const fs::path& root) {
    std::error_code error;
    for (const fs::path& folder : tryListFolder(root)) {
        if (!folder.filename().string().starts_with(kFolderPrefix)) continue;
        const FileDescriptor lock(::open((folder / kLockName).c_str(), O_RDWR | O_CLOEXEC));
        if (!lock) {
            // An empty folder without a lock is from a process that was killed before locking, or
            // that is about to lock. Otherwise the process was killed while it removed the folder.
            if (!fs::remove(folder, error) && !fs::exists(folder / kLockName))
                fs::remove_all(folder, error);
        } else if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) {
            fs::remove_all(folder, error);
        }
    }
}

}  // namespace threefold
