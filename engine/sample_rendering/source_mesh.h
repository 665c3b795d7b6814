#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace threefold {

/// Mesh file that a sample is rendered from, and its names in a data set.
struct SourceMesh {
    std::filesystem::path file;
    std::string category;  ///< without '_', which ends the category in list names; never empty
    std::string id;        ///< never empty
};

/// Names a mesh: id from the file name, category from the folder name or `category`. ShapeNet's
/// `{category}/{id}/model.obj` and `{category}/{id}/models/model_normalized.obj` keep their
/// names. Characters that list names cannot hold become '-'.
SourceMesh nameMesh(const std::filesystem::path& file, const std::string& category = {});

/// Finds all meshes below a folder, of formats with faces, sorted by category, then id. Follows
/// links except to a parent folder; skips hidden files, unreadable folders, and the folder
/// `except`. Throws InputError if there is no mesh.
std::vector<SourceMesh> findMeshes(const std::filesystem::path& folder,
                                   const std::string& category = {},
                                   const std::filesystem::path& except = {});

}  // namespace threefold
