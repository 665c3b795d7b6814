#include "engine/formats/pictures/picture_listing.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/text.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Suffix of the stem of m_seen.png: the texture m.png with transparency where no photograph shows
/// the surface.
constexpr std::string_view kVisibilityEnding = "_seen";

/// Whether a picture belongs to a material library: the library names it as a texture, or it is the
/// "_seen" picture beside the library.
bool isTextureOf(const fs::path& library, const fs::path& picture) {
    if (picture.stem().string() == library.stem().string() + std::string(kVisibilityEnding))
        return true;
    std::ifstream text(library, std::ios::binary);
    const std::string name = picture.filename().string();
    const auto endsInName = [&](std::string_view line) {
        line = line.substr(0, line.find_last_not_of(" \t\r\"") + 1);
        if (!line.ends_with(name)) return false;
        line.remove_suffix(name.size());
        return !line.empty() && std::string_view(" \t\"/\\").find(line.back()) != line.npos;
    };
    for (std::string line; std::getline(text, line);)
        if (line.find("map_") != std::string::npos && endsInName(line)) return true;
    return false;
}

/// Removes the textures of meshes in the same folder: pictures beside a material library of their
/// own name, m_predict.png beside m_predict.mtl.
void removeTextures(std::vector<fs::path>& pictures, const std::vector<fs::path>& entries) {
    std::map<fs::path, fs::path> libraries;  // by stem
    for (const fs::path& entry : entries)
        if (lowered(entry.extension().string()) == ".mtl") libraries.emplace(entry.stem(), entry);
    if (libraries.empty()) return;
    std::erase_if(pictures, [&](const fs::path& picture) {
        std::string stem = picture.stem().string();
        if (stem.ends_with(kVisibilityEnding)) stem.resize(stem.size() - kVisibilityEnding.size());
        for (const fs::path& name : {picture.stem(), fs::path(stem)})
            if (const auto found = libraries.find(name);
                found != libraries.end() && isTextureOf(found->second, picture))
                return true;
        return false;
    });
}

std::vector<fs::path> sortedPictures(const std::vector<fs::path>& all) {
    std::vector<fs::path> entries = all;
    std::erase_if(entries,
                  [](const fs::path& entry) { return !isPictureName(entry) || isMaskName(entry); });
    removeTextures(entries, all);
    std::ranges::sort(entries, [](const fs::path& one, const fs::path& other) {
        return naturalLess(one.filename().native(), other.filename().native());
    });
    return entries;
}

}  // namespace

std::vector<fs::path> tryListPictures(const fs::path& folder) {
    return sortedPictures(tryListFolder(folder));
}

std::vector<fs::path> listPictures(const fs::path& folder) {
    return sortedPictures(listFolder(folder));
}

}  // namespace threefold
