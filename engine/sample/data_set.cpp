#include "engine/sample/data_set.h"

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/text_encoding.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/text_parts.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

std::vector<Path> sortedFolders(const Path& root) {
    std::vector<Path> folders = entriesIn(root);
    std::erase_if(folders, [](const Path& entry) { return !isFolder(entry); });
    std::ranges::sort(folders);
    return folders;
}

bool isItem(const Path& folder) {
    return !renderingFolderIn(folder).empty();
}

Path topOf(const Path& root) {
    const Path clean = std::filesystem::absolute(root).lexically_normal();
    const Path top = clean.has_filename() ? clean : clean.parent_path();
    return isFolder(top / kDataSetName) ? top / kDataSetName : top;
}

/// Items with a truth file. Listing a folder once costs less than looking up each item.
class TruthNames {
  public:
    explicit TruthNames(const Path& dataSet)
        : folders_{dataSet.parent_path() / "gt", dataSet / "gt"} {
        for (const Path& folder : folders_) {
            for (const Path& file : entriesIn(folder)) {
                const auto base = truthBaseOf(file);
                if (!base) continue;
                names_.insert(*base);
                names_.insert(file.stem().string());  // an item whose name ends like a view
            }
        }
    }

    bool has(const DataSetItem& item) const {
        const std::string base =
            item.category.empty() ? item.item : item.category + '_' + item.item;
        return names_.contains(base) || std::ranges::any_of(folders_, [&](const Path& folder) {
                   return findNestedTruth(folder, item.category, item.item).has_value();
               });
    }

  private:
    std::array<Path, 2> folders_;
    std::unordered_set<std::string> names_;
};

DataSetItem describe(const Path& folder) {
    const bool inLayout = renderingFolderIn(folder) != folder;
    return {inLayout ? folder.parent_path().filename().string() : "", folder.filename().string(),
            folder};
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kCategories{{
    {"02691156", "airplane"},
    {"02828884", "bench"},
    {"02933112", "cabinet"},
    {"02958343", "car"},
    {"03001627", "chair"},
    {"03211117", "display"},
    {"03636649", "lamp"},
    {"03691459", "loudspeaker"},
    {"04090263", "rifle"},
    {"04256520", "sofa"},
    {"04379243", "table"},
    {"04401088", "telephone"},
    {"04530566", "watercraft"},
}};

std::string_view nameIn(std::string_view line) {
    constexpr std::string_view kBlanks = " \t\r";
    // At the beginning of the file, or of each of several concatenated files.
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    for (line = trimmed(line, kBlanks); line.starts_with(kByteOrderMark);)
        line = trimmed(line.substr(kByteOrderMark.size()), kBlanks);
    return line;
}

/// Names have no control bytes: the system would cut a path at a NUL. No path is longer, either.
void refuseNoName(std::string_view line, const std::filesystem::path& subject, std::size_t number) {
    constexpr std::size_t kLongestName = 4096;  // the limit of Linux for a path
    if (line.size() > kLongestName)
        throw FormatError({subject.string(), fmt::format("line {}", number),
                           fmt::format("is {} bytes long, names have at most {}: '{}'", line.size(),
                                       kLongestName, shortened(line)),
                           "Save the list as UTF-8 text, one name a line."});
    for (const char c : line) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= 0x20 && byte != 0x7F) || c == '\t') continue;
        throw FormatError({subject.string(), fmt::format("line {}", number),
                           fmt::format("holds the control byte 0x{:02x}, names have none", byte),
                           "Save the list as UTF-8 text, one name a line."});
    }
}

/// The name of the file with the rows, for people.
std::string rowsFileOf(const Path& folder) {
    const Path file = metadataFileIn(folder);
    return file.empty() ? kMetadataName : file.filename().string();
}

/// The number that a file name consists of: "07.png" → 7.
std::optional<std::size_t> numberOf(const Path& file) {
    const std::string stem = file.stem().string();
    constexpr std::size_t kMostDigits = 6;
    return stem.size() > kMostDigits ? std::nullopt : numberFrom<std::size_t>(stem);
}

/// Numbers and images, by number; empty unless every name is a number.
std::vector<std::pair<std::size_t, Path>> numberedImages(const std::vector<Path>& images) {
    std::vector<std::pair<std::size_t, Path>> numbered;
    for (const Path& image : images) {
        const std::optional<std::size_t> number = numberOf(image);
        if (!number) return {};
        numbered.emplace_back(*number, image);
    }
    std::ranges::sort(numbered);
    return numbered;
}

/// Whether a picture is a renderer's other output beside a view: 00_depth.png beside 00.png.
bool isBesideView(const Path& image, const std::vector<Path>& all) {
    constexpr std::string_view kEnds[] = {"_prj",    "_depth", "_normal", "_normals",
                                          "_albedo", "_mask",  "_seg",    "_nocs"};
    const std::string stem = image.stem().string();
    for (const std::string_view end : kEnds) {
        if (!stem.ends_with(end) || stem.size() == end.size()) continue;
        const std::string view = stem.substr(0, stem.size() - end.size());
        if (std::ranges::any_of(all, [&](const Path& each) { return each.stem() == view; }))
            return true;
    }
    return false;
}

std::vector<Path> placeByNumber(const std::vector<std::pair<std::size_t, Path>>& numbered,
                                const Path& folder, std::size_t rows) {
    // People count their own images from 1; then every row has its image, in the same order.
    const std::size_t first =
        numbered.front().first == 1 && numbered.back().first == rows && numbered.size() == rows ? 1
                                                                                                : 0;
    std::vector<Path> images(rows);
    for (const auto& [number, file] : numbered) {
        const std::size_t row = number - first;
        if (row >= rows)
            throw InputError(
                {folder.string(), file.filename().string(),
                 fmt::format("has no camera: {} has {} rows", rowsFileOf(folder), rows),
                 "Add a row for the image, or remove the image."});
        if (!images[row].empty())
            throw InputError({folder.string(), file.filename().string(),
                              fmt::format("is a second image for view {}, beside {}", row,
                                          images[row].filename().string()),
                              "Keep one of the two."});
        images[row] = file;
    }
    return images;
}

}  // namespace

void walkDataSet(const Path& root, const std::stop_token& stop,
                 const std::function<void(DataSetItem)>& take) {
    const Path top = topOf(root);
    // The folder that holds the categories, or the items where there are none.
    Path dataSet = top;
    std::optional<TruthNames> truths;
    const auto give = [&](const Path& folder) {
        DataSetItem item = describe(folder);
        if (!truths) truths.emplace(dataSet);
        item.hasTruth = truths->has(item);
        take(std::move(item));
    };
    if (isItem(top)) {
        const bool inLayout = renderingFolderIn(top) != top;
        dataSet = inLayout ? top.parent_path().parent_path() : top.parent_path();
        give(top);
        return;
    }
    for (const Path& folder : sortedFolders(top)) {
        if (stop.stop_requested()) return;
        if (isItem(folder)) {
            // In ShapeNet's layout `top` is a category, and its truths lie beside all categories.
            if (renderingFolderIn(folder) != folder) dataSet = top.parent_path();
            give(folder);
            continue;
        }
        for (const Path& item : sortedFolders(folder)) {
            if (stop.stop_requested()) return;
            if (isItem(item)) give(item);
        }
    }
}

bool isDataSet(const Path& folder) {
    const Path top = topOf(folder);
    if (!isFolder(top) || isItem(top)) return false;
    std::stop_source stop;
    bool found = false;
    walkDataSet(top, stop.get_token(), [&](const DataSetItem&) {
        found = true;
        stop.request_stop();
    });
    return found;
}

Path firstRendering(const Path& itemFolder) {
    const Path folder = renderingFolderIn(itemFolder);
    if (folder.empty()) return {};
    if (isFile(folder / "00.png")) return folder / "00.png";
    Path first;
    for (const Path& file : entriesIn(folder))
        if (isImageName(file) && (first.empty() || file < first)) first = file;
    return first;
}

std::string categoryName(const std::string& category) {
    const auto* const found =
        std::ranges::find(kCategories, category, [](const auto& each) { return each.first; });
    return found == kCategories.end() ? std::string() : std::string(found->second);
}

std::string shortened(std::string_view line) {
    constexpr std::size_t kMost = 200;
    if (line.size() <= kMost) return std::string(line);
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80) --end;
    return fmt::format("{}… ({} bytes)", line.substr(0, end), line.size());
}

bool isTestList(const std::filesystem::path& path) {
    return path.extension() == ".txt" && path.filename() != "rendering_metadata.txt" &&
           path.filename() != "renderings.txt" && !isCameraFileName(path);
}

std::vector<ListedName> parseTestList(std::string_view text, const std::filesystem::path& subject) {
    std::vector<ListedName> samples;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = nameIn(text.substr(0, end));
        if (!line.empty() && line.front() != '#') {
            refuseNoName(line, subject, number);
            samples.push_back({std::string(line), number});
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return samples;
}

std::vector<ListedName> readTestList(const std::filesystem::path& path) {
    const std::vector<std::byte> bytes = readFile(path, kLargestList);
    return parseTestList(asText(bytes), path);
}

std::vector<Path> imagesIn(const Path& folder) {
    std::error_code error;
    std::vector<Path> images = entriesIn(folder, &error);
    if (error)
        throw IoError({folder.string(), "", "cannot be listed: " + error.message(),
                       "Check that the folder is there and may be read."});
    std::erase_if(images,
                  [](const Path& entry) { return !isImageName(entry) || isMaskName(entry); });
    std::ranges::sort(images, [](const Path& one, const Path& other) {
        return naturallyBefore(one.filename().native(), other.filename().native());
    });
    std::erase_if(images, [all = images](const Path& image) { return isBesideView(image, all); });
    return images;
}

std::vector<Path> photographsOf(const Path& folder) {
    std::vector<Path> images = imagesIn(folder);
    const Path below = folder / kImagesName;
    return images.empty() && isFolder(below) ? imagesIn(below) : images;
}

bool isImageName(const Path& file) {
    return !file.filename().string().starts_with('.') &&
           std::ranges::count(kPictureEndings, lowered(file.extension().string())) > 0;
}

Path metadataFileIn(const Path& folder) {
    if (isFile(folder / kMetadataName)) return folder / kMetadataName;
    const bool plain = isFile(folder / kPlainMetadataName) && cameraFileIn(folder).empty();
    return plain ? folder / kPlainMetadataName : Path();
}

Path renderingFolderIn(const Path& folder) {
    if (!metadataFileIn(folder).empty()) return folder;
    if (isFile(folder / kRenderingName / kMetadataName)) return folder / kRenderingName;
    return {};
}

ViewFiles matchViewFiles(const Path& folder, std::size_t rows) {
    const std::vector<Path> images = imagesIn(folder);
    const auto numbered = numberedImages(images);
    if (!numbered.empty()) return {placeByNumber(numbered, folder, rows), true};
    if (images.size() != rows)
        throw InputError({folder.string(), "",
                          fmt::format("holds {} images, but {} has {} rows", images.size(),
                                      rowsFileOf(folder), rows),
                          "Give one row for each image, in the order of the images' names."});
    return {images, false};
}

}  // namespace threefold
