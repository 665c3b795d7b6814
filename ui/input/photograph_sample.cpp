#include "ui/input/photograph_sample.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/sample/data_set.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/sample_views.h"
#include "engine/sample/view_files.h"
#include "ui/document/view_selection.h"
#include "ui/input/input_panel.h"

namespace threefold::ui {
namespace {

using Path = std::filesystem::path;

void check(const std::vector<Path>& images) {
    if (images.size() < kMinInputViews || images.size() > kMaxSamplePhotographs) {
        throw InputError({"own images", "", fmt::format("{} images given", images.size()),
                          fmt::format("Give {} to {} images of the same object.", kMinInputViews,
                                      kMaxSamplePhotographs)});
    }
    for (const Path& image : images) {
        std::error_code error;
        if (!isPictureName(image) || !std::filesystem::is_regular_file(image, error)) {
            throw InputError({image.string(), "", "is not an image that can be read",
                              fmt::format("Give {} files.", pictureFormatNames(" or "))});
        }
        if (image.parent_path() != images.front().parent_path()) {
            throw InputError({image.string(), "", "is in another folder than the first image",
                              "Put the images of one object into one folder."});
        }
    }
}

/// Evenly spread views, at most as many as the network takes.
std::vector<int> spread(const std::vector<int>& views) {
    const std::size_t count = std::min(views.size(), kMaxInputViews);
    std::vector<int> selected(count);
    for (std::size_t i = 0; i < count; ++i) selected[i] = views[i * views.size() / count];
    return selected;
}

/// Replaces the sample's views by those that the user chose; without a choice, keeps evenly spread
/// views.
void useViews(PhotographSample& result, const std::vector<int>& chosen) {
    requireViews(result.sample, chosen);
    result.views =
        chosen.empty() ? spread(result.views) : startingViews(chosen, result.sample.viewCount());
}

/// The sample of the images' folder, if it has all of `images`.
std::optional<PhotographSample> existingSample(const std::vector<Path>& images) {
    const Path folder = images.front().parent_path();
    if (metadataFileIn(folder).empty() && cameraFileIn(folder).empty()) return {};
    PhotographSample result;
    try {
        result.sample = findSample(images.front());
    } catch (const InputError&) {
        return {};  // the file describes other images
    }
    for (const Path& image : images) {
        const auto match =
            std::find(result.sample.images.begin(), result.sample.images.end(), image);
        if (match == result.sample.images.end()) return {};
        result.views.push_back(static_cast<int>(match - result.sample.images.begin()));
    }
    result.camerasKnown = true;
    return result;
}

}  // namespace

PhotographSample photographSample(const std::vector<Path>& given, const std::vector<int>& chosen) {
    std::vector<Path> images;
    images.reserve(given.size());
    for (const Path& image : given) images.push_back(absolutePath(image).lexically_normal());
    std::sort(images.begin(), images.end());
    images.erase(std::unique(images.begin(), images.end()), images.end());
    check(images);
    if (std::optional<PhotographSample> known = existingSample(images)) {
        useViews(*known, chosen);
        return *std::move(known);
    }

    PhotographSample result;
    Sample& sample = result.sample;
    sample.folder = images.front().parent_path();
    sample.id = sample.folder.filename().string();
    sample.images = images;
    // If the folder has no other images, takes the order in which matchViewFiles() assigns them to
    // the rows of a camera file.
    try {
        const ViewFiles files = matchViewFiles(sample.folder, images.size());
        const bool sameImages = std::is_permutation(files.images.begin(), files.images.end(),
                                                    images.begin(), images.end());
        if (sameImages) sample.images = files.images;
    } catch (const InputError&) {
        // The folder has other images: writeCameras() reports them.
    }
    for (std::size_t i = 0; i < images.size(); ++i) {
        const double fraction = static_cast<double>(i) / static_cast<double>(images.size());
        sample.cameraRows.push_back({.azimuth = 360 * fraction, .elevation = 25, .distance = 0.8});
        result.views.push_back(static_cast<int>(i));
    }
    useViews(result, chosen);
    return result;
}

std::vector<Path> photographsWithoutCameras(const Path& folder) {
    std::error_code unknown;
    if (!std::filesystem::is_directory(folder, unknown) || !renderingFolderIn(folder).empty() ||
        !cameraFileIn(folder).empty() || isDataSet(folder))
        return {};
    std::vector<Path> images = imagesIn(folder);
    return images.size() < kMinInputViews ? std::vector<Path>() : images;
}

bool hasCameraFile(const Sample& sample) {
    std::error_code error;
    return std::filesystem::exists(sample.folder / kMetadataName, error);
}

Path writeCameras(const Sample& sample) {
    Path file = sample.folder / kMetadataName;
    if (sample.photos) {
        throw InputError({sample.photos->file.string(), "",
                          "has cameras as matrices with lenses, which rows cannot hold",
                          "Save the session: it keeps your changes."});
    }
    std::vector<Path> images;
    try {
        images = matchViewFiles(sample.folder, sample.cameraRows.size()).images;
    } catch (const InputError&) {
        images.clear();
    }
    if (images != sample.images) {
        throw InputError({sample.folder.string(), "",
                          "has other images too, which would have no camera",
                          "Move these images to a separate folder and open them there."});
    }
    writeFileAtomically(file, formatRenderingMetadata(sample.cameraRows));
    return file;
}

std::vector<CameraRow> readCamerasFor(const Sample& sample, const Path& file) {
    std::vector<CameraRow> rows = readRenderingMetadata(file);
    if (rows.size() != sample.viewCount()) {
        throw InputError(
            {file.string(), "",
             fmt::format("has {} cameras for {} images", rows.size(), sample.viewCount()),
             "Give one row for each image, in the order of the images' names."});
    }
    return rows;
}

}  // namespace threefold::ui
