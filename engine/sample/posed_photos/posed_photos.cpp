#include "engine/sample/posed_photos/posed_photos.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/error.h"
#include "engine/formats/pictures/image.h"
#include "engine/views/network_input.h"

namespace threefold {
namespace {

constexpr const char* kSizeRemedy =
    "Use the photographs that the cameras were made for, or scale width, height and intrinsics.";

std::string sizeProblem(int width, int height, const Lens& lens) {
    return fmt::format("is {} × {} pixels, its camera is for {} × {}", width, height, lens.width,
                       lens.height);
}

CameraRow rowOf(const Photo& photo, const Similarity& world) {
    constexpr double kDegrees = 180 / std::numbers::pi;
    const glm::dvec3 at = world.toObject(photo.camera.origin);
    CameraRow row;
    row.distance = glm::length(at);
    if (row.distance == 0) return {0, 0, 0, 1, 25};  // unusable; examine() says why
    row.elevation = std::asin(std::clamp(at.y / row.distance, -1.0, 1.0)) * kDegrees;
    glm::dvec2 around(at.x, at.z);
    constexpr double kAbove = 1e-6;
    if (glm::length(around) < kAbove * row.distance) {
        // Straight above or below, any azimuth fits: use the one that keeps the photograph's up.
        const glm::dvec3 up = world.rotation * (glm::transpose(photo.camera.rotation)[1]);
        around = glm::dvec2(up.x, up.z) * (at.y > 0 ? -1.0 : 1.0);
    }
    row.azimuth = std::atan2(around.y, around.x) * kDegrees;
    return row;
}

void examine(PosedPhoto& view, const ObjectFrame& frame) {
    const Photo& photo = view.photo;
    const auto refuse = [&](std::string problem, std::string remedy) {
        view.problem = std::move(problem);
        view.remedy = std::move(remedy);
    };
    if (photo.image.empty())
        return refuse(fmt::format("its image '{}' was not found", photo.name),
                      "Put it where the file says (COLMAP: in the folder images), choose other "
                      "views, or remove it from the file.");
    try {
        const ImageSize size = readImageSize(photo.image);
        if (size.width != photo.lens.width || size.height != photo.lens.height)
            return refuse(fmt::format("its image {} {}", photo.name,
                                      sizeProblem(size.width, size.height, photo.lens)),
                          kSizeRemedy);
    } catch (const Error& error) {
        return refuse(fmt::format("its image {} {}", photo.name, error.report().problem),
                      error.report().remedy);
    }
    const glm::dvec3 centre = photo.camera.toView(*frame.place.centre);
    view.showsObject = false;
    if (centre.z >= 0)
        return refuse(fmt::format("the object's centre lies {:.3g} behind its camera", centre.z),
                      "Check the convention of the matrices, and the object's centre.");
    const auto pixel = LensProjection(photo.lens).pixelOf(centre);
    if (!pixel || !photo.lens.holds(*pixel))
        return refuse(pixel
                          ? fmt::format("the object's centre lies outside its photograph, at pixel "
                                        "({:.0f}, {:.0f}) of {} × {}",
                                        pixel->x, pixel->y, photo.lens.width, photo.lens.height)
                          : "the object's centre lies outside its photograph",
                      "Check its camera, and the object's centre.");
    view.showsObject = true;
}

}  // namespace

PosedPhotos readPosedPhotos(const std::filesystem::path& file, const ObjectPlace& given,
                            const std::function<Image(const std::filesystem::path&)>& read) {
    CameraFile cameras = readCameraFile(file);
    ObjectPlace place = given;
    if (!place.centre) place.centre = cameras.place.centre;
    if (!place.size) place.size = cameras.place.size;
    if (!place.up) place.up = cameras.place.up;

    PosedPhotos posed;
    posed.file = file;
    posed.format = cameras.format;
    posed.given = given;
    posed.frame = placeObject(cameras.photos, place, file, read);
    const PosedPhoto* firstBad = nullptr;
    std::size_t usable = 0;
    posed.views.reserve(cameras.photos.size());
    for (Photo& photo : cameras.photos) {
        PosedPhoto& view = posed.views.emplace_back();
        view.photo = std::move(photo);
        view.row = rowOf(view.photo, posed.frame.world);
        examine(view, posed.frame);
        usable += view.problem.empty() ? 1 : 0;
        if (!view.problem.empty() && firstBad == nullptr) firstBad = &view;
    }
    if (usable < kFewestViews)
        throw InputError({file.string(), fmt::format("view {}", firstBad - posed.views.data()),
                          fmt::format("{}; of {} views {} can be used, at least {} are needed",
                                      firstBad->problem, posed.views.size(), usable, kFewestViews),
                          firstBad->remedy});
    return posed;
}

}  // namespace threefold
