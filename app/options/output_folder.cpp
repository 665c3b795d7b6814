#include "app/options/output_folder.h"

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throwNotWritable(const fs::path& folder, const std::string& reason) {
    throw IoError({folder.string(), "", "cannot be used for results: " + reason,
                   "Choose another folder with -o, one that you may write to."});
}

constexpr const char* kOtherFileRemedy =
    "Name another file, or remove this one if it is not needed.";

}  // namespace

OutputFolder::OutputFolder(fs::path folder) : folder_(std::move(folder)) {
    std::error_code failure;
    for (fs::path part = folder_; !part.empty() && !fs::exists(part, failure) && !failure;
         part = part.parent_path())
        if (part.has_filename()) createdFolders_.push_back(part);
    fs::create_directories(folder_, failure);
    if (failure) throwNotWritable(folder_, failure.message());
    if (!fs::is_directory(folder_, failure)) throwNotWritable(folder_, "it is not a folder");
    if (access(folder_.c_str(), W_OK | X_OK) != 0)
        throwNotWritable(folder_, std::generic_category().message(errno));
}

OutputFolder::~OutputFolder() {
    removeIfEmpty();
}

void OutputFolder::removeIfEmpty() const {
    for (const fs::path& part : createdFolders_) {
        std::error_code failure;
        fs::remove(part, failure);
        if (failure) return;  // the folder holds results, so its parents are not empty either
    }
}

bool isReplaceable(const std::filesystem::path& file,
                   const std::function<bool(std::string_view)>& isOurs) {
    if (!pathExists(file)) return true;
    if (!isFile(file)) return false;
    std::error_code missing;
    if (fs::file_size(file, missing) == 0) return true;
    std::string begins(kInspectedBytes, '\0');
    std::ifstream content(file, std::ios::binary);
    content.read(begins.data(), static_cast<std::streamsize>(begins.size()));
    begins.resize(static_cast<std::size_t>(content.gcount()));
    return isOurs(begins);
}

void requireReplaceable(const std::string& option, const std::filesystem::path& file,
                        std::string_view beginning, const std::string& kind) {
    const auto isOurs = [&](std::string_view begins) { return begins.starts_with(beginning); };
    requireReplaceable(option, file, isOurs, kind);
}

void requireReplaceable(const std::string& option, const std::filesystem::path& file,
                        const std::function<bool(std::string_view)>& isOurs,
                        const std::string& kind) {
    if (file.empty()) return;
    requireWritable(file);
    if (isReplaceable(file, isOurs)) return;
    throw UsageError({option, file.string(), "exists, and is not " + kind, kOtherFileRemedy});
}

}  // namespace threefold
