#include "engine/making/sample_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include <sys/stat.h>

#include "engine/error.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& folder, const std::string& what,
                         const std::error_code& error) {
    throw IoError({folder.string(), "", what + ": " + error.message(),
                   "Check that the folder may be written to and has space left."});
}

fs::path freshFolder(const fs::path& root) {
    std::string pattern = (root / ".threefold-render-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
        refuse(root, "no folder can be made in it",
               std::error_code(errno, std::generic_category()));
    // mkdtemp's folder is its owner's alone: give it what the umask leaves of any new one.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::chmod(pattern.c_str(), 0777 & ~mask);
    return pattern;
}

}  // namespace

SampleFolder::SampleFolder(const fs::path& root) : path_(freshFolder(root)) {}

SampleFolder::~SampleFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

void SampleFolder::publish(const fs::path& target, bool replace) {
    std::error_code error;
    fs::create_directories(target.parent_path(), error);
    if (error) refuse(target.parent_path(), "cannot be made", error);
    fs::path old;
    if (replace && fs::exists(target, error)) {
        old = freshFolder(path_.parent_path());
        fs::rename(target, old, error);
        if (error) refuse(target, "cannot be replaced", error);
    }
    fs::rename(path_, target, error);
    if (error) refuse(target, "cannot be made", error);
    path_.clear();
    if (!old.empty()) fs::remove_all(old, error);
}

}  // namespace threefold
