#include "engine/sample_rendering/sample_folder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <stop_token>
#include <system_error>
#include <tuple>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/file_descriptor.h"
#include "engine/formats/bytes/folders.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/sample/data_set.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy = "Check that the folder may be written to and has space left.";
constexpr std::string_view kFolderStart = ".threefold-render-";
constexpr const char* kLock = "lock";
constexpr const char* kSampleName = "item";
constexpr const char* kTruth = "truth";

void require(const std::error_code& error, const fs::path& path, const char* what) {
    if (error) throwIoError(path, what, error.value(), kRemedy);
}

void writeNew(const fs::path& file, std::span<const std::byte> bytes) {
    FileDescriptor descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!descriptor) throwIoError(file, "cannot be written", errno, kRemedy);
    writeAll(descriptor, bytes, file, kRemedy);
    if (!descriptor.close()) throwIoError(file, "cannot be written", errno, kRemedy);
}

/// Creates and locks a lock file; empty if a process that cleans up was faster.
FileDescriptor lockIn(const fs::path& folder) {
    const fs::path file = folder / kLock;
    FileDescriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!lock) return lock;
    struct stat status {};
    const bool taken = ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    const bool gone = ::fstat(lock.get(), &status) == 0 && status.st_nlink == 0;
    return taken || gone ? FileDescriptor() : std::move(lock);
}

/// Renames files; undoes all renames at the end of the scope unless kept.
class Moves {
  public:
    Moves() = default;
    Moves(const Moves&) = delete;
    Moves& operator=(const Moves&) = delete;
    ~Moves() {
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
    void keep() { done_.clear(); }

  private:
    std::vector<std::pair<fs::path, fs::path>> done_;
};

/// Makes a name valid for a folder and for a line of a list.
std::string sanitised(std::string name, bool isCategory) {
    for (char& c : name) {
        const bool control = static_cast<unsigned char>(c) < 0x20;
        if (control || c == '/' || c == '\\' || (isCategory && c == '_')) c = '-';
    }
    while (!name.empty() && name.back() == ' ') name.pop_back();
    const std::size_t begin = name.find_first_not_of(' ');
    name.erase(0, std::min(begin, name.size()));
    // '#' begins a comment in a list, '.' a hidden folder.
    if (!name.empty() && (name.front() == '#' || name.front() == '.')) name.front() = '-';
    return name.empty() ? "mesh" : name;
}

bool isHidden(const fs::path& path) {
    return path.filename().string().starts_with('.');
}

/// Whether a link, below `top`, leads to a folder that contains the link: following it would never
/// end.
bool leadsBack(const fs::path& link, const fs::path& top) {
    std::error_code error;
    fs::path above = link;
    do {
        above = above.parent_path();
        if (fs::equivalent(above.empty() ? "." : above, link, error)) return true;
    } while (above != top && above.has_relative_path());
    return false;
}

}  // namespace

// Delegates, so that the destructor removes what a constructor that fails has made.
SampleFolder::SampleFolder(const fs::path& root) : SampleFolder() {
    constexpr int kAttempts = 100;
    int reason = 0;
    for (int attempt = 0; attempt < kAttempts && !lock_; ++attempt) {
        std::string pattern = (root / kFolderStart).string() + "XXXXXX";
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
    // mkdtemp() restricts its folder to the owner; these are renamed to where others read them.
    makeFolder(path_ / kSampleName);
    makeFolder(path_ / kTruth);
}

SampleFolder::SampleFolder(SampleFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

// The lock goes last: removeStaleFolders() removes a folder that is not empty and has none.
SampleFolder::~SampleFolder() {
    if (path_.empty()) return;
    std::error_code ignored;
    for (const fs::path& entry : entriesIn(path_))
        if (entry.filename() != kLock) fs::remove_all(entry, ignored);
    fs::remove_all(path_, ignored);
}

void SampleFolder::write(const fs::path& name, std::span<const std::byte> bytes) const {
    const fs::path file = path_ / kSampleName / name;
    makeFolder(file.parent_path());
    writeNew(file, bytes);
}

void SampleFolder::writeTruth(std::string_view extension, std::string_view bytes) const {
    writeNew(path_ / kTruth / extension, asBytes(bytes));
}

void SampleFolder::publishFile(const fs::path& name, const fs::path& target) const {
    std::error_code error;
    fs::rename(path_ / kSampleName / name, target, error);
    require(error, target, "cannot be written");
}

void SampleFolder::publish(const fs::path& target, const fs::path& truth, bool replace) {
    makeFolder(target.parent_path());
    makeFolder(truth.parent_path());
    Moves moves;
    if (replace) moves.moveIfPresent(target, path_ / "old");
    for (const fs::path& written : listFolder(path_ / kTruth, kRemedy)) {
        const std::string extension = written.filename().string();
        const fs::path file = truth.string() + extension;
        moves.moveIfPresent(file, path_ / ("old" + extension));
        moves.move(written, file);
    }
    moves.move(path_ / kSampleName, target);
    moves.keep();
}

void writeFileOfDataSet(const fs::path& file, std::string_view text) {
    const SampleFolder folder(file.parent_path());
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
    for (const fs::path& folder : entriesIn(root)) {
        if (!folder.filename().string().starts_with(kFolderStart)) continue;
        const FileDescriptor lock(::open((folder / kLock).c_str(), O_RDWR | O_CLOEXEC));
        if (!lock) {
            // Empty: its process was killed before locking, or is about to lock. Otherwise it was
            // killed while it removed the folder.
            if (!fs::remove(folder, error) && !fs::exists(folder / kLock))
                fs::remove_all(folder, error);
        } else if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) {
            fs::remove_all(folder, error);
        }
    }
}

bool isInTestSplit(std::string_view id, double fraction) {
    const std::string digest = sha256(asBytes(id));
    constexpr std::size_t kDigits = 13;  // 52 bits, as many as a double holds
    std::uint64_t number = 0;
    std::from_chars(digest.data(), digest.data() + kDigits, number, 16);
    return static_cast<double>(number) * 0x1p-52 < fraction;
}

ListCounts writeListFiles(const std::filesystem::path& root, double testFraction) {
    ListCounts counts;
    std::string all;
    std::string train;
    std::string test;
    walkDataSet(root, std::stop_token(), [&](const DataSetSample& sample) {
        if (!sample.hasTruth || sample.category.empty()) return;
        const std::string line = fmt::format("{}_{}_00.dat\n", sample.category, sample.id);
        const bool isTest = isInTestSplit(sample.id, testFraction);
        all += line;
        (isTest ? test : train) += line;
        ++counts.all;
        ++(isTest ? counts.test : counts.train);
    });
    writeFileOfDataSet(root / "list.txt", all);
    writeFileOfDataSet(root / "train.txt", train);
    writeFileOfDataSet(root / "test.txt", test);
    return counts;
}

SourceMesh nameMesh(const fs::path& file, const std::string& category) {
    const fs::path absolute = absolutePath(file).lexically_normal();
    fs::path folder = absolute.parent_path();
    std::string id = absolute.stem().string();
    if (id == "model" || id == "model_normalized") {
        if (folder.filename() == "models") folder = folder.parent_path();
        if (folder.has_filename()) {
            id = folder.filename().string();
            folder = folder.parent_path();
        }
    }
    return {file, sanitised(category.empty() ? folder.filename().string() : category, true),
            sanitised(id, false)};
}

std::vector<SourceMesh> findMeshes(const fs::path& folder, const std::string& category,
                                   const fs::path& except) {
    std::vector<SourceMesh> meshes;
    std::error_code error;
    const auto isExcept = [&](const fs::path& path) {
        std::error_code none;
        return !except.empty() && fs::equivalent(path, except, none);
    };
    constexpr auto kSkip = fs::directory_options::skip_permission_denied |
                           fs::directory_options::follow_directory_symlink;
    for (fs::recursive_directory_iterator it(folder, kSkip, error), end; !error && it != end;
         it.increment(error)) {
        std::error_code entryError;
        const auto format = meshFormatFromExtension(it->path().extension().string());
        if (it->is_directory(entryError)) {
            if (isHidden(it->path()) || isExcept(it->path()) ||
                (it->is_symlink(entryError) && leadsBack(it->path(), folder)))
                it.disable_recursion_pending();
        } else if (isHidden(it->path())) {
            continue;
        } else if (format && infoOf(*format).carriesFaces && it->is_regular_file(entryError)) {
            meshes.push_back(nameMesh(it->path(), category));
        }
    }
    if (meshes.empty())
        throw InputError({folder.string(), "",
                          error ? "cannot be listed: " + error.message() : "holds no mesh",
                          fmt::format("Give a mesh, or a folder with {} files.",
                                      meshFormatNames(" or ", mesh_format_filters::withFaces))});
    std::ranges::sort(meshes, {}, [](const SourceMesh& mesh) {
        return std::tie(mesh.category, mesh.id, mesh.file);
    });
    return meshes;
}

}  // namespace threefold
