#pragma once

#include <filesystem>
#include <vector>

namespace threefold {

/// Pictures of a folder by isPictureName(), without masks (isMaskName()) and without the textures
/// of meshes beside them (m.png that m.mtl names, and m_seen.png), sorted by name, numbers by
/// value. A folder that cannot be listed has none.
std::vector<std::filesystem::path> tryListPictures(const std::filesystem::path& folder);
/// Lists tryListPictures(), but throws IoError if the folder cannot be listed.
std::vector<std::filesystem::path> listPictures(const std::filesystem::path& folder);

}  // namespace threefold
