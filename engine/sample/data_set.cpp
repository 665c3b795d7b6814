#include "engine/sample/data_set.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <system_error>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/folders.h"
#include "engine/formats/bytes/text_encoding.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/text.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

std::vector<Path> sortedFolders(const Path& root) {
    std::vector<Path> folders = entriesIn(root);
    std::erase_if(folders, [](const Path& entry) { return !isFolder(entry); });
    std::ranges::sort(folders);
    return folders;
}

bool isSampleFolder(const Path& folder) {
    return !renderingFolderIn(folder).empty();
}

Path topOf(const Path& root) {
    const Path clean = absolutePath(root).lexically_normal();
    const Path top = clean.has_filename() ? clean : clean.parent_path();
    return isFolder(top / kDataSetFolder) ? top / kDataSetFolder : top;
}

/// Names of samples with a truth file. Listing a folder once costs less than looking up each.
class TruthNames {
  public:
    explicit TruthNames(const Path& dataSet)
        : folders_{dataSet.parent_path() / "gt", dataSet / "gt"} {
        for (const Path& folder : folders_) {
            for (const Path& file : entriesIn(folder)) {
                const auto base = truthBaseOf(file);
                if (!base) continue;
                names_.insert(*base);
                names_.insert(file.stem().string());  // a sample whose name ends like a view
            }
        }
    }

    bool has(const DataSetSample& sample) const {
        const std::string base =
            sample.category.empty() ? sample.id : sample.category + '_' + sample.id;
        return names_.contains(base) || std::ranges::any_of(folders_, [&](const Path& folder) {
                   return findNestedTruth(folder, sample.category, sample.id).has_value();
               });
    }

  private:
    std::array<Path, 2> folders_;
    std::unordered_set<std::string> names_;
};

DataSetSample describe(const Path& folder) {
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

/// Throws FormatError for a line that cannot be a name: longer than any path, or with control
/// bytes, such as NUL, at which the system would cut off a path.
void checkListedName(std::string_view line, const std::filesystem::path& subject,
                     std::size_t lineNumber) {
    if (line.size() > kMaxPathBytes)
        throw FormatError({subject.string(), fmt::format("line {}", lineNumber),
                           fmt::format("is {} bytes long, names have at most {}: '{}'", line.size(),
                                       kMaxPathBytes, shortened(line)),
                           "Save the list as UTF-8 text, one name a line."});
    for (const char c : line) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= 0x20 && byte != 0x7F) || c == '\t') continue;
        throw FormatError({subject.string(), fmt::format("line {}", lineNumber),
                           fmt::format("holds the control byte 0x{:02x}, names have none", byte),
                           "Save the list as UTF-8 text, one name a line."});
    }
}

/// Display name of the file with the camera rows.
std::string rowsFileOf(const Path& folder) {
    const Path file = metadataFileIn(folder);
    return file.empty() ? kMetadataName : file.filename().string();
}

/// Number of a purely numeric file name: "07.png" → 7.
std::optional<std::size_t> numberOf(const Path& file) {
    const std::string stem = file.stem().string();
    constexpr std::size_t kMaxDigits = 6;
    return stem.size() > kMaxDigits ? std::nullopt : parseNumber<std::size_t>(stem);
}

/// Images with their numbers, sorted; empty unless every name is a number.
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

/// Whether an image is another output of the renderer beside a view: 00_depth.png beside 00.png.
bool isBesideView(const Path& image, const std::vector<Path>& images) {
    constexpr std::string_view kSuffixes[] = {"_prj",    "_depth", "_normal", "_normals",
                                              "_albedo", "_mask",  "_seg",    "_nocs"};
    const std::string stem = image.stem().string();
    for (const std::string_view suffix : kSuffixes) {
        if (!stem.ends_with(suffix) || stem.size() == suffix.size()) continue;
        const std::string view = stem.substr(0, stem.size() - suffix.size());
        if (std::ranges::any_of(images, [&](const Path& other) { return other.stem() == view; }))
            return true;
    }
    return false;
}

std::vector<Path> imagesByNumber(const std::vector<std::pair<std::size_t, Path>>& numbered,
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
                 const std::function<void(DataSetSample)>& visit) {
    const Path top = topOf(root);
    std::map<Path, TruthNames> truths;
    // `dataSet`: the folder that holds the categories, or the samples where there are none.
    const auto visitSample = [&](const Path& folder, const Path& dataSet) {
        DataSetSample sample = describe(folder);
        sample.hasTruth = truths.try_emplace(dataSet, dataSet).first->second.has(sample);
        visit(std::move(sample));
    };
    const auto inLayout = [](const Path& sample) { return renderingFolderIn(sample) != sample; };
    if (isSampleFolder(top))
        return visitSample(top,
                           inLayout(top) ? top.parent_path().parent_path() : top.parent_path());
    for (const Path& folder : sortedFolders(top)) {
        if (stop.stop_requested()) return;
        if (isSampleFolder(folder)) {
            // In ShapeNet's layout `top` is a category; truths lie beside the categories.
            visitSample(folder, inLayout(folder) ? top.parent_path() : top);
            continue;
        }
        for (const Path& sample : sortedFolders(folder)) {
            if (stop.stop_requested()) return;
            if (isSampleFolder(sample)) visitSample(sample, top);
        }
    }
}

bool isDataSet(const Path& folder) {
    const Path top = topOf(folder);
    if (!isFolder(top) || isSampleFolder(top)) return false;
    std::stop_source stop;
    bool isFound = false;
    walkDataSet(top, stop.get_token(), [&](const DataSetSample&) {
        isFound = true;
        stop.request_stop();
    });
    return isFound;
}

Path firstRendering(const Path& sampleFolder) {
    const Path folder = renderingFolderIn(sampleFolder);
    if (folder.empty()) return {};
    if (isFile(folder / "00.png")) return folder / "00.png";
    Path first;
    for (const Path& file : entriesIn(folder))
        if (isPictureName(file) && (first.empty() || file < first)) first = file;
    return first;
}

std::string categoryName(const std::string& category) {
    const auto* const match =
        std::ranges::find(kCategories, category, [](const auto& entry) { return entry.first; });
    return match == kCategories.end() ? std::string() : std::string(match->second);
}

std::string shortened(std::string_view line) {
    constexpr std::size_t kMaxBytes = 200;
    if (line.size() <= kMaxBytes) return std::string(line);
    return fmt::format("{}… ({} bytes)", textPrefix(line, kMaxBytes), line.size());
}

bool isTestList(const std::filesystem::path& path) {
    return path.extension() == ".txt" && path.filename() != kMetadataName &&
           path.filename() != kRenderingListName && !isCameraFileName(path);
}

std::vector<ListedName> parseTestList(std::string_view text, const std::filesystem::path& subject) {
    std::vector<ListedName> samples;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = nameIn(text.substr(0, end));
        if (!line.empty() && line.front() != '#') {
            checkListedName(line, subject, number);
            samples.push_back({std::string(line), number});
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return samples;
}

std::vector<ListedName> readTestList(const std::filesystem::path& path) {
    const std::vector<std::byte> bytes = readFile(path, kMaxListBytes);
    return parseTestList(asText(bytes), path);
}

std::vector<Path> imagesIn(const Path& folder) {
    std::vector<Path> images = listPictures(folder);
    std::erase_if(images, [all = images](const Path& image) { return isBesideView(image, all); });
    return images;
}

std::vector<Path> listPhotographs(const Path& folder) {
    std::vector<Path> images = imagesIn(folder);
    const Path subfolder = folder / kImagesFolder;
    return images.empty() && isFolder(subfolder) ? imagesIn(subfolder) : images;
}

Path metadataFileIn(const Path& folder) {
    if (isFile(folder / kMetadataName)) return folder / kMetadataName;
    const bool plain = isFile(folder / kPlainMetadataName) && cameraFileIn(folder).empty();
    return plain ? folder / kPlainMetadataName : Path();
}

Path renderingFolderIn(const Path& folder) {
    if (!metadataFileIn(folder).empty()) return folder;
    if (isFile(folder / kRenderingFolder / kMetadataName)) return folder / kRenderingFolder;
    return {};
}

ViewFiles matchViewFiles(const Path& folder, std::size_t rows) {
    const std::vector<Path> images = imagesIn(folder);
    const auto numbered = numberedImages(images);
    if (!numbered.empty()) return {imagesByNumber(numbered, folder, rows), true};
    if (images.size() != rows)
        throw InputError({folder.string(), "",
                          fmt::format("holds {} images, but {} has {} rows", images.size(),
                                      rowsFileOf(folder), rows),
                          "Give one row for each image, in the order of the images' names."});
    return {images, false};
}

}  // namespace threefold
