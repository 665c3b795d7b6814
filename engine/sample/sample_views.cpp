#include "engine/sample/sample_views.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/views/foreground.h"

namespace threefold {
namespace {

/// Throws InputError unless the image is square, as the network's camera requires.
void requireSquare(const Image& image, const std::filesystem::path& file) {
    const int longer = std::max(image.width, image.height);
    // Tolerates up to one pixel of the network's input: a careless crop.
    if (std::int64_t{kInputSide} * std::abs(image.width - image.height) <= longer) return;
    throw InputError(
        {file.string(), "",
         fmt::format("is {} × {} pixels, expected a square: the network would see the "
                     "object stretched",
                     image.width, image.height),
         "Pad or crop it to a square around the point that its camera looks at, or give "
         "the camera as a matrix with its lens (docs/OWN_DATA.md)."});
}

/// Throws InputError for two cameras with the same centre. Such cameras are equal, since all look
/// at the origin, and their images contradict each other or are redundant.
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

/// The view's virtual camera; nullopt where the network sees the picture as it is.
std::optional<VirtualCamera> resamplingOf(const Sample& sample, int view, const Image& photo) {
    const std::size_t index = viewIndex(sample, view);
    const ImageSize size{photo.width, photo.height};
    if (sample.photos) requireLensSize(sample.photos->views[index], size);
    std::optional<VirtualCamera> camera = virtualCamera(sample, index, size);
    if (sample.photos && camera->isIdentity()) return std::nullopt;
    return camera;
}

}  // namespace

std::size_t viewIndex(const Sample& sample, int view) {
    const std::size_t count = sample.viewCount();
    if (view < 0 || static_cast<std::size_t>(view) >= count)
        throw InputError(
            {sample.folder.string(), fmt::format("view {}", view),
             fmt::format("does not exist: the sample has {} views, counted from 0", count),
             count == 0 ? "" : fmt::format("Choose from 0 to {}.", count - 1)});
    return static_cast<std::size_t>(view);
}

void requireViews(const Sample& sample, std::span<const int> views) {
    for (const int view : views) viewIndex(sample, view);
}

bool isUsableView(const Sample& sample, std::size_t view) {
    return !sample.images[view].empty() &&
           (!sample.photos || sample.photos->views[view].problem.empty());
}

std::optional<VirtualCamera> virtualCamera(const Sample& sample, std::size_t view, ImageSize size) {
    if (!sample.photos) return virtualCameraOfRow(sample.cameraRows[view], size);
    return virtualCameraOfPhoto(sample.photos->views[view],
                                sample.photos->frame.photosToObjectSpace);
}

Image networkImage(const Sample& sample, int view, Image photo, ViewResolution resolution) {
    const std::optional<VirtualCamera> camera = resamplingOf(sample, view, photo);
    return camera ? camera->resample(photo, resolution) : photo;
}

ObjectView objectView(const Sample& sample, int view, Image photo) {
    if (const std::optional<VirtualCamera> camera = resamplingOf(sample, view, photo))
        return camera->objectView(std::move(photo));
    std::optional<Mask> mask = foregroundOf(photo);
    return {std::move(photo), std::move(mask)};
}

PhotoMapping toPhoto(const Sample& sample, int view, ImageSize size) {
    const std::optional<VirtualCamera> camera =
        virtualCamera(sample, viewIndex(sample, view), size);
    return camera ? camera->toPhoto() : PhotoMapping();
}

Image photoMask(const Sample& sample, int view, ImageSize size, const Mask& mask) {
    const std::optional<VirtualCamera> camera =
        virtualCamera(sample, viewIndex(sample, view), size);
    return camera ? camera->photoMask(mask) : scaledMaskImage(size, mask);
}

std::filesystem::path maskFileOf(const Sample& sample, int view) {
    const std::size_t index = viewIndex(sample, view);
    const std::filesystem::path& photograph = sample.images[index];
    if (photograph.empty()) return {};
    return maskFileOf(photograph, sample.photos ? sample.photos->views[index].photo.mask
                                                : std::filesystem::path{});
}

Image readViewPhoto(const Sample& sample, int view) {
    return readPhotograph(sample.images[viewIndex(sample, view)], maskFileOf(sample, view));
}

Image readNetworkImage(const Sample& sample, int view) {
    return networkImage(sample, view, readViewPhoto(sample, view));
}

NetworkInput loadViews(const Sample& sample, std::span<const int> views, const ViewReader& read) {
    const std::string subject = sample.folder.string();
    requireViewCount(subject, views.size());
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

}  // namespace threefold
