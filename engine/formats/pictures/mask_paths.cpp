#include "engine/formats/pictures/mask_paths.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/formats/text/text_encoding.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMaskFolder = "masks";
/// Names of mask folders, beside the photographs or above them; Threefold writes to the first.
constexpr std::string_view kMaskFolders[] = {kMaskFolder, "mask", "segmentation", "silhouettes"};
/// Folder in which IDR has mask/000.png for image/000000.png.
constexpr std::string_view kNumberedMasks = "mask";
/// Endings of names of masks beside the photographs.
constexpr std::string_view kMaskEndings[] = {"_mask.png", ".mask.png"};

fs::path withEnding(const fs::path& name, std::string_view ending) {
    fs::path result = name;
    return result += ending;
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

/// Whether there is a picture a.png beside a.png.jpg: then a.png.png is the mask of a.png.
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
                           each == file ? "Remove the link." : "Put a folder of its own there."});
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
    // In this order: names of Threefold and most programs, of COLMAP, of other programs.
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

bool isMaskName(const fs::path& file) {
    const std::string name = file.filename().string();
    return std::ranges::any_of(kMaskEndings,
                               [&](std::string_view end) { return name.ends_with(end); });
}

}  // namespace threefold
