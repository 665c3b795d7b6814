#include "engine/formats/pictures/photograph.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMaskFolder = "masks";
constexpr std::string_view kMaskEnd = "_mask";

fs::path withEnd(const fs::path& name, std::string_view end) {
    fs::path made = name;
    return made += end;
}

void applyMask(Image& photograph, const Image& mask) {
    bool transparent = false;
    for (std::size_t i = 3; i < mask.rgba.size() && !transparent; i += 4)
        transparent = mask.rgba[i] < 255;
    for (std::size_t i = 0; i < photograph.rgba.size(); i += 4) {
        const std::uint8_t white =
            std::max({mask.rgba[i], mask.rgba[i + 1], mask.rgba[i + 2]});  // masks are grey
        std::uint8_t& alpha = photograph.rgba[i + 3];
        alpha = std::min(alpha, transparent ? mask.rgba[i + 3] : white);
    }
}

}  // namespace

fs::path namesakeOf(const fs::path& photograph) {
    for (const std::string_view ending : kPictureEndings)
        for (const bool capitals : {false, true}) {
            std::string end(ending);
            if (capitals)
                std::ranges::transform(end, end.begin(), [](char c) {
                    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
                });
            const fs::path other = photograph.parent_path() / withEnd(photograph.stem(), end);
            if (other.filename() != photograph.filename() && isFile(other)) return other;
        }
    return {};
}

fs::path ownMaskFile(const fs::path& photograph) {
    const fs::path name =
        namesakeOf(photograph).empty() ? photograph.stem() : photograph.filename();
    return photograph.parent_path() / kMaskFolder / withEnd(name, ".png");
}

fs::path writeOwnMask(const fs::path& photograph, const Image& mask) {
    fs::path file = ownMaskFile(photograph);
    std::error_code failure;
    for (const fs::path& each : {file.parent_path(), file})
        if (fs::is_symlink(each, failure))
            throw IoError({each.string(), "",
                           "is a symbolic link, and no mask is written to where it leads",
                           "Put a folder of its own there."});
    if (pathExists(file.parent_path()) && !isFolder(file.parent_path()))
        throw IoError({file.parent_path().string(), "",
                       "is a file, where the folder of the masks should be",
                       "Rename it, or move it away."});
    fs::create_directories(file.parent_path(), failure);
    if (failure)
        failIo(file.parent_path(), "cannot be made", failure.value(),
               "Copy the photographs to a folder that you may write to.");
    writePng(file, mask);
    return file;
}

fs::path maskFileOf(const fs::path& photograph) {
    const fs::path folder = photograph.parent_path();
    const fs::path ours = withEnd(photograph.stem(), ".png");
    const fs::path colmap = withEnd(photograph.filename(), ".png");
    const fs::path beside = withEnd(withEnd(photograph.stem(), kMaskEnd), ".png");
    std::array places = {folder / kMaskFolder / ours, folder / kMaskFolder / colmap,
                         folder.parent_path() / kMaskFolder / ours,
                         folder.parent_path() / kMaskFolder / colmap, folder / beside};
    if (isFile(places[1]) || isFile(places[3])) {
        if (!namesakeOf(photograph).empty()) {
            std::swap(places[0], places[1]);
            std::swap(places[2], places[3]);
        }
    }
    const auto found = std::ranges::find_if(places, isFile);
    // A mask has none of its own: masks/IMG_1.png is not masks/../masks/IMG_1.png's.
    return found == places.end() || *found == photograph ? fs::path() : *found;
}

bool isMaskName(const fs::path& file) {
    return file.stem().string().ends_with(kMaskEnd) && file.extension() == ".png";
}

Image readPhotograph(const fs::path& file) {
    Image photograph = readImage(file);
    const fs::path maskFile = maskFileOf(file);
    if (maskFile.empty()) return photograph;
    const Image mask = readImage(maskFile);
    if (mask.width != photograph.width || mask.height != photograph.height)
        throw InputError({maskFile.string(), "",
                          fmt::format("is {} × {} pixels, its photograph {} × {}", mask.width,
                                      mask.height, photograph.width, photograph.height),
                          "Make the mask of the upright photograph at its full size, or remove "
                          "it."});
    applyMask(photograph, mask);
    return photograph;
}

}  // namespace threefold
