#pragma once

#include <filesystem>
#include <vector>

namespace threefold {

/// Lists a folder's pictures (isPictureName()), sorted by name, numbers by value. Leaves out masks
/// (isMaskName()) and the textures of meshes in the folder (m.png that m.mtl names, and
/// m_seen.png). Empty if the folder cannot be listed.
std::vector<std::filesystem::path> tryListPictures(const std::filesystem::path& folder);
/// Lists the pictures of tryListPictures(), but throws IoError if the folder cannot be listed.
std::vector<std::filesystem::path> listPictures(const std::filesystem::path& folder);

}  // namespace threefold
