#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/file_descriptor.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWriteRemedy =
    "Check that the folder exists, may be written to, and has space left.";

constexpr const char* kLinkRemedy = "Name a file, or a link to one.";

constexpr std::string_view kTemporaryStart = ".threefold-";
constexpr std::string_view kTemporaryEnd = ".tmp";

/// A new file beside the target; removed again unless renamed over it.
class TemporaryFile {
  public:
    explicit TemporaryFile(const fs::path& target) : target_(target) {
        const fs::path folder = target.parent_path();
        for (int attempt = 0; attempt < 1000; ++attempt) {
            path_ = folder /
                    fmt::format("{}{}-{}{}", kTemporaryStart, ::getpid(), attempt, kTemporaryEnd);
            // The mode is what the umask leaves of it, as for any new file.
            descriptor_ = FileDescriptor(
                ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
            if (descriptor_ || errno != EEXIST) break;
        }
        if (!descriptor_) failIo(target_, "cannot be written", errno, kWriteRemedy);
    }
    ~TemporaryFile() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove(path_, ignored);
    }

    void write(std::span<const std::byte> bytes) {
        writeAll(descriptor_, bytes, target_, kWriteRemedy);
    }

    void renameOverTarget() {
        struct stat status {};
        const bool replaces = ::stat(target_.c_str(), &status) == 0;
        const bool kept = !replaces || ::fchmod(descriptor_.get(), status.st_mode & 07777) == 0;
        if (!kept || ::fsync(descriptor_.get()) != 0 || !descriptor_.close() ||
            ::rename(path_.c_str(), target_.c_str()) != 0)
            failIo(target_, "cannot be written", errno, kWriteRemedy);
        path_.clear();
    }

  private:
    const fs::path target_;
    fs::path path_;
    FileDescriptor descriptor_;
};

/// Where a link leads, so that it stays a link; refuses what a rename must not replace.
fs::path finalTarget(const fs::path& file) {
    std::error_code error;
    fs::path target = fs::is_symlink(file, error) ? fs::weakly_canonical(file, error) : file;
    if (target.empty()) failIo(file, "cannot be written", error.value(), kLinkRemedy);
    const fs::file_status status = fs::status(target, error);
    if (fs::is_directory(status))
        throw IoError({file.string(), "", "is a folder, not a file", "Name a file."});
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw IoError({file.string(), "", "is not a regular file", "Name a regular file."});
    return target;
}

/// Puts the file's name in its folder on the disk, too.
void flushFolder(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const FileDescriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // A folder that may be written to but not listed, and file systems that know no such flush.
    if (!descriptor && errno == EACCES) return;
    if (!descriptor || (::fsync(descriptor.get()) != 0 && errno != EINVAL && errno != ENOTSUP))
        failIo(file, "is written, but may not be on the disk yet", errno,
               "Check the disk, then write it again.");
}

}  // namespace

void failIo(const fs::path& file, const std::string& what, int error, std::string remedy) {
    // Not the file's fault: what else was to be done would not help.
    if (error == EMFILE || error == ENFILE)
        remedy = "Raise the limit with `ulimit -n`, or end other programs.";
    if (error == ENAMETOOLONG) remedy = "Choose a shorter name.";
    if (error == ENOMEM) remedy = "Close other programs, or raise the limit of `ulimit -v`.";
    throw IoError({file.string(), "",
                   fmt::format("{}: {}", what, std::generic_category().message(error)),
                   std::move(remedy)});
}

void writeAll(const FileDescriptor& descriptor, std::span<const std::byte> bytes,
              const fs::path& file, const char* remedy) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) failIo(file, "cannot be written", errno, remedy);
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
}

void writeFileWhole(const fs::path& file, std::span<const std::byte> bytes, Surviving powerCut) {
    const fs::path target = finalTarget(file);
    TemporaryFile temporary(target);
    temporary.write(bytes);
    temporary.renameOverTarget();
    if (powerCut == Surviving::theNew) flushFolder(target);
}

void requireWritable(const fs::path& file) {
    const TemporaryFile temporary(finalTarget(file));
}

void writeFileWhole(const fs::path& file, std::string_view text, Surviving powerCut) {
    writeFileWhole(file, asBytes(text), powerCut);
}

void removeTemporaryFiles(const fs::path& folder) {
    std::error_code ignored;
    for (const fs::path& file : entriesIn(folder)) {
        const std::string name = file.filename().string();
        if (name.starts_with(kTemporaryStart) && name.ends_with(kTemporaryEnd))
            fs::remove(file, ignored);
    }
}

}  // namespace threefold
