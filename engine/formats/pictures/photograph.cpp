#include "engine/formats/pictures/photograph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/text_encoding.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMaskFolder = "masks";
/// Folders of masks beside the photographs or above them; the first is ours.
constexpr std::string_view kMaskFolders[] = {kMaskFolder, "mask", "segmentation", "silhouettes"};
/// Where IDR's mask/000.png is that of image/000000.png.
constexpr std::string_view kNumberedMasks = "mask";
/// Ends of masks' names beside the photographs.
constexpr std::string_view kMaskEnds[] = {"_mask.png", ".mask.png"};

fs::path withEnd(const fs::path& name, std::string_view end) {
    fs::path made = name;
    return made += end;
}

/// How much of each pixel is the object, 0…255: a mask's alpha where it has any, else its grey.
std::vector<std::uint8_t> sharesOf(const Image& mask, bool lossy) {
    std::vector<std::uint8_t> shares(mask.rgba.size() / 4);
    bool transparent = false;
    for (std::size_t i = 3; i < mask.rgba.size() && !transparent; i += 4)
        transparent = mask.rgba[i] < 255;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const std::uint8_t* rgba = &mask.rgba[4 * i];
        shares[i] = transparent ? rgba[3] : std::max({rgba[0], rgba[1], rgba[2]});
    }
    constexpr int kHalf = 128;
    // Programs that number objects write 1 where others write 255.
    const int largest = shares.empty() ? 0 : *std::ranges::max_element(shares);
    const bool counted = !transparent && largest > 0 && largest < kHalf;
    for (std::uint8_t& share : shares)
        if (counted)
            share = share > 0 ? 255 : 0;
        else if (lossy)  // a JPEG's noise is no half of an object
            share = share >= kHalf ? 255 : 0;
    return shares;
}

/// A mask of another size shows the whole photograph where their sides have one ratio.
void applyMask(Image& photograph, const Image& mask, bool lossy) {
    const std::vector<std::uint8_t> shares = sharesOf(mask, lossy);
    for (int y = 0; y < photograph.height; ++y)
        for (int x = 0; x < photograph.width; ++x) {
            const auto at = [](int i, int of, int there) {
                return static_cast<std::size_t>((2 * std::int64_t{i} + 1) * there / (2 * of));
            };
            const std::uint8_t share = shares[at(y, photograph.height, mask.height) *
                                                  static_cast<std::size_t>(mask.width) +
                                              at(x, photograph.width, mask.width)];
            std::uint8_t& alpha =
                photograph.rgba[4 * (static_cast<std::size_t>(y) *
                                         static_cast<std::size_t>(photograph.width) +
                                     static_cast<std::size_t>(x)) +
                                3];
            alpha = std::min(alpha, share);
        }
}

/// The folders in which masks of the photographs in `folder` may lie: beside them and above, also
/// ordered as these are (masks/left for images/left), and shot_masks beside shot.
std::vector<fs::path> maskFoldersOf(const fs::path& folder) {
    std::vector<fs::path> folders;
    for (const fs::path& above : {folder, folder.parent_path()})
        for (const std::string_view name : kMaskFolders) folders.push_back(above / name);
    for (const fs::path& above : {folder.parent_path(), folder.parent_path().parent_path()})
        for (const std::string_view name : kMaskFolders)
            folders.push_back(above / name / folder.filename());
    for (const char* end : {"_masks", "_mask"}) folders.push_back(withEnd(folder, end));
    return folders;
}

/// To within a pixel of the smaller one.
bool haveOneRatio(const Image& one, const Image& other) {
    const std::int64_t across = std::int64_t{one.width} * other.height;
    const std::int64_t down = std::int64_t{other.width} * one.height;
    return std::abs(across - down) <= std::max(one.width, one.height);
}

/// The same number with fewer or more leading zeros, of a picture that is named by one.
std::vector<fs::path> sameNumbers(const std::string& stem) {
    constexpr std::size_t kMostDigits = 8;
    const bool isNumber = !stem.empty() && stem.size() <= kMostDigits &&
                          std::ranges::all_of(stem, [](char c) { return c >= '0' && c <= '9'; });
    if (!isNumber) return {};
    const std::string digits = stem.substr(std::min(stem.find_first_not_of('0'), stem.size() - 1));
    std::vector<fs::path> names;
    for (std::size_t count = digits.size(); count <= kMostDigits; ++count)
        names.push_back(withEnd(std::string(count - digits.size(), '0') + digits, ".png"));
    return names;
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
            fs::path other = photograph.parent_path() / withEnd(photograph.stem(), end);
            if (other.filename() != photograph.filename() && isFile(other)) return other;
        }
    return {};
}

fs::path ownMaskFile(const fs::path& photograph) {
    const fs::path name =
        namesakeOf(photograph).empty() ? photograph.stem() : photograph.filename();
    const fs::path folder = photograph.parent_path();
    const bool ofProject = folder.filename() == kImagesName && !isFolder(folder / kMaskFolder);
    return (ofProject ? folder.parent_path() : folder) / kMaskFolder / withEnd(name, ".png");
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

fs::path maskFileOf(const fs::path& photograph, const fs::path& named) {
    // A mask that was drawn or cut out since the camera file was written is the newer word.
    if (!named.empty()) {
        fs::path own = ownMaskFile(photograph);
        return isFile(own) ? own : named;
    }
    // As ours and most, as COLMAP, as others name it: IMG_1.png, IMG_1.jpg.png, IMG_1.jpg …
    const fs::path stem = photograph.stem();
    std::vector<fs::path> names{withEnd(stem, ".png"),     withEnd(photograph.filename(), ".png"),
                                withEnd(stem, ".jpg"),     withEnd(stem, ".jpeg"),
                                withEnd(stem, ".JPG"),     withEnd(stem, "_mask.png"),
                                withEnd(stem, ".mask.png")};
    if (!namesakeOf(photograph).empty()) std::swap(names[0], names[1]);
    const fs::path folder = photograph.parent_path();
    const std::vector<fs::path> numbered = sameNumbers(stem.string());
    for (const fs::path& masks : maskFoldersOf(folder)) {
        if (!isFolder(masks)) continue;
        for (const fs::path& name : names) {
            fs::path file = masks / name;
            // A mask has none of its own: masks/IMG_1.png is not masks/../masks/IMG_1.png's.
            if (file == photograph) return {};
            if (isFile(file)) return file;
        }
        if (masks.filename() != kNumberedMasks) continue;
        for (const fs::path& name : numbered)
            if (isFile(masks / name)) return masks / name;
    }
    for (const std::string_view end : kMaskEnds)
        if (fs::path file = folder / withEnd(stem, end); isFile(file) && file != photograph)
            return file;
    return {};
}

std::string unusedMasksNote(std::span<const fs::path> photographs) {
    const auto first =
        std::ranges::find_if(photographs, [](const auto& file) { return !file.empty(); });
    const auto hasMask = [](const fs::path& file) {
        return !file.empty() && !maskFileOf(file).empty();
    };
    if (first == photographs.end() || std::ranges::any_of(photographs, hasMask)) return {};
    constexpr std::string_view kWords[] = {"mask", "segment", "silhouette", "matte"};
    const fs::path folder = first->parent_path();
    for (const fs::path& above : {folder, folder.parent_path()})
        for (const fs::path& entry : entriesIn(above)) {
            const std::string name = lowered(entry.filename().string());
            const bool isCalledMasks = std::ranges::any_of(kWords, [&](std::string_view word) {
                return name.find(word) != std::string::npos;
            });
            if (!isCalledMasks || entry == folder || !isFolder(entry)) continue;
            const auto pictures = std::ranges::count_if(entriesIn(entry), [](const fs::path& file) {
                return std::ranges::count(kPictureEndings, lowered(file.extension().string())) > 0;
            });
            if (pictures > 0)
                return fmt::format(
                    "no mask is taken from {}, which holds {} pictures: masks are named after "
                    "their "
                    "photographs, here masks/{}.png",
                    entry.string(), pictures, first->stem().string());
        }
    return {};
}

bool isMaskName(const fs::path& file) {
    const std::string name = file.filename().string();
    return std::ranges::any_of(kMaskEnds,
                               [&](std::string_view end) { return name.ends_with(end); });
}

Image readPhotograph(const fs::path& file, const fs::path& namedMask) {
    Image photograph = readImage(file);
    const fs::path maskFile = maskFileOf(file, namedMask);
    if (maskFile.empty()) return photograph;
    const Image mask = readImage(maskFile);
    if (!haveOneRatio(mask, photograph))
        throw InputError({maskFile.string(), "",
                          fmt::format("is {} × {} pixels, its photograph {} × {}", mask.width,
                                      mask.height, photograph.width, photograph.height),
                          "Make the mask of the upright photograph as a whole, or remove it."});
    applyMask(photograph, mask, maskFile.extension() != ".png");
    return photograph;
}

}  // namespace threefold
