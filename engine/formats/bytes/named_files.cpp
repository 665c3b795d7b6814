#include "engine/formats/bytes/named_files.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/text_encoding.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// No system has longer paths.
constexpr std::size_t kLongestName = 4096;
constexpr std::size_t kLongestShown = 200;

/// The entry of `folder` that differs from `name` in nothing but capitals; of several the first in
/// their order, so that every run finds the same.
fs::path entryOf(const fs::path& folder, const fs::path& name) {
    std::error_code error;
    if (fs::exists(folder / name, error)) return folder / name;
    const std::string wanted = lowered(name.string());
    fs::path found;
    for (const fs::path& entry : entriesIn(folder.empty() ? "." : folder)) {
        const fs::path each = entry.filename();
        if (lowered(each.string()) == wanted && (found.empty() || each < found)) found = each;
    }
    return found.empty() ? fs::path() : folder / found;
}

fs::path withAnyCapitals(const fs::path& folder, const fs::path& name) {
    fs::path at = name.is_absolute() ? name.root_path() : folder;
    for (const fs::path& part : name.relative_path()) {
        at = entryOf(at, part);
        if (at.empty()) return {};
    }
    return at;
}

std::string plainName(std::string_view written) {
    std::string name(trimmed(written, " \t\"'"));
    std::ranges::replace(name, '\\', '/');
    return name;
}

}  // namespace

FilesOnDisk::FilesOnDisk(const fs::path& folder) {
    std::error_code error;
    folder_ = fs::canonical(folder.empty() ? "." : folder, error);
}

bool FilesOnDisk::isInside(const fs::path& file) const {
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(file, error);
    return !error && !folder_.empty() && std::ranges::mismatch(folder_, whole).in1 == folder_.end();
}

fs::path FilesOnDisk::find(const fs::path& folder, const std::string& name, Reach reach) const {
    if (name.empty() || name.size() > kLongestName || name.find('\0') != std::string::npos)
        return {};
    bool outside = false;
    const auto isThere = [&](const fs::path& file) {
        if (file.empty() || !isFile(file)) return false;
        const bool within = reach == Reach::anywhere || isInside(file);
        outside = outside || !within;
        return within;
    };
    if (isThere(folder / name)) return folder / name;  // literally, backslashes included
    const fs::path plain = plainName(name);
    for (const fs::path& each : {plain, plain.filename()}) {
        if (each.empty()) continue;
        if (isThere(folder / each)) return folder / each;
        fs::path found = withAnyCapitals(folder, each);
        if (isThere(found)) return found;
    }
    if (outside)
        throw InputError(
            {"'" + name.substr(0, kLongestShown) + "'", "",
             "leads out of the mesh's folder: a mesh from elsewhere could have any file "
             "read so",
             "Copy it beside the file that names it, or allow it (`allow_outside`)."});
    return {};
}

std::vector<std::byte> FilesOnDisk::read(const fs::path& file) const {
    return readFile(file);
}

}  // namespace threefold
