#include "engine/formats/files/referenced_files.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxShownLength = 200;

/// Entry of `folder` that equals `name` except for case. Returns the first in sorted order, so that
/// every run finds the same file.
fs::path entryIgnoringCase(const fs::path& folder, const fs::path& name) {
    std::error_code error;
    if (fs::exists(folder / name, error)) return folder / name;
    const std::string lowerName = lowered(name.string());
    fs::path match;
    for (const fs::path& entry : tryListFolder(folder.empty() ? "." : folder)) {
        const fs::path filename = entry.filename();
        if (lowered(filename.string()) == lowerName && (match.empty() || filename < match))
            match = filename;
    }
    return match.empty() ? fs::path() : folder / match;
}

fs::path pathIgnoringCase(const fs::path& folder, const fs::path& name) {
    fs::path path = name.is_absolute() ? name.root_path() : folder;
    for (const fs::path& component : name.relative_path()) {
        path = entryIgnoringCase(path, component);
        if (path.empty()) return {};
    }
    return path;
}

std::string plainName(std::string_view written) {
    std::string name(trimmed(written, " \t\"'"));
    std::ranges::replace(name, '\\', '/');
    return name;
}

}  // namespace

ReferencedFilesOnDisk::ReferencedFilesOnDisk(const fs::path& folder) {
    std::error_code error;
    folder_ = fs::canonical(folder.empty() ? "." : folder, error);
}

bool ReferencedFilesOnDisk::isInside(const fs::path& file) const {
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(file, error);
    return !error && !folder_.empty() &&
           std::ranges::mismatch(folder_, canonical).in1 == folder_.end();
}

fs::path ReferencedFilesOnDisk::find(const fs::path& folder, const std::string& name,
                                     AllowedFolders allowed) const {
    if (name.empty() || name.size() > kMaxPathBytes || name.find('\0') != std::string::npos)
        return {};
    bool outside = false;
    const auto isAllowedFile = [&](const fs::path& file) {
        if (file.empty() || !isFile(file)) return false;
        const bool isAllowed = allowed == AllowedFolders::anywhere || isInside(file);
        outside = outside || !isAllowed;
        return isAllowed;
    };
    if (isAllowedFile(folder / name)) return folder / name;  // as written, with its backslashes
    const fs::path plain = plainName(name);
    for (const fs::path& candidate : {plain, plain.filename()}) {
        if (candidate.empty()) continue;
        if (isAllowedFile(folder / candidate)) return folder / candidate;
        fs::path match = pathIgnoringCase(folder, candidate);
        if (isAllowedFile(match)) return match;
    }
    if (outside)
        throw InputError(
            {fmt::format("'{}'", textPrefix(name, kMaxShownLength)), "",
             "is outside the mesh's folder: a downloaded mesh could name any of your files "
             "this way",
             "Copy it beside the file that names it, or allow it (`allow_outside`)."});
    return {};
}

std::vector<std::byte> ReferencedFilesOnDisk::read(const fs::path& file) const {
    return readFile(file);
}

}  // namespace threefold
