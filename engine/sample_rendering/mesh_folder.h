#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace threefold {

/// A mesh, and where it belongs in a data set.
struct ItemMesh {
    std::filesystem::path file;
    std::string category;  ///< without '_', as list names end it at the first one; never empty
    std::string item;      ///< never empty
};

/// A mesh's names: item from the file's name, category from its folder's or `category`. ShapeNet's
/// `{category}/{item}/model.obj` and `{category}/{item}/models/model_normalized.obj` keep theirs.
/// Characters that list names cannot hold become '-'.
ItemMesh nameMesh(const std::filesystem::path& file, const std::string& category = {});

/// All meshes of formats with faces below a folder, sorted by category, then item. Follows links
/// except those that lead back; skips hidden files, what cannot be listed, and the folder `except`.
/// Throws InputError where there is none.
std::vector<ItemMesh> findMeshes(const std::filesystem::path& folder,
                                 const std::string& category = {},
                                 const std::filesystem::path& except = {});

}  // namespace threefold
