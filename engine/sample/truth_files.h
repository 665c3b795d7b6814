#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/sample/mesh_space.h"

namespace threefold {

/// Of a pickle, or of a format that mesh_formats.h knows as a truth.
bool isTruthExtension(const std::filesystem::path& extension);

/// Default coordinate space of a truth file: a view's for a pickle, as published; none for all
/// others, whose space is guessed from their coordinates.
std::optional<MeshSpace> truthSpaceOf(const std::filesystem::path& file);

struct TruthFile {
    std::filesystem::path file;
    int view = 0;  ///< as its name says; else the wanted one, or 0
};

/// An item's truth in a folder, in this order: `{base}_{view}` of each extension in turn (of each
/// the wanted view, or the lowest there is), `{base}`, `{category}/{item}`,
/// `{category}/{item}/model`, `{category}/{item}/models/model_normalized` (ShapeNet's own layout).
/// `base` is `{category}_{item}`, or the item alone where the category is empty.
std::optional<TruthFile> findTruthFile(const std::filesystem::path& folder,
                                       const std::string& category, const std::string& item,
                                       std::optional<int> view);

/// Those of them that do not name a view, in folders of their own: `{category}/…`.
std::optional<std::filesystem::path> findNestedTruth(const std::filesystem::path& folder,
                                                     const std::string& category,
                                                     const std::string& item);

/// "02691156_p0001" of "02691156_p0001_06.dat" and of "02691156_p0001.obj"; nothing where the
/// extension is not that of a truth.
std::optional<std::string> truthBaseOf(const std::filesystem::path& file);

}  // namespace threefold
