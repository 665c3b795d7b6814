#include "engine/formats/bytes/named_files.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <system_error>

#include "engine/formats/bytes/file_bytes.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// No system has longer paths.
constexpr std::size_t kLongestName = 4096;

bool sameLetters(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::ranges::equal(a, b, {}, lower, lower);
}

/// The entry of `folder` that differs from `name` in nothing but capitals; of several the first in
/// their order, so that every run finds the same.
fs::path entryOf(const fs::path& folder, const fs::path& name) {
    std::error_code error;
    if (fs::exists(folder / name, error)) return folder / name;
    fs::path found;
    for (const fs::path& entry : entriesIn(folder.empty() ? "." : folder)) {
        const fs::path each = entry.filename();
        if (sameLetters(each.string(), name.string()) && (found.empty() || each < found))
            found = each;
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

std::string plainName(std::string name) {
    const std::size_t first = name.find_first_not_of(" \t\"'");
    if (first == std::string::npos) return {};
    name = name.substr(first, name.find_last_not_of(" \t\"'") - first + 1);
    std::ranges::replace(name, '\\', '/');
    return name;
}

}  // namespace

fs::path FilesOnDisk::find(const fs::path& folder, const std::string& name) const {
    if (name.empty() || name.size() > kLongestName || name.find('\0') != std::string::npos)
        return {};
    if (isFile(folder / name)) return folder / name;  // such as it is, backslashes and all
    const fs::path plain = plainName(name);
    for (const fs::path& each : {plain, plain.filename()}) {
        if (each.empty()) continue;
        if (isFile(folder / each)) return folder / each;
        const fs::path found = withAnyCapitals(folder, each);
        if (!found.empty() && isFile(found)) return found;
    }
    return {};
}

std::vector<std::byte> FilesOnDisk::read(const fs::path& file) const {
    return readFile(file);
}

}  // namespace threefold
