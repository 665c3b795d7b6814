#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

/// Folders of samples for tests.
namespace threefold::test {

inline const std::filesystem::path kBundled =
    std::filesystem::path(THREEFOLD_RESOURCES) / "samples";
inline const std::filesystem::path kChair = kBundled / "ShapeNetRendering/03001627/p0001";

/// Makes an empty file, and its folder.
inline void touch(const std::filesystem::path& file) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "";
}

/// Writes camera rows 10° apart.
inline void writeRows(const std::filesystem::path& folder, int rows) {
    std::filesystem::create_directories(folder);
    std::ofstream file(folder / "rendering_metadata.txt");
    for (int i = 0; i < rows; ++i) file << 10 * i << " 25 0 0.8 25\n";
}

/// Writes camera rows, and empty files as images, which suffice since findSample() does not decode
/// images. Returns the folder.
inline std::filesystem::path makeFolder(const std::filesystem::path& folder, int rows,
                                        const std::vector<std::string>& images) {
    writeRows(folder, rows);
    for (const std::string& image : images) touch(folder / image);
    return folder;
}

}  // namespace threefold::test
