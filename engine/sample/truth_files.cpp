#include "engine/sample/truth_files.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/meshes/mesh_formats.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

/// Names carry two digits for their view.
constexpr int kMostTruthViews = 100;

/// In the order in which truths are looked for.
const std::vector<std::string>& truthExtensions() {
    static const auto kExtensions = [] {
        std::vector<MeshFormat> formats =
            meshFormats([](const MeshFormatInfo& format) { return format.truthOrder > 0; });
        std::ranges::stable_sort(formats, {},
                                 [](MeshFormat format) { return infoOf(format).truthOrder; });
        std::vector<std::string> found{".dat", ".pkl"};
        for (const MeshFormat format : formats)
            for (const std::string_view extension : infoOf(format).extensions)
                if (!extension.empty()) found.push_back(fmt::format(".{}", extension));
        return found;
    }();
    return kExtensions;
}

/// `base` with the first extension for which a file exists.
std::optional<Path> withExtension(const Path& base) {
    for (const std::string& extension : truthExtensions()) {
        Path file = base;
        file += extension;
        if (isFile(file)) return file;
    }
    return std::nullopt;
}

}  // namespace

bool isTruthExtension(const Path& extension) {
    const std::vector<std::string>& all = truthExtensions();
    return std::ranges::find(all, extension.string()) != all.end();
}

std::optional<MeshSpace> truthSpaceOf(const Path& file) {
    const Path extension = file.extension();
    const bool pickle = extension == ".dat" || extension == ".pkl" || extension.empty();
    return pickle ? std::optional(MeshSpace::view) : std::nullopt;
}

std::optional<TruthFile> findTruthFile(const Path& folder, const std::string& category,
                                       const std::string& item, std::optional<int> view) {
    if (!isFolder(folder)) return std::nullopt;
    const std::string base = category.empty() ? item : category + '_' + item;
    const int first = view.value_or(0);
    const int last = view.value_or(kMostTruthViews - 1);
    for (const std::string& extension : truthExtensions()) {
        for (int v = first; v <= last; ++v) {
            Path file = folder / fmt::format("{}_{:02}{}", base, v, extension);
            if (isFile(file)) return TruthFile{std::move(file), v};
        }
    }
    auto file = withExtension(folder / base);
    if (!file) file = findNestedTruth(folder, category, item);
    if (!file) return std::nullopt;
    return TruthFile{std::move(*file), first};
}

std::optional<Path> findNestedTruth(const Path& folder, const std::string& category,
                                    const std::string& item) {
    if (category.empty() || !isFolder(folder / category)) return std::nullopt;
    const Path base = folder / category / item;
    for (const Path& each : {base, base / "model", base / "models/model_normalized"})
        if (auto file = withExtension(each)) return file;
    return std::nullopt;
}

std::optional<std::string> truthBaseOf(const Path& file) {
    if (!isTruthExtension(file.extension())) return std::nullopt;
    std::string base = file.stem().string();
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    constexpr std::size_t kView = 3;  // "_06"
    if (base.size() > kView && base[base.size() - kView] == '_' && isDigit(base.back()) &&
        isDigit(base[base.size() - 2]))
        base.resize(base.size() - kView);
    return base;
}

}  // namespace threefold
