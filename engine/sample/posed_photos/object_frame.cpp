#include "engine/sample/posed_photos/object_frame.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/vector_relational.hpp>

#include "engine/error.h"
#include "engine/mesh.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/sample/posed_photos/ray_consistency.h"
#include "engine/sample/posed_photos/up_direction.h"
#include "engine/silhouettes/hull_box.h"
#include "engine/views/camera.h"

namespace threefold {
namespace {

/// Minimum number of masks for the visual hull; fewer masks bound the object too loosely.
constexpr std::size_t kMinHullMasks = 6;
/// Ratio of the object's size (diagonal of its bounding box, as in ShapeNet) to the diagonal of the
/// hull's box. With this ratio, sizes of the bundled samples, seen from 12 sides, are right to 5 %.
constexpr double kBoxOverHull = 0.93;
/// Ratio of the object's size (diagonal of its bounding box, as in ShapeNet) to the diagonal of a
/// silhouette's box at the object's distance. Measured ratios: 0.84 (table) to 1.36 (plane).
constexpr double kBoxOverSilhouette = 1.0;

/// Formats a point; components below a millionth of `unit` become 0.
std::string pointText(glm::dvec3 p, double unit) {
    constexpr double kSmall = 1e-6;
    for (int i = 0; i < 3; ++i)
        if (std::abs(p[i]) < kSmall * unit) p[i] = 0;
    return fmt::format("({:.4g}, {:.4g}, {:.4g})", p.x, p.y, p.z);
}

Ray rayOf(const Photo& photo, glm::dvec3 directionInCamera) {
    return {photo.pose.centre, glm::transpose(photo.pose.rotation) * directionInCamera};
}

Ray opticalAxis(const Photo& photo) {
    return rayOf(photo, {0, 0, -1});
}

/// Smallest rotation from `up` to +y.
glm::dmat3 rotationToY(glm::dvec3 up) {
    const glm::dvec3 y(0, 1, 0);
    const double cosine = glm::dot(up, y);
    const glm::dvec3 axis = glm::cross(up, y);
    if (cosine < -1 + 1e-12)
        return {glm::dvec3(1, 0, 0), glm::dvec3(0, -1, 0), glm::dvec3(0, 0, -1)};
    const glm::dmat3 skew(glm::dvec3(0, axis.z, -axis.y), glm::dvec3(-axis.z, 0, axis.x),
                          glm::dvec3(axis.y, -axis.x, 0));
    return glm::dmat3(1.0) + skew + skew * skew / (1 + cosine);
}

/// A file's cameras, and how to refuse them. Holds references only: the caller owns the values.
struct FileCameras {
    std::span<const Photo> photos;
    const std::filesystem::path& file;  ///< subject of errors

    [[noreturn]] void refuse(const std::string& place, std::string problem,
                             std::string remedy) const {
        throw InputError({file.string(), place, std::move(problem), std::move(remedy)});
    }
    /// Length unit for pointText(): distance from the first camera to a point.
    double unitAt(glm::dvec3 point) const {
        return glm::length(point - photos.front().pose.centre);
    }
};

/// An estimated value, with a sentence on the estimate.
template <class Value>
struct Estimate {
    Value value;
    std::string note;
};

/// Throws InputError for given values whose squares and products would overflow, and for a size, or
/// a length of the up vector, below 1e-9.
void requireUsablePlacement(const ObjectPlacement& given, const FileCameras& cameras) {
    constexpr double kMinLength = 1e-9;
    const auto within = [](double value) { return std::abs(value) <= kMaxWorldCoordinate; };
    if (given.centre &&
        !(within(given.centre->x) && within(given.centre->y) && within(given.centre->z)))
        cameras.refuse("object_centre", fmt::format("is beyond {:g}", kMaxWorldCoordinate),
                       "Correct it.");
    if (given.size && !(*given.size >= kMinLength && *given.size <= kMaxWorldCoordinate))
        cameras.refuse("object_size",
                       fmt::format("is {:g}, expected {:g} to {:g}", *given.size, kMinLength,
                                   kMaxWorldCoordinate),
                       "Give the diagonal of the object's bounding box.");
    const double upLength = given.up ? glm::length(*given.up) : 1.0;
    if (!(upLength >= kMinLength && upLength <= kMaxWorldCoordinate))
        cameras.refuse("up", fmt::format("has the length {:g}", upLength),
                       "Give it with length 1.");
}

/// Throws InputError if all cameras stand at one point.
void requireApart(const FileCameras& cameras) {
    const Photo& front = cameras.photos.front();
    const glm::dvec3 first = front.pose.centre;
    double maxDistance = 0;
    double maxNorm = glm::length(first);
    bool rotationsDiffer = false;
    for (const Photo& photo : cameras.photos) {
        maxDistance = std::max(maxDistance, glm::length(photo.pose.centre - first));
        maxNorm = std::max(maxNorm, glm::length(photo.pose.centre));
        rotationsDiffer = rotationsDiffer || photo.pose.rotation != front.pose.rotation;
    }
    constexpr double kRounding = 1e-9;
    if (maxDistance > kRounding * maxNorm) return;
    cameras.refuse("",
                   fmt::format("all {} cameras stand at one point{}", cameras.photos.size(),
                               rotationsDiffer ? "" : " and look the same way: they are equal"),
                   "Give each photograph its own camera, from another side of the object.");
}

/// Throws InputError if the cameras' up vectors cancel out.
Estimate<glm::dvec3> estimateUpDirection(const FileCameras& cameras) {
    const std::optional<UpDirection> estimate = estimateUp(cameras.photos);
    if (!estimate)
        cameras.refuse("",
                       "the up direction cannot be determined: the cameras' up vectors cancel out",
                       "Give it (`object_up`).");
    return {estimate->up,
            fmt::format("Up is {}, {}.", pointText(estimate->up, 1), estimate->reason)};
}

/// Rays of photographs towards the object.
struct ObjectRays {
    std::vector<Ray> rays;
    std::vector<std::size_t> photoOf;  ///< photograph of each ray
    bool fromMasks = false;  ///< the rays go through masks' centres; else they are optical axes

    const char* name() const {
        return fromMasks ? "rays through the centres of the masks" : "optical axes";
    }
};

ObjectRays raysTowards(std::span<const PhotoForeground> foregrounds,
                       std::span<const Photo> photos) {
    ObjectRays found;
    for (const auto& [index, foreground] : foregrounds) {
        const std::optional<glm::dvec3> direction =
            directionThrough(photos[index].lens, foreground.box.centre());
        if (!direction) continue;
        found.rays.push_back(rayOf(photos[index], *direction));
        found.photoOf.push_back(index);
    }
    found.fromMasks = !found.rays.empty();
    if (!found.fromMasks)
        for (std::size_t i = 0; i < photos.size(); ++i) {
            found.rays.push_back(opticalAxis(photos[i]));
            found.photoOf.push_back(i);
        }
    return found;
}

/// Throws InputError if the rays through the masks do not meet at `point` although the cameras are
/// right. The cameras are right if the rays through three quarters of the masks or more meet at a
/// point at which the cameras of the left-out masks look too (the error then names the left-out
/// masks), or if the optical axes of all cameras meet.
void refuseWrongMasks(const ObjectRays& towards, glm::dvec3 point, const FileCameras& cameras) {
    constexpr const char* kRemedy =
        "Look at these masks, and correct them or remove the photographs; or give the object's "
        "centre (`object_centre`).";
    const std::vector<Ray>& rays = towards.rays;
    const auto photoOf = [&](std::size_t ray) -> const Photo& {
        return cameras.photos[towards.photoOf[ray]];
    };
    if (allRaysMeet(rays, point)) return;
    const std::optional<RayOutliers> outliers = findOutlierRays(rays);
    const auto looksThere = [&](std::size_t ray) {
        constexpr double kNearer = 0.5;
        return rayResidual(opticalAxis(photoOf(ray)), outliers->point) <
               kNearer * rayResidual(rays[ray], outliers->point);
    };
    if (outliers && std::ranges::all_of(outliers->rays, looksThere)) {
        std::vector<std::string> names;
        for (const std::size_t ray : outliers->rays) names.push_back(photoOf(ray).name);
        const bool isOne = names.size() == 1;
        cameras.refuse(
            "",
            fmt::format("the mask{} of {} {} not where the other {} masks show the object, "
                        "at {}",
                        isOne ? "" : "s", fmt::join(names, ", "), isOne ? "is" : "are",
                        rays.size() - names.size(),
                        pointText(outliers->point, cameras.unitAt(outliers->point))),
            kRemedy);
    }
    std::vector<Ray> axes;
    for (const Photo& photo : cameras.photos) axes.push_back(opticalAxis(photo));
    const std::optional<glm::dvec3> target = triangulate(axes);
    if (target && allRaysMeet(axes, *target))
        cameras.refuse("",
                       fmt::format("the masks do not show one object, although all cameras look at "
                                   "{}: the rays through the masks' centres do not meet",
                                   pointText(*target, cameras.unitAt(*target))),
                       kRemedy);
}

/// Throws InputError unless the rays meet near `point`, in front of their cameras. Returns the
/// largest residual.
double requireMeeting(const ObjectRays& towards, glm::dvec3 point, const FileCameras& cameras) {
    constexpr const char* kConventions =
        "Check the convention (transforms.json is camera to world, looking along −z), or give "
        "the object's centre (`object_centre`).";
    const RayAgreement agreement = rayAgreementOf(towards.rays, point);
    if (agreement.behindCount > 0)
        cameras.refuse(
            "",
            fmt::format("the {} come nearest to each other at {}, which is behind {} of {} "
                        "cameras",
                        towards.name(), pointText(point, cameras.unitAt(point)),
                        agreement.behindCount, towards.rays.size()),
            kConventions);
    if (agreement.worstResidual > kMaxRayResidual) {
        const std::size_t view = towards.photoOf[agreement.worstRay];
        const Photo& photo = cameras.photos[view];
        const double distance = glm::length(point - photo.pose.centre);
        cameras.refuse(
            fmt::format("view {} ({})", view, photo.name),
            fmt::format("the cameras do not look at one object: the {} come nearest to each "
                        "other at {}, and this view's misses it by {:.3g} at a distance of "
                        "{:.3g}; at most {:.0f} % are allowed",
                        towards.name(), pointText(point, distance),
                        agreement.worstResidual * distance, distance, 100 * kMaxRayResidual),
            kConventions);
    }
    return agreement.worstResidual;
}

/// The point nearest to the rays towards the object.
Estimate<glm::dvec3> estimateCentre(std::span<const PhotoForeground> foregrounds,
                                    const FileCameras& cameras) {
    const ObjectRays towards = raysTowards(foregrounds, cameras.photos);
    const std::optional<glm::dvec3> point = triangulate(towards.rays);
    if (!point)
        cameras.refuse(
            "",
            fmt::format("the {} are parallel: the object's position cannot be determined",
                        towards.name()),
            "Take photographs from several sides, or give the object's centre "
            "(`object_centre`).");
    if (towards.fromMasks) refuseWrongMasks(towards, *point, cameras);
    const double worst = requireMeeting(towards, *point, cameras);
    return {
        *point,
        fmt::format("The object's centre {} is where the {} {} come nearest to each other; they "
                    "miss it by {:.1f} % of the distance at most.",
                    pointText(*point, cameras.unitAt(*point)), towards.rays.size(), towards.name(),
                    100 * worst)};
}

/// Mean diagonal of the masks' boxes at the object's distance.
double silhouetteDiagonal(std::span<const PhotoForeground> foregrounds,
                          std::span<const Photo> photos, glm::dvec3 centre) {
    double sum = 0;
    for (const auto& [index, foreground] : foregrounds) {
        const Photo& photo = photos[index];
        const double depth = -photo.pose.toCamera(centre).z;
        const double width = (foreground.box.max.x - foreground.box.min.x) / photo.lens.focalX;
        const double height = (foreground.box.max.y - foreground.box.min.y) / photo.lens.focalY;
        sum += std::max(depth, 0.0) * std::hypot(width, height);
    }
    return sum / static_cast<double>(foregrounds.size());
}

/// Bounds the visual hull within a cube that extends `half` to each side of `centre`, in the axes
/// of rotationToY(up). With eight views, the box is at most a tenth too large. nullopt if the hull
/// is empty in the cube, or the box reaches a side of the cube.
std::optional<Box3d> boxOfHull(std::span<const PhotoForeground> foregrounds,
                               std::span<const Photo> photos, glm::dvec3 centre, glm::dvec3 up,
                               double half) {
    constexpr int kCells = 80;
    std::vector<PosedMask> masks;
    for (const auto& [index, foreground] : foregrounds)
        masks.push_back({photos[index].pose, photos[index].lens, foreground.mask,
                         foreground.isWhole(photos[index].lens)});
    const glm::dmat3 axes = rotationToY(up);
    const glm::dvec3 centreInAxes = axes * centre;
    const Box3d cube{centreInAxes - half, centreInAxes + half};
    const Box3d box = hullBox(silhouetteQueries(masks), cube, kCells, axes);
    const double cell = 2 * half / kCells;
    const bool reachesSide = glm::any(glm::lessThan(box.min, cube.min + cell / 2)) ||
                             glm::any(glm::greaterThan(box.max, cube.max - cell / 2));
    if (box.isEmpty() || reachesSide) return std::nullopt;
    return box;
}

/// The size without a hull: from the masks, or else from the cameras' mean distance.
Estimate<double> estimateSize(std::span<const PhotoForeground> foregrounds, glm::dvec3 centre,
                              const FileCameras& cameras) {
    if (foregrounds.empty()) {
        double distance = 0;
        for (const Photo& photo : cameras.photos)
            distance += glm::length(photo.pose.centre - centre);
        distance /= static_cast<double>(cameras.photos.size());
        const double size = distance * kObjectDiagonal / kDefaultDistance;
        return {size,
                fmt::format(
                    "No photograph has a transparent or white background: the object's size "
                    "is assumed to be {:.4g}, as if it filled its photographs as ShapeNet's do. "
                    "Give it where that is wrong (`object_size`).",
                    size)};
    }
    const double silhouette = silhouetteDiagonal(foregrounds, cameras.photos, centre);
    if (!(silhouette > 0))
        cameras.refuse("", "the object's centre lies behind the cameras that show it",
                       "Correct the object's centre (`object_centre`).");
    const double size = kBoxOverSilhouette * silhouette;
    return {size,
            fmt::format("The object's size {:.4g} (diagonal of its box) is a guess from the masks "
                        "of {} photographs, right to a third; with {} and more it is measured. "
                        "Give it where it is known (`object_size`).",
                        size, foregrounds.size(), kMinHullMasks)};
}

/// Centre and size of the object, from the box around the visual hull. Both nullopt: too few masks,
/// an object behind the cameras, or, with a note, masks that do not bound the object.
struct HullEstimates {
    std::optional<Estimate<glm::dvec3>> centre = {};
    std::optional<Estimate<double>> size = {};
    std::string note = {};
};

/// Measures the hull around `centre`, which need not be exact.
HullEstimates estimateFromHull(std::span<const PhotoForeground> foregrounds, glm::dvec3 centre,
                               glm::dvec3 up, const FileCameras& cameras) {
    constexpr double kHalfSide = 0.8;
    if (foregrounds.size() < kMinHullMasks) return {};
    const double half = kHalfSide * silhouetteDiagonal(foregrounds, cameras.photos, centre);
    if (!(half > 0)) return {};
    const std::optional<Box3d> box = boxOfHull(foregrounds, cameras.photos, centre, up, half);
    if (!box)
        return {.note =
                    "The masks do not bound the object together: check the cameras, and that "
                    "the object lies wholly within its photographs."};
    const glm::dvec3 hullCentre = glm::transpose(rotationToY(up)) * box->centre();
    const double size = kBoxOverHull * box->diagonal();
    Estimate<glm::dvec3> ofCentre{
        hullCentre,
        fmt::format(
            "The object's centre {} is the centre of the box around the visual hull of {} masks.",
            pointText(hullCentre, cameras.unitAt(hullCentre)), foregrounds.size())};
    Estimate<double> ofSize{size, fmt::format("The object's size {:.4g} is estimated from the box "
                                              "around the visual hull of {} masks.",
                                              size, foregrounds.size())};
    return {.centre = std::move(ofCentre), .size = std::move(ofSize)};
}

/// Pose whose camera-to-world matrix, in OpenGL's or OpenCV's axes, is the inverse of the given
/// pose's matrix in OpenGL's axes.
Pose inverted(const Pose& pose, CameraAxes axes) {
    Pose result;
    result.rotation = glm::transpose(pose.rotation);
    result.centre = -(pose.rotation * pose.centre);
    if (axes == CameraAxes::opencv) result.rotation = kFlippedAxes * result.rotation;
    return result;
}

/// Whether an object can be placed by the cameras alone, without masks.
bool looksAtOneObject(std::span<const Photo> photos, const ObjectPlacement& given,
                      const std::filesystem::path& file) {
    try {
        static_cast<void>(placeObject(photos, {}, given, file));
        return true;
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace

ObjectFrame placeObject(std::span<const Photo> photos, std::span<const PhotoForeground> foregrounds,
                        const ObjectPlacement& given, const std::filesystem::path& file) {
    const FileCameras cameras{photos, file};
    requireUsablePlacement(given, cameras);
    requireApart(cameras);
    ObjectFrame frame;
    const auto adopt = [&](auto& value, auto estimate) {
        value = estimate.value;
        frame.notes.push_back(std::move(estimate.note));
    };
    ObjectPlacement& placement = frame.placement;
    placement = given;
    if (!given.up) adopt(placement.up, estimateUpDirection(cameras));
    placement.up = glm::normalize(*placement.up);
    if (!given.centre || !given.size) {
        std::optional<Estimate<glm::dvec3>> ofRays;
        if (!given.centre) ofRays = estimateCentre(foregrounds, cameras);
        HullEstimates ofHull = estimateFromHull(foregrounds, ofRays ? ofRays->value : *given.centre,
                                                *placement.up, cameras);
        if (!ofHull.note.empty()) frame.notes.push_back(std::move(ofHull.note));
        if (ofRays) adopt(placement.centre, ofHull.centre ? *ofHull.centre : *ofRays);
        if (!given.size)
            adopt(placement.size, ofHull.size
                                      ? *ofHull.size
                                      : estimateSize(foregrounds, *placement.centre, cameras));
    }
    frame.photosToObjectSpace.sourceOrigin = *placement.centre;
    frame.photosToObjectSpace.rotation = rotationToY(*placement.up);
    frame.photosToObjectSpace.scale = kObjectDiagonal / *placement.size;
    return frame;
}

ObjectFrame placeObjectOfFile(const std::vector<Photo>& photos, const ObjectPlacement& given,
                              const std::filesystem::path& file) try {
    const bool isGiven = given.centre && given.size;  // then no masks are needed
    return placeObject(photos, isGiven ? std::vector<PhotoForeground>() : foregroundsOf(photos),
                       given, file);
} catch (const InputError& error) {
    // Cameras that look at one object are not inverted: the masks or the lenses are wrong.
    if (looksAtOneObject(photos, given, file)) throw;
    for (const CameraAxes axes : {CameraAxes::opencv, CameraAxes::opengl}) {
        std::vector<Photo> others = photos;
        for (Photo& photo : others) photo.pose = inverted(photo.pose, axes);
        if (!looksAtOneObject(others, given, file)) continue;
        ErrorReport report = error.report();
        report.problem +=
            "; inverted, the cameras do look at one object: the matrices may be world to camera";
        report.remedy = fmt::format(
            "Add \"matrices\": \"world_to_camera\" and \"convention\": \"{}\" to the file, beside "
            "its frames, or invert the matrices.",
            axes == CameraAxes::opencv ? "opencv" : "opengl");
        throw InputError(report);
    }
    throw;
}

}  // namespace threefold
