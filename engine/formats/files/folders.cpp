#include "engine/formats/files/folders.h"

#include <cstdlib>
#include <system_error>
#include <utility>

#include "engine/formats/files/file_descriptor.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

}  // namespace

void makeFolder(const fs::path& folder, std::string remedy) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) throwIoError(folder, "cannot be made", failure.value(), std::move(remedy));
}

fs::path currentFolder() {
    std::error_code failure;
    fs::path folder = fs::current_path(failure);
    if (failure)
        throwIoError("the current folder", "cannot be found", failure.value(),
                     "Change to an existing folder.");
    return folder;
}

fs::path absolutePath(const fs::path& path) {
    return path.is_absolute() ? path : currentFolder() / path;
}

fs::path systemTemporaryFolder() {
    std::error_code failure;
    fs::path folder = fs::temp_directory_path(failure);
    if (failure) {
        const char* const chosen = std::getenv("TMPDIR");
        throwIoError(chosen != nullptr ? chosen : "/tmp", "cannot hold temporary files",
                     failure.value(), "Set TMPDIR to a folder that you may write to.");
    }
    return folder;
}

}  // namespace threefold
