#include "engine/sample/sample.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <system_error>

#include <fmt/ranges.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/file_descriptor.h"
#include "engine/formats/bytes/folders.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/sample/data_set.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/text.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

constexpr const char* kLocationRemedy =
    "Give an item's folder, one of its images, or a test-list name.";
constexpr const char* kAccessRemedy = "Check the path and its permissions.";

/// Absolute path without ".", ".." and a trailing slash, so that all its folders have names.
Path clean(const Path& path) {
    Path absolute = absolutePath(path).lexically_normal();
    return absolute.has_filename() ? absolute : absolute.parent_path();
}

/// Parsed list name "{category}_{item}_{view}.dat", of any truth extension or none. Items may hold
/// underscores.
struct ListName {
    std::string category, item;
    int view = 0;
};

std::optional<ListName> parseListName(const Path& file) {
    const Path extension = file.extension();
    if (!extension.empty() && !isTruthExtension(extension)) return std::nullopt;
    const std::string stem = file.stem().string();
    const std::size_t first = stem.find('_');
    const std::size_t last = stem.rfind('_');
    if (first == std::string::npos || first == 0 || last <= first + 1) return std::nullopt;
    const std::string view = stem.substr(last + 1);
    const auto number = numberFrom<unsigned>(view);
    if (!number || view.size() > 2) return std::nullopt;
    return ListName{stem.substr(0, first), stem.substr(first + 1, last - first - 1),
                    static_cast<int>(*number)};
}

/// Parses ".../category/item/rendering/00.dat", as in Pixel2Mesh's own lists; the file need not
/// exist.
std::optional<ListName> parseRenderingPath(const Path& location) {
    const Path folder = location.parent_path();
    const Path item = folder.parent_path();
    const auto view = numberFrom<unsigned>(location.stem().string());
    if (!view || *view > 99 || folder.filename() != kRenderingName || !item.has_filename() ||
        !item.parent_path().has_filename())
        return std::nullopt;
    return ListName{item.parent_path().filename().string(), item.filename().string(),
                    static_cast<int>(*view)};
}

/// Parses ".../category/item/model.binvox", as in 3D-R2N2's voxel lists; the file need not exist.
std::optional<ListName> parseVoxelPath(const Path& location) {
    const Path item = location.parent_path();
    if (location.filename() != "model.binvox" || !item.has_filename() ||
        !item.parent_path().has_filename())
        return std::nullopt;
    return ListName{item.parent_path().filename().string(), item.filename().string(), 0};
}

/// Converts a Windows path to slashes.
Path withSlashes(const Path& location) {
    std::string text = location.string();
    std::ranges::replace(text, '\\', '/');
    return text;
}

/// Item folder given relative to the image root: "03001627/p0001"; empty if there is none.
Path belowRoot(const Path& location, const Path& imageRoot) {
    if (imageRoot.empty() || location.is_absolute()) return {};
    for (const Path& root : {imageRoot, imageRoot / kDataSetName})
        if (isFolder(root / location)) return root / location;
    return {};
}

/// Project folder of a camera file: skips the generic folder names of COLMAP workspaces.
Path projectOf(Path folder) {
    constexpr std::string_view kGenericNames[] = {"sparse",      "colmap", "dense",
                                                  "undistorted", "images", "cams"};
    const auto isNumber = [](const Path& name) {
        return numberFrom<unsigned>(name.string()).has_value();
    };
    if (isNumber(folder.filename()) && folder.parent_path().filename() == "sparse")
        folder = folder.parent_path();
    while (folder.parent_path().has_filename() &&
           std::ranges::find(kGenericNames, folder.filename().string()) != std::end(kGenericNames))
        folder = folder.parent_path();
    return folder;
}

Path folderOfListName(const ListName& name, const Path& imageRoot) {
    for (const Path& root : {imageRoot, imageRoot / kDataSetName}) {
        const Path folder = renderingFolderIn(root / name.category / name.item);
        if (!folder.empty()) return clean(folder);
    }
    throw InputError({imageRoot.string(), "",
                      fmt::format("holds no {}/{}/{}/{}", name.category, name.item, kRenderingName,
                                  kMetadataName),
                      "Give the folder that holds the categories as the root of the images."});
}

/// Camera file that `location` is or contains; empty for a sample with camera rows.
Path cameraFileOf(const Path& location) {
    if (isFile(location) && isCameraFileName(location) &&
        metadataFileIn(location.parent_path()) != location)
        return location;
    const Path folder =
        isFile(location) && isPictureName(location) ? location.parent_path() : location;
    return renderingFolderIn(folder).empty() ? cameraFileIn(folder) : Path();
}

void loadPosedPhotos(Sample& sample, const Path& file, const ObjectPlacement& object) {
    auto photos = std::make_shared<const PosedPhotos>(readPosedPhotos(file, object));
    for (const PosedPhoto& view : photos->views) {
        sample.images.push_back(view.photo.image);
        sample.cameraRows.push_back(view.row);
    }
    sample.renderingFolder = file.parent_path();
    sample.photos = std::move(photos);
    sample.groundTruthSpace = MeshSpace::world;
}

Path folderOfPath(const Path& location) {
    const bool isSampleFile =
        isFile(location) &&
        (isPictureName(location) || location == metadataFileIn(location.parent_path()));
    const Path folder = isSampleFile ? location.parent_path() : location;
    Path rendering = renderingFolderIn(folder);
    if (!rendering.empty()) return rendering;
    if (isFile(location) && !isSampleFile)
        throw InputError({location.string(), "", "is not part of a sample", kLocationRemedy});
    std::error_code error;
    static_cast<void>(std::filesystem::exists(folder / kMetadataName, error));
    if (error) throwIoError(folder, "cannot be read", error.value(), kAccessRemedy);
    throw InputError(
        {folder.string(), "",
         fmt::format("no camera file here ({}, transforms.json, COLMAP's model or another of "
                     "docs/OWN_DATA.md)",
                     kMetadataName),
         "Photographs get cameras from a printed board, from a turntable, or from COLMAP "
         "(docs/PHOTOGRAPHS.md); or set them by hand in the window."});
}

std::vector<CameraRow> readRows(const Path& file) try {
    return readRenderingMetadata(file);
} catch (const FormatError& error) {
    if (file.filename() != kPlainMetadataName) throw;
    const ErrorReport& report = error.report();
    throw FormatError(
        {report.subject, report.place, report.problem,
         "Write a row of five numbers for each image, as in rendering_metadata.txt; or, "
         "if the file is COLMAP's, put its images.txt beside it."});
}

void loadRows(Sample& sample, bool& numbered) {
    sample.cameraRows = readRows(metadataFileIn(sample.renderingFolder));
    ViewFiles files = matchViewFiles(sample.renderingFolder, sample.cameraRows.size());
    sample.images = std::move(files.images);
    numbered = files.numbered;
    const auto present =
        std::ranges::count_if(sample.images, [](const Path& image) { return !image.empty(); });
    requireEnough(sample.renderingFolder.string(), static_cast<std::size_t>(present), "image");
}

void setTruth(Sample& sample, const Path& file) {
    sample.groundTruth = file;
    // The truth of posed photographs is in their world, for any file.
    if (sample.groundTruthSpace == MeshSpace::view) sample.groundTruthSpace = truthSpaceOf(file);
}

/// Finds a truth file and sets the sample's truth fields.
void findGroundTruth(Sample& sample, std::optional<int> view, const Path& truthRoot,
                     const Path& itemFolder) {
    const Path dataSet =
        sample.category.empty() ? itemFolder.parent_path() : itemFolder.parent_path().parent_path();
    // Searches only a given folder: silently measuring against another truth would mislead.
    const std::vector<Path> folders =
        truthRoot.empty() ? std::vector{dataSet.parent_path() / "gt", dataSet / "gt"}
                          : std::vector{clean(truthRoot), clean(truthRoot) / "gt"};
    for (const Path& folder : folders) {
        const auto match = findTruthFile(folder, sample.category, sample.item, view);
        if (!match) continue;
        setTruth(sample, match->file);
        sample.groundTruthView = match->view;
        return;
    }
}

/// Throws InputError unless the image is square, as the network's camera requires.
void requireSquare(const Image& image, const Path& file) {
    const int longer = std::max(image.width, image.height);
    // Tolerates up to one pixel of the network's input: a careless crop.
    if (std::int64_t{kImageSize} * std::abs(image.width - image.height) <= longer) return;
    throw InputError(
        {file.string(), "",
         fmt::format("is {} × {} pixels, expected a square: the network would see the "
                     "object stretched",
                     image.width, image.height),
         "Pad or crop it to a square around the point that its camera looks at, or give "
         "the camera as a matrix with its lens (docs/OWN_DATA.md)."});
}

/// Throws InputError for equal cameras: their images contradict each other or are redundant.
void requireDistinctCameras(const std::string& subject, std::span<const int> views,
                            std::span<const Camera> cameras) {
    constexpr double kTolerance = 1e-9;
    for (std::size_t i = 0; i < cameras.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double distance = glm::distance(cameras[i].centre, cameras[j].centre);
            if (distance > kTolerance * glm::length(cameras[i].centre)) continue;
            throw InputError(
                {subject, fmt::format("view {}", views[i]),
                 fmt::format("has the same camera as view {}", views[j]),
                 "Give each photograph its own camera, from another side of the object, "
                 "or choose other views."});
        }
}

}  // namespace

int truthViewOf(const Path& file, int otherwise) {
    const auto name = parseListName(file.filename());
    return name ? name->view : otherwise;
}

std::string Sample::name() const {
    return category.empty() ? item : fmt::format("{}_{}_{:02}", category, item, groundTruthView);
}

glm::dvec3 Sample::toPhotoWorld(glm::dvec3 world) const {
    return photos ? photos->frame.world.applyInverse(world) : world;
}

glm::dvec3 Sample::fromPhotoWorld(glm::dvec3 point) const {
    return photos ? photos->frame.world.apply(point) : point;
}

glm::dvec3 Sample::photoOrigin() const {
    if (!photos) return glm::dvec3(0.0);
    const SimilarityTransform& world = photos->frame.world;
    const glm::dvec3 half(kObjectDiagonal / world.scale / 2 / std::sqrt(3.0));
    return originFor(world.from - half, world.from + half);
}

bool Sample::isPhotoWorldZUp() const {
    constexpr double kMinCosine = 0.866;
    const glm::dvec3 up = toPhotoWorld({0, 1, 0}) - toPhotoWorld({0, 0, 0});
    return photos && up.z > kMinCosine * glm::length(up);
}

Sample findSample(const Path& location, const Path& imageRoot, const Path& truthRoot,
                  const ObjectPlacement& object, TruthSpace truthSpace) {
    if (location.empty()) throw InputError({"sample", "", "no location given", kLocationRemedy});
    std::error_code error;
    const bool exists = std::filesystem::exists(location, error);
    if (!exists && location.string().find('\\') != std::string::npos)
        return findSample(withSlashes(location), imageRoot, truthRoot, object, truthSpace);
    const bool isTruth = exists && isFile(location) && isTruthExtension(location.extension());
    std::optional<ListName> listName =
        !exists || isTruth ? parseListName(location.filename()) : std::nullopt;
    if (!exists && !listName) listName = parseRenderingPath(location);
    if (!exists && !listName) listName = parseVoxelPath(location);
    if (!exists && !listName)
        if (const Path item = belowRoot(location, imageRoot); !item.empty())
            return findSample(item, imageRoot, truthRoot, object, truthSpace);
    if (error && !listName)
        throwIoError(location, "cannot be opened", error.value(), kAccessRemedy);
    if (!exists && (!listName || imageRoot.empty()))
        throw InputError({location.string(), "", "no such sample",
                          listName ? "A test-list name needs the root folder of the images: give "
                                     "the ShapeNetRendering folder (`images`)."
                                   : kLocationRemedy});

    Sample sample;
    if (listName) {
        const Path root =
            imageRoot.empty() ? clean(location).parent_path().parent_path() : imageRoot;
        sample.renderingFolder = folderOfListName(*listName, root);
    } else if (const Path cameras = cameraFileOf(clean(location)); !cameras.empty()) {
        loadPosedPhotos(sample, cameras, object);
    } else {
        sample.renderingFolder = folderOfPath(clean(location));
    }
    bool numbered = false;
    if (!sample.photos) loadRows(sample, numbered);

    const bool inRendering = sample.renderingFolder.filename() == kRenderingName;
    const Path itemFolder = inRendering     ? sample.renderingFolder.parent_path()
                            : sample.photos ? projectOf(sample.renderingFolder)
                                            : sample.renderingFolder;
    sample.item = itemFolder.filename().string();
    if (inRendering && numbered) sample.category = itemFolder.parent_path().filename().string();

    std::optional<int> view;
    if (listName) view = sample.groundTruthView = listName->view;
    if (isTruth && listName)
        setTruth(sample, clean(location));
    else
        findGroundTruth(sample, view, truthRoot, itemFolder);
    if (truthSpace == TruthSpace::view) sample.groundTruthSpace = MeshSpace::view;
    if (truthSpace == TruthSpace::world) sample.groundTruthSpace = MeshSpace::world;
    if (truthSpace == TruthSpace::detect) sample.groundTruthSpace.reset();
    return sample;
}

std::vector<Path> sampleImages(const Path& location, const Path& imageRoot) {
    const Path cameras = location.empty() ? Path() : cameraFileOf(clean(location));
    if (cameras.empty()) return findSample(location, imageRoot).images;
    std::vector<Path> images;
    for (const Photo& photo : readCameraFile(cameras).photos) images.push_back(photo.image);
    return images;
}

std::vector<Path> listSamples(const Path& root) {
    std::vector<Path> items;
    walkDataSet(root, {}, [&](const DataSetSample& item) { items.push_back(item.folder); });
    return items;
}

std::size_t viewIndex(const Sample& sample, int view) {
    const std::size_t count = sample.viewCount();
    if (view < 0 || static_cast<std::size_t>(view) >= count)
        throw InputError(
            {sample.renderingFolder.string(), fmt::format("view {}", view),
             fmt::format("does not exist: the item has {} views, counted from 0", count),
             count == 0 ? "" : fmt::format("Choose from 0 to {}.", count - 1)});
    return static_cast<std::size_t>(view);
}

bool isUsableView(const Sample& sample, std::size_t view) {
    return !sample.images[view].empty() &&
           (!sample.photos || sample.photos->views[view].problem.empty());
}

NetworkInput loadViews(const Sample& sample, std::span<const int> views, const ViewReader& read) {
    const std::string subject = sample.renderingFolder.string();
    requireRunnable(subject, views.size());
    for (std::size_t i = 0; i < views.size(); ++i) {
        const int view = views[i];
        const std::string place = fmt::format("view {}", view);
        const std::size_t index = viewIndex(sample, view);
        if (std::ranges::count(views, view) > 1)
            throw InputError(
                {subject, place, "is chosen more than once", "Choose each view at most once."});
        if (sample.photos && !sample.photos->views[index].problem.empty())
            throw InputError({sample.photos->file.string(), place,
                              sample.photos->views[index].problem,
                              sample.photos->views[index].remedy});
        if (sample.images[index].empty())
            throw InputError({subject, place, "has a camera but no image",
                              "Choose another view, or add the missing image."});
    }
    NetworkInput input;
    for (int view : views) {
        const auto index = static_cast<std::size_t>(view);
        input.cameras.push_back(Camera::fromRow(sample.cameraRows[index]));
    }
    input.depthOffset = depthOffsetFor(input.cameras.front());
    requireDistinctCameras(subject, views, input.cameras);
    for (int view : views) {
        input.images.push_back(read(sample, view));
        if (!sample.photos)
            requireSquare(input.images.back(), sample.images[static_cast<std::size_t>(view)]);
    }
    return input;
}

Image asNetworkSees(const Sample& sample, int view, Image decoded, ViewResolution resolution) {
    const std::size_t index = viewIndex(sample, view);
    if (!sample.photos)
        return networkImage(sample.cameraRows[index], std::move(decoded), resolution);
    const PosedPhotos& photos = *sample.photos;
    return networkImage(photos.views[index], photos.frame.world, decoded, resolution);
}

ObjectView objectView(const Sample& sample, int view, Image decoded) {
    const std::size_t index = viewIndex(sample, view);
    if (!sample.photos) return objectView(sample.cameraRows[index], std::move(decoded));
    const PosedPhotos& photos = *sample.photos;
    return objectView(photos.views[index], photos.frame.world, std::move(decoded));
}

PictureMapping toPhotograph(const Sample& sample, int view, ImageSize size) {
    const std::size_t index = viewIndex(sample, view);
    if (!sample.photos) return toPhotograph(sample.cameraRows[index], size);
    return toPhotograph(sample.photos->views[index], sample.photos->frame.world);
}

Image photographMask(const Sample& sample, int view, ImageSize size, const Mask& mask) {
    const std::size_t index = viewIndex(sample, view);
    if (!sample.photos) return photographMask(sample.cameraRows[index], size, mask);
    const PosedPhotos& photos = *sample.photos;
    return photographMask(photos.views[index], photos.frame.world, mask);
}

std::filesystem::path maskFileOf(const Sample& sample, int view) {
    const std::size_t index = viewIndex(sample, view);
    const std::filesystem::path& photograph = sample.images[index];
    if (photograph.empty()) return {};
    return maskFileOf(photograph, sample.photos ? sample.photos->views[index].photo.mask : Path{});
}

Image readViewPhotograph(const Sample& sample, int view) {
    return readPhotograph(sample.images[viewIndex(sample, view)], maskFileOf(sample, view));
}

Image networkView(const Sample& sample, int view) {
    return asNetworkSees(sample, view, readViewPhotograph(sample, view));
}

std::string missingImages(const Sample& sample) {
    constexpr std::size_t kMaxNamed = 10;
    std::vector<std::string> names;
    std::size_t count = 0;
    for (std::size_t i = 0; i < sample.viewCount(); ++i) {
        if (!sample.images[i].empty() || ++count > kMaxNamed) continue;
        names.push_back(sample.photos
                            ? fmt::format("view {} ({})", i, sample.photos->views[i].photo.name)
                            : fmt::format("view {}", i));
    }
    if (count == 0) return {};
    if (count > kMaxNamed) names.push_back(fmt::format("and {} more", count - kMaxNamed));
    return fmt::format("{} of {} images {} missing: {}", count, sample.viewCount(),
                       count == 1 ? "is" : "are", fmt::join(names, ", "));
}

bool isInputOf(const Sample& sample, const std::filesystem::path& file) {
    const auto isSame = [&](const std::filesystem::path& input) {
        std::error_code error;
        return !input.empty() && std::filesystem::equivalent(input, file, error);
    };
    if (isSame(sample.groundTruth) || std::ranges::any_of(sample.images, isSame)) return true;
    for (int view = 0; view < static_cast<int>(sample.images.size()); ++view)
        if (!sample.images[static_cast<std::size_t>(view)].empty() &&
            isSame(maskFileOf(sample, view)))
            return true;
    return isSame(sample.photos ? sample.photos->file : metadataFileIn(sample.renderingFolder));
}

}  // namespace threefold
