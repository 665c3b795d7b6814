#include "engine/formats/pictures/photograph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/pictures/image_info.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/text.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMaskFolder = "masks";
/// Folders of masks beside the photographs or above them; Threefold writes the first.
constexpr std::string_view kMaskFolders[] = {kMaskFolder, "mask", "segmentation", "silhouettes"};
/// Folder in which IDR has mask/000.png for image/000000.png.
constexpr std::string_view kNumberedMasks = "mask";
/// Endings of names of masks beside the photographs.
constexpr std::string_view kMaskEndings[] = {"_mask.png", ".mask.png"};

/// Ending of the picture beside a texture that shows which parts photographs see.
constexpr std::string_view kVisibilityEnding = "_seen";

fs::path withEnding(const fs::path& name, std::string_view ending) {
    fs::path result = name;
    return result += ending;
}

/// Coverage of each pixel by the object, 0…255: the mask's alpha if it has any, else its grey.
std::vector<std::uint8_t> coverageOf(const Image& mask, bool lossy) {
    std::vector<std::uint8_t> coverage(mask.rgba.size() / 4);
    bool transparent = false;
    for (std::size_t i = 3; i < mask.rgba.size() && !transparent; i += 4)
        transparent = mask.rgba[i] < 255;
    for (std::size_t i = 0; i < coverage.size(); ++i) {
        const std::uint8_t* rgba = &mask.rgba[4 * i];
        coverage[i] = transparent ? rgba[3] : std::max({rgba[0], rgba[1], rgba[2]});
    }
    constexpr int kHalf = 128;
    // Programs that number objects write 1 where others write 255.
    const int largest = coverage.empty() ? 0 : *std::ranges::max_element(coverage);
    const bool isNumbered = !transparent && largest > 0 && largest < kHalf;
    for (std::uint8_t& value : coverage)
        if (isNumbered)
            value = value > 0 ? 255 : 0;
        else if (lossy)  // noise of a JPEG is no partial coverage
            value = value >= kHalf ? 255 : 0;
    return coverage;
}

/// Limits opacity to the mask, which may have another size of the same aspect ratio.
void applyMask(Image& photograph, const Image& mask, bool lossy) {
    const std::vector<std::uint8_t> coverage = coverageOf(mask, lossy);
    for (int y = 0; y < photograph.height; ++y)
        for (int x = 0; x < photograph.width; ++x) {
            const auto sourceIndex = [](int i, int size, int sourceSize) {
                return static_cast<std::size_t>((2 * std::int64_t{i} + 1) * sourceSize /
                                                (2 * size));
            };
            const std::uint8_t value = coverage[sourceIndex(y, photograph.height, mask.height) *
                                                    static_cast<std::size_t>(mask.width) +
                                                sourceIndex(x, photograph.width, mask.width)];
            std::uint8_t& alpha =
                photograph.rgba[4 * (static_cast<std::size_t>(y) *
                                         static_cast<std::size_t>(photograph.width) +
                                     static_cast<std::size_t>(x)) +
                                3];
            alpha = std::min(alpha, value);
        }
}

/// Folders that may hold masks of the photographs in `folder`: beside and above them, also with the
/// photographs' own folder name (masks/left for images/left), and shot_masks beside shot.
std::vector<fs::path> maskFoldersOf(const fs::path& folder) {
    std::vector<fs::path> folders;
    for (const fs::path& above : {folder, folder.parent_path()})
        for (const std::string_view name : kMaskFolders) folders.push_back(above / name);
    for (const fs::path& above : {folder.parent_path(), folder.parent_path().parent_path()})
        for (const std::string_view name : kMaskFolders)
            folders.push_back(above / name / folder.filename());
    for (const char* end : {"_masks", "_mask"}) folders.push_back(withEnding(folder, end));
    return folders;
}

/// Whether the aspect ratios agree, to within a pixel.
template <class Size>
bool haveSameAspect(const Size& one, const Size& other) {
    const std::int64_t first = std::int64_t{one.width} * other.height;
    const std::int64_t second = std::int64_t{other.width} * one.height;
    return std::abs(first - second) <= std::max(one.width, one.height);
}

/// Mask names for a photograph named by a number: the same number with fewer or more leading zeros.
std::vector<fs::path> sameNumbers(const std::string& stem) {
    constexpr std::size_t kMaxDigits = 8;
    const bool isNumber = !stem.empty() && stem.size() <= kMaxDigits &&
                          std::ranges::all_of(stem, [](char c) { return c >= '0' && c <= '9'; });
    if (!isNumber) return {};
    const std::string digits = stem.substr(std::min(stem.find_first_not_of('0'), stem.size() - 1));
    std::vector<fs::path> names;
    for (std::size_t count = digits.size(); count <= kMaxDigits; ++count)
        names.push_back(withEnding(std::string(count - digits.size(), '0') + digits, ".png"));
    return names;
}

/// Whether a material library names the picture: as its texture, or, by the name that Threefold
/// gives it, as what shows the parts of the texture that photographs see.
bool isTextureOf(const fs::path& library, const fs::path& picture) {
    if (picture.stem() == withEnding(library.stem(), kVisibilityEnding)) return true;
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

/// Whether there is a picture a.png beside a.png.jpg: a mask a.png.png is that of a.png.
bool hasBareNamesake(const fs::path& photograph) {
    const fs::path other = photograph.parent_path() / photograph.stem();
    return isPictureName(other) && isFile(other);
}

}  // namespace

fs::path namesakeOf(const fs::path& photograph) {
    for (const PictureExtension& picture : kPictureExtensions)
        for (const bool capitals : {false, true}) {
            std::string end(picture.extension);
            if (capitals)
                std::ranges::transform(end, end.begin(), [](char c) {
                    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
                });
            fs::path other = photograph.parent_path() / withEnding(photograph.stem(), end);
            if (other.filename() != photograph.filename() && isFile(other)) return other;
        }
    return hasBareNamesake(photograph) ? photograph.parent_path() / photograph.stem() : fs::path();
}

fs::path ownMaskFile(const fs::path& photograph) {
    const fs::path name =
        namesakeOf(photograph).empty() ? photograph.stem() : photograph.filename();
    const fs::path folder = photograph.parent_path();
    const bool ofProject = folder.filename() == kImagesFolder && !isFolder(folder / kMaskFolder);
    return (ofProject ? folder.parent_path() : folder) / kMaskFolder / withEnding(name, ".png");
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
    makeFolder(file.parent_path(), "Copy the photographs to a folder that you may write to.");
    writePng(file, mask);
    return file;
}

fs::path maskFileOf(const fs::path& photograph, const fs::path& named) {
    // A mask that was drawn or cut out is newer than the camera file.
    if (!named.empty()) {
        fs::path own = ownMaskFile(photograph);
        return isFile(own) ? own : named;
    }
    // Names of Threefold and most programs, of COLMAP, of others.
    const fs::path stem = photograph.stem();
    std::vector<fs::path> names{
        withEnding(stem, ".png"),     withEnding(photograph.filename(), ".png"),
        withEnding(stem, ".jpg"),     withEnding(stem, ".jpeg"),
        withEnding(stem, ".JPG"),     withEnding(stem, "_mask.png"),
        withEnding(stem, ".mask.png")};
    if (!namesakeOf(photograph).empty()) std::swap(names[0], names[1]);
    if (hasBareNamesake(photograph)) std::erase(names, withEnding(stem, ".png"));
    const fs::path folder = photograph.parent_path();
    const std::vector<fs::path> numbered = sameNumbers(stem.string());
    for (const fs::path& masks : maskFoldersOf(folder)) {
        if (!isFolder(masks)) continue;
        for (const fs::path& name : names) {
            fs::path file = masks / name;
            // A mask has no mask: masks/IMG_1.png is not the mask of masks/../masks/IMG_1.png.
            if (file == photograph) return {};
            if (isFile(file)) return file;
        }
        if (masks.filename() != kNumberedMasks) continue;
        for (const fs::path& name : numbered)
            if (isFile(masks / name)) return masks / name;
    }
    for (const std::string_view end : kMaskEndings)
        if (fs::path file = folder / withEnding(stem, end); isFile(file) && file != photograph)
            return file;
    return {};
}

std::string unusedMasksText(std::span<const fs::path> photographs) {
    const auto first =
        std::ranges::find_if(photographs, [](const auto& file) { return !file.empty(); });
    const auto hasMask = [](const fs::path& file) {
        return !file.empty() && !maskFileOf(file).empty();
    };
    if (first == photographs.end() || std::ranges::any_of(photographs, hasMask)) return {};
    constexpr std::string_view kWords[] = {"mask", "segment", "silhouette", "matte"};
    const fs::path folder = first->parent_path();
    for (const fs::path& above : {folder, folder.parent_path()})
        for (const fs::path& entry : tryListFolder(above)) {
            const std::string name = lowered(entry.filename().string());
            const bool isCalledMasks = std::ranges::any_of(kWords, [&](std::string_view word) {
                return name.find(word) != std::string::npos;
            });
            if (!isCalledMasks || entry == folder || !isFolder(entry)) continue;
            const auto pictures = std::ranges::count_if(tryListFolder(entry), isPictureName);
            if (pictures > 0)
                return fmt::format(
                    "no mask is taken from {}, which holds {} pictures: masks are named after "
                    "their "
                    "photographs, here masks/{}.png",
                    entry.string(), pictures, first->stem().string());
        }
    return {};
}

std::vector<fs::path> tryListPictures(const fs::path& folder) {
    return sortedPictures(tryListFolder(folder));
}

std::vector<fs::path> listPictures(const fs::path& folder) {
    return sortedPictures(listFolder(folder));
}

bool isMaskName(const fs::path& file) {
    const std::string name = file.filename().string();
    return std::ranges::any_of(kMaskEndings,
                               [&](std::string_view end) { return name.ends_with(end); });
}

std::string maskSizeProblem(const fs::path& file, const fs::path& namedMask) {
    const fs::path maskFile = maskFileOf(file, namedMask);
    if (maskFile.empty()) return {};
    const ImageSize mask = readImageInfo(maskFile).size();
    const ImageSize photograph = readImageInfo(file).size();
    if (haveSameAspect(mask, photograph)) return {};
    return fmt::format("its mask {} is {} × {} pixels, its photograph {} × {}", maskFile.string(),
                       mask.width, mask.height, photograph.width, photograph.height);
}

Image readPhotograph(const fs::path& file, const fs::path& namedMask) {
    Image photograph = readImage(file);
    const fs::path maskFile = maskFileOf(file, namedMask);
    if (maskFile.empty()) return photograph;
    const Image mask = readImage(maskFile);
    if (!haveSameAspect(mask, photograph))
        throw InputError({maskFile.string(), "",
                          fmt::format("is {} × {} pixels, its photograph {} × {}", mask.width,
                                      mask.height, photograph.width, photograph.height),
                          "Make a mask of the whole upright photograph, or remove the mask."});
    applyMask(photograph, mask, lowered(maskFile.extension().string()) != ".png");
    return photograph;
}

}  // namespace threefold
