#include "engine/sample/posed_photos/posed_photos.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include "engine/error.h"
#include "engine/formats/pictures/image_info.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/views/network_input.h"

namespace threefold {
namespace {

constexpr const char* kSizeRemedy =
    "Use the photographs that the cameras were made for, or scale width, height and intrinsics.";

std::string sizeProblem(int width, int height, const Lens& lens) {
    return fmt::format("is {} × {} pixels, its camera is for {} × {}", width, height, lens.width,
                       lens.height);
}

CameraRow rowOf(const Photo& photo, const SimilarityTransform& photosToObjectSpace) {
    const glm::dvec3 position = photosToObjectSpace.apply(photo.pose.centre);
    CameraRow row;
    row.distance = glm::length(position);
    if (row.distance == 0) return {.distance = 1};  // unusable; examine() reports the reason
    row.elevation = glm::degrees(std::asin(std::clamp(position.y / row.distance, -1.0, 1.0)));
    glm::dvec2 horizontal(position.x, position.z);
    constexpr double kVertical = 1e-6;
    if (glm::length(horizontal) < kVertical * row.distance) {
        // Straight above or below, any azimuth fits: uses the azimuth that keeps the photograph's
        // up direction.
        const glm::dvec3 up =
            photosToObjectSpace.rotation * (glm::transpose(photo.pose.rotation)[1]);
        horizontal = glm::dvec2(up.x, up.z) * (position.y > 0 ? -1.0 : 1.0);
    }
    row.azimuth = glm::degrees(std::atan2(horizontal.y, horizontal.x));
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
        const ImageInfo head = readImageInfo(photo.image);
        const ImageSize size = head.size();
        if (photo.isMirrored)
            return refuse(fmt::format("its image {} is stored mirrored, by its EXIF, and its "
                                      "camera is of the stored pixels",
                                      photo.name),
                          "Save it as it should be seen, without an orientation.");
        if (size.width != photo.lens.width || size.height != photo.lens.height)
            return refuse(fmt::format("its image {} {}", photo.name,
                                      sizeProblem(size.width, size.height, photo.lens)),
                          kSizeRemedy);
    } catch (const Error& error) {
        return refuse(fmt::format("its image {} {}", photo.name, error.report().problem),
                      error.report().remedy);
    }
    const glm::dvec3 centre = photo.pose.toCamera(*frame.placement.centre);
    view.showsObject = false;
    if (centre.z >= 0)
        return refuse(fmt::format("the object's centre lies {:.3g} behind its camera", centre.z),
                      "Check the convention of the matrices, and the object's centre.");
    const auto pixel = LensProjection(photo.lens).project(centre);
    if (!pixel || !photo.lens.contains(*pixel))
        return refuse(pixel
                          ? fmt::format("the object's centre lies outside its photograph, at pixel "
                                        "({:.0f}, {:.0f}) of {} × {}",
                                        pixel->x, pixel->y, photo.lens.width, photo.lens.height)
                          : "the object's centre lies outside its photograph",
                      "Check its camera, and the object's centre.");
    view.showsObject = true;
}

/// Adds a note for each photograph that two views name with different cameras: at least one of the
/// cameras is wrong.
void noteSharedPhotographs(const std::vector<Photo>& photos, std::vector<std::string>& notes) {
    std::map<std::filesystem::path, std::size_t> known;
    for (std::size_t i = 0; i < photos.size(); ++i) {
        if (photos[i].image.empty()) continue;
        const auto [other, isNew] = known.emplace(photos[i].image, i);
        const Pose& pose = photos[i].pose;
        const Pose& first = photos[other->second].pose;
        if (isNew || (pose.centre == first.centre && pose.rotation == first.rotation)) continue;
        notes.push_back(fmt::format(
            "Views {} and {} are of one photograph, {}, with different cameras: at least one of "
            "these is wrong.",
            other->second, i, photos[i].name));
    }
}

/// Adds a note if the distortion of lenses folds within the picture: then no ray reaches a corner.
void noteFoldedLenses(const std::vector<Photo>& photos, std::vector<std::string>& notes) {
    const auto isFolded = [](const Photo& photo) {
        const Lens& lens = photo.lens;
        if (!lens.hasDistortion() || lens.width <= 0 || lens.height <= 0) return false;
        for (const double x : {0, lens.width})
            for (const double y : {0, lens.height})
                if (!directionThrough(lens, {x, y})) return true;
        return false;
    };
    const auto folded = std::ranges::count_if(photos, isFolded);
    if (folded > 0)
        notes.push_back(fmt::format(
            "The distortion of {} of {} lenses folds within the photograph: no ray leads to its "
            "corners. Check the distortion.",
            folded, photos.size()));
}

/// Adds a note that names the cameras within the sphere around the object's bounding box: these
/// stand in the box, or beside an object that is much longer than wide.
void noteCamerasInObject(const std::vector<Photo>& photos, ObjectFrame& frame) {
    constexpr std::size_t kNamed = 5;
    const double radius = *frame.placement.size / 2;
    std::vector<std::string> inside;
    for (std::size_t i = 0; i < photos.size(); ++i)
        if (glm::length(photos[i].pose.centre - *frame.placement.centre) < radius)
            inside.push_back(fmt::format("view {} ({})", i, photos[i].name));
    if (inside.empty()) return;
    const std::size_t further = inside.size() - std::min(inside.size(), kNamed);
    inside.resize(inside.size() - further);
    frame.notes.push_back(fmt::format(
        "The cameras of these views stand in the object, nearer to its centre than half its size "
        "{:.4g}: {}{}. Check them, and the object's centre and size (`object_centre`, "
        "`object_size`).",
        2 * radius, fmt::join(inside, ", "),
        further == 0 ? "" : fmt::format(" and {} more", further)));
}

}  // namespace

PosedPhotos readPosedPhotos(const std::filesystem::path& file, const ObjectPlacement& given) {
    CameraFile cameras = readCameraFile(file);
    ObjectPlacement object = given;
    if (!object.centre) object.centre = cameras.placement.centre;
    if (!object.size) object.size = cameras.placement.size;
    if (!object.up) object.up = cameras.placement.up;

    PosedPhotos posed;
    posed.file = file;
    posed.format = cameras.format;
    posed.frame = placeObjectOfFile(cameras.photos, object, file);
    std::ranges::move(cameras.notes, std::back_inserter(posed.frame.notes));
    posed.warnings = std::move(cameras.warnings);
    for (const std::string& warning : posed.warnings)
        posed.frame.notes.push_back("The cameras are uncertain: " + warning);
    if (cameras.rotatedCameraCount > 0)
        posed.frame.notes.push_back(fmt::format(
            "{} of {} cameras are of the pixels as stored, turned as EXIF turns the photographs",
            cameras.rotatedCameraCount, cameras.photos.size()));
    noteSharedPhotographs(cameras.photos, posed.frame.notes);
    noteFoldedLenses(cameras.photos, posed.frame.notes);
    noteCamerasInObject(cameras.photos, posed.frame);
    std::vector<std::filesystem::path> images;
    for (const Photo& photo : cameras.photos)
        if (photo.mask.empty()) images.push_back(photo.image);
    if (std::string note = unusedMasksText(images); !note.empty())
        posed.frame.notes.push_back(std::move(note));
    const PosedPhoto* firstUnusable = nullptr;
    std::size_t usableCount = 0;
    posed.views.reserve(cameras.photos.size());
    for (Photo& photo : cameras.photos) {
        PosedPhoto& view = posed.views.emplace_back();
        view.photo = std::move(photo);
        view.row = rowOf(view.photo, posed.frame.photosToObjectSpace);
        examine(view, posed.frame);
        usableCount += view.problem.empty() ? 1 : 0;
        if (!view.problem.empty() && firstUnusable == nullptr) firstUnusable = &view;
    }
    if (usableCount < kMinInputViews)
        throw InputError(
            {file.string(), fmt::format("view {}", firstUnusable - posed.views.data()),
             fmt::format("{}; of {} views {} can be used, at least {} are needed",
                         firstUnusable->problem, posed.views.size(), usableCount, kMinInputViews),
             firstUnusable->remedy});
    return posed;
}

VirtualCamera virtualCameraOfPhoto(const PosedPhoto& view,
                                   const SimilarityTransform& photosToObjectSpace) {
    const Camera camera = Camera::fromRow(view.row);
    const glm::dmat3 rotation = view.photo.pose.rotation *
                                glm::transpose(photosToObjectSpace.rotation) *
                                glm::transpose(camera.rotation);
    return {view.photo.lens, rotation, camera.zoom};
}

void requireLensSize(const PosedPhoto& view, ImageSize photograph) {
    const Lens& lens = view.photo.lens;
    if (photograph.width != lens.width || photograph.height != lens.height)
        throw InputError({view.photo.image.string(), "",
                          sizeProblem(photograph.width, photograph.height, lens), kSizeRemedy});
}

}  // namespace threefold
