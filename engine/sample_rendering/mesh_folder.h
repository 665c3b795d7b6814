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

/// What one mesh is called: item by the file's name, category by its folder's. ShapeNet's own
/// `{category}/{item}/model.obj` and `{category}/{item}/models/model_normalized.obj` keep their
/// names. `category` replaces the category unless it is empty. Characters that names of a list
/// cannot hold become '-'.
ItemMesh nameMesh(const std::filesystem::path& file, const std::string& category = {});

/// All meshes of formats with faces below a folder, sorted by category, then item. Links are
/// followed unless they lead back to where they are; hidden files and what cannot be listed are
/// left out, and what lies in `except`: a data set may be made inside of the folder of its meshes.
/// Throws InputError where there is none.
std::vector<ItemMesh> findMeshes(const std::filesystem::path& folder,
                                 const std::string& category = {},
                                 const std::filesystem::path& except = {});

}  // namespace threefold
