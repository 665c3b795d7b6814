#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/sample/mesh_space.h"

namespace threefold {

/// True for a pickle's extension or that of a format that mesh_formats.h accepts as a truth.
bool isTruthExtension(const std::filesystem::path& extension);

/// Default coordinate space of a truth file: a view's for a pickle, as published; none for all
/// others, whose space is guessed from their coordinates.
std::optional<MeshSpace> truthSpaceOf(const std::filesystem::path& file);

struct TruthFile {
    std::filesystem::path file;
    int view = 0;  ///< given by its name; else the wanted one, or 0
};

/// An item's truth in a folder. Looks for, in this order: `{base}_{view}` with each extension in
/// turn (the wanted view, or the lowest that exists), `{base}`, `{category}/{item}`,
/// `{category}/{item}/model`, `{category}/{item}/models/model_normalized` (ShapeNet's own layout).
/// `base` is `{category}_{item}`, or the item alone where the category is empty.
std::optional<TruthFile> findTruthFile(const std::filesystem::path& folder,
                                       const std::string& category, const std::string& item,
                                       std::optional<int> view);

/// Only looks for truths in folders of their own, `{category}/…`, which name no view.
std::optional<std::filesystem::path> findNestedTruth(const std::filesystem::path& folder,
                                                     const std::string& category,
                                                     const std::string& item);

/// "02691156_p0001" of "02691156_p0001_06.dat" and of "02691156_p0001.obj"; nothing where the
/// extension is not that of a truth.
std::optional<std::string> truthBaseOf(const std::filesystem::path& file);

}  // namespace threefold
