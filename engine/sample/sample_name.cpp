#include "engine/sample/sample_name.h"

#include <cstddef>

#include "engine/sample/ground_truth.h"
#include "engine/sample/view_files.h"
#include "engine/text.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

/// Name of the sample whose folder ends in "category/id".
std::optional<SampleName> nameOfFolder(const Path& folder, int view) {
    if (!folder.has_filename() || !folder.parent_path().has_filename()) return std::nullopt;
    return SampleName{folder.parent_path().filename().string(), folder.filename().string(), view};
}

}  // namespace

std::optional<SampleName> parseTruthName(const Path& fileName) {
    const Path extension = fileName.extension();
    if (!extension.empty() && !isTruthExtension(extension)) return std::nullopt;
    const std::string stem = fileName.stem().string();
    const std::size_t first = stem.find('_');
    const std::size_t last = stem.rfind('_');
    if (first == std::string::npos || first == 0 || last <= first + 1) return std::nullopt;
    const std::string view = stem.substr(last + 1);
    const auto number = parseNumber<unsigned>(view);
    if (!number || view.size() > 2) return std::nullopt;
    return SampleName{stem.substr(0, first), stem.substr(first + 1, last - first - 1),
                      static_cast<int>(*number)};
}

std::optional<SampleName> parseSampleName(const Path& location) {
    if (std::optional<SampleName> name = parseTruthName(location.filename())) return name;
    const Path folder = location.parent_path();
    if (location.filename() == "model.binvox") return nameOfFolder(folder, 0);
    const auto view = parseNumber<unsigned>(location.stem().string());
    if (!view || *view > 99 || folder.filename() != kRenderingFolder) return std::nullopt;
    return nameOfFolder(folder.parent_path(), static_cast<int>(*view));
}

}  // namespace threefold
