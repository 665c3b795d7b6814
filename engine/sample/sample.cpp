#include "engine/sample/sample.h"

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <utility>

#include <fmt/ranges.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/sample/data_set.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/sample_name.h"
#include "engine/sample/sample_views.h"
#include "engine/sample/view_files.h"
#include "engine/text.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

constexpr const char* kLocationRemedy =
    "Give a sample's folder, one of its images, or a test-list name.";
constexpr const char* kAccessRemedy = "Check the path and its permissions.";

/// Absolute path without ".", ".." and a trailing slash, so that all its folders have names.
Path clean(const Path& path) {
    Path absolute = absolutePath(path).lexically_normal();
    return absolute.has_filename() ? absolute : absolute.parent_path();
}

/// Converts a Windows path to slashes.
Path withSlashes(const Path& location) {
    std::string text = location.string();
    std::ranges::replace(text, '\\', '/');
    return text;
}

/// Sample folder given relative to the image root: "03001627/p0001"; empty if there is none.
Path belowRoot(const Path& location, const Path& imageRoot) {
    if (imageRoot.empty() || location.is_absolute()) return {};
    for (const Path& root : {imageRoot, imageRoot / kShapeNetRenderingFolder})
        if (isFolder(root / location)) return root / location;
    return {};
}

/// Project folder of a camera file: skips the generic folder names of COLMAP workspaces.
Path projectOf(Path folder) {
    constexpr std::string_view kGenericNames[] = {"sparse",      "colmap", "dense",
                                                  "undistorted", "images", "cams"};
    const auto isNumber = [](const Path& name) {
        return parseNumber<unsigned>(name.string()).has_value();
    };
    if (isNumber(folder.filename()) && folder.parent_path().filename() == "sparse")
        folder = folder.parent_path();
    while (folder.parent_path().has_filename() &&
           std::ranges::find(kGenericNames, folder.filename().string()) != std::end(kGenericNames))
        folder = folder.parent_path();
    return folder;
}

Path folderOfListName(const SampleName& name, const Path& imageRoot) {
    for (const Path& root : {imageRoot, imageRoot / kShapeNetRenderingFolder}) {
        const Path folder = renderingFolderIn(root / name.category / name.id);
        if (!folder.empty()) return clean(folder);
    }
    throw InputError({imageRoot.string(), "",
                      fmt::format("holds no {}/{}/{}/{}", name.category, name.id, kRenderingFolder,
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
    sample.folder = file.parent_path();
    sample.photos = std::move(photos);
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
    if (isFolder(folder) && std::filesystem::is_empty(folder, error) && !error)
        throw InputError({folder.string(), "", "is empty: no photographs and no camera file here",
                          "Give a folder of photographs, or a sample's folder."});
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
    if (file.filename() != kDemoMetadataName) throw;
    const ErrorReport& report = error.report();
    throw FormatError(
        {report.subject, report.place, report.problem,
         "Write a row of five numbers for each image, as in rendering_metadata.txt; or, "
         "if the file is COLMAP's, put its images.txt beside it."});
}

/// Loads camera rows and images. Returns whether images belong to rows by number, as in ShapeNet's
/// layout.
bool loadRows(Sample& sample) {
    sample.cameraRows = readRows(metadataFileIn(sample.folder));
    ViewFiles files = matchViewFiles(sample.folder, sample.cameraRows.size());
    sample.images = std::move(files.images);
    const auto present =
        std::ranges::count_if(sample.images, [](const Path& image) { return !image.empty(); });
    requireMinViews(sample.folder.string(), static_cast<std::size_t>(present), "image");
    return files.isNumbered;
}

/// The coordinate space of a sample's truth; nullopt: detected from its points.
std::optional<MeshSpace> resolvedTruthSpace(const Sample& sample, const Path& file,
                                            TruthSpaceChoice space) {
    switch (space) {
        case TruthSpaceChoice::camera:
            return MeshSpace::camera;
        case TruthSpaceChoice::world:
            return MeshSpace::world;
        case TruthSpaceChoice::detected:
            return std::nullopt;
        case TruthSpaceChoice::byFormat:
            break;
    }
    return sample.photos ? std::optional(MeshSpace::world) : defaultSpaceOfFormat(file);
}

/// Finds the truth of `view` or, if nullopt, of the lowest view that has one.
std::optional<TruthFile> findGroundTruth(const Sample& sample, std::optional<int> view,
                                         const Path& truthRoot, const Path& sampleFolder) {
    const Path dataSet = sample.category.empty() ? sampleFolder.parent_path()
                                                 : sampleFolder.parent_path().parent_path();
    // If the user gave a folder of truths, searches only there: another truth would mislead
    // silently.
    const std::vector<Path> folders =
        truthRoot.empty() ? std::vector{dataSet.parent_path() / "gt", dataSet / "gt"}
                          : std::vector{clean(truthRoot), clean(truthRoot) / "gt"};
    for (const Path& folder : folders)
        if (auto match = findTruthFile(folder, sample.category, sample.id, view)) return match;
    return std::nullopt;
}

/// Location of a sample: something that exists, or a name in a data set.
struct SampleLocation {
    /// As given, with slashes; a path relative to the images' root is already appended to the root.
    Path path;
    /// Name from a truth file, which need not exist, or from a list.
    std::optional<SampleName> name;
    bool isTruth = false;  ///< `path` is a truth file that exists
};

/// Locates a sample. Throws InputError (not found; a name without `imageRoot`), IoError
/// (unreadable).
SampleLocation locate(const Path& given, const Path& imageRoot) {
    if (given.empty()) throw InputError({"sample", "", "no location given", kLocationRemedy});
    std::error_code error;
    if (std::filesystem::exists(given, error)) {
        if (!isFile(given) || !isTruthExtension(given.extension())) return {given, {}, false};
        return {given, parseTruthName(given.filename()), true};
    }
    if (given.string().find('\\') != std::string::npos)
        return locate(withSlashes(given), imageRoot);
    if (std::optional<SampleName> name = parseSampleName(given)) {
        if (!imageRoot.empty()) return {given, std::move(name), false};
        throw InputError({given.string(), "", "no such sample",
                          "A test-list name needs the root folder of the images: give "
                          "the ShapeNetRendering folder (`images`)."});
    }
    if (const Path folder = belowRoot(given, imageRoot); !folder.empty())
        return locate(folder, imageRoot);
    if (error) throwIoError(given, "cannot be opened", error.value(), kAccessRemedy);
    throw InputError({given.string(), "", "no such sample", kLocationRemedy});
}

/// Loads images and cameras. Returns whether the sample is in ShapeNet's layout, where images are
/// numbered.
bool loadViewsOf(const SampleLocation& location, const SampleQuery& query, Sample& sample) {
    const Path path = clean(location.path);
    if (location.name) {
        const Path root =
            query.imageRoot.empty() ? path.parent_path().parent_path() : query.imageRoot;
        sample.folder = folderOfListName(*location.name, root);
    } else if (const Path cameras = cameraFileOf(path); !cameras.empty()) {
        loadPosedPhotos(sample, cameras, query.placement);
        return false;
    } else {
        sample.folder = folderOfPath(path);
    }
    return loadRows(sample);
}

}  // namespace

void setTruth(Sample& sample, const Path& file, TruthSpaceChoice space) {
    sample.truth = {file, resolvedTruthSpace(sample, file, space)};
}

int truthViewOf(const Path& file, int otherwise) {
    const auto name = parseTruthName(file.filename());
    return name ? name->view : otherwise;
}

std::string Sample::name() const {
    return category.empty() ? id : fmt::format("{}_{}_{:02}", category, id, truthView);
}

Sample findSample(const Path& location) {
    return findSample(SampleQuery{.location = location});
}

Sample findSample(const SampleQuery& query) {
    const SampleLocation location = locate(query.location, query.imageRoot);
    Sample sample;
    const bool numbered = loadViewsOf(location, query, sample);

    const bool inRendering = sample.folder.filename() == kRenderingFolder;
    const Path sampleFolder = inRendering     ? sample.folder.parent_path()
                              : sample.photos ? projectOf(sample.folder)
                                              : sample.folder;
    sample.id = sampleFolder.filename().string();
    if (inRendering && numbered) sample.category = sampleFolder.parent_path().filename().string();

    std::optional<int> view;
    if (location.name) view = sample.truthView = location.name->view;
    if (location.isTruth && location.name) {
        setTruth(sample, clean(location.path), query.truthSpace);
    } else if (const auto truth = findGroundTruth(sample, view, query.truthRoot, sampleFolder)) {
        setTruth(sample, truth->file, query.truthSpace);
        sample.truthView = truth->view;
    }
    return sample;
}

std::vector<Path> sampleImages(const Path& location, const Path& imageRoot) {
    const Path cameras = location.empty() ? Path() : cameraFileOf(clean(location));
    if (cameras.empty()) return findSample({.location = location, .imageRoot = imageRoot}).images;
    std::vector<Path> images;
    for (const Photo& photo : readCameraFile(cameras).photos) images.push_back(photo.image);
    return images;
}

std::vector<Path> listSamples(const Path& root) {
    std::vector<Path> folders;
    walkDataSet(root, {}, [&](const DataSetSample& sample) { folders.push_back(sample.folder); });
    return folders;
}

std::string missingImagesText(const Sample& sample) {
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
    if (isSame(sample.truthFile()) || std::ranges::any_of(sample.images, isSame)) return true;
    for (int view = 0; view < static_cast<int>(sample.images.size()); ++view)
        if (!sample.images[static_cast<std::size_t>(view)].empty() &&
            isSame(maskFileOf(sample, view)))
            return true;
    return isSame(sample.photos ? sample.photos->file : metadataFileIn(sample.folder));
}

}  // namespace threefold
