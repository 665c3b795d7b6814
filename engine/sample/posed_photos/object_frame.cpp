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
#include "engine/formats/pictures/photograph.h"
#include "engine/mesh.h"
#include "engine/sample/posed_photos/coarse_foreground.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/sample/posed_photos/ray_consistency.h"
#include "engine/sample/posed_photos/up_direction.h"
#include "engine/silhouettes/hull_box.h"
#include "engine/views/camera.h"

namespace threefold {
namespace {

constexpr std::size_t kMaxMasks = 12;

/// Minimum masks for the visual hull; fewer bound the object too loosely.
constexpr std::size_t kMinHullMasks = 6;
/// Ratio of the diagonal at ShapeNet's scale to that of the hull's box. Gives sizes to 5 % for the
/// bundled samples seen from 12 sides.
constexpr double kBoxOverHull = 0.93;
/// Ratio of the diagonal at ShapeNet's scale to that of a silhouette's box at the object's
/// distance: 0.84 (table) to 1.36 (plane).
constexpr double kBoxOverSilhouette = 1.0;

struct PhotoObject {
    std::size_t photo = 0;  ///< index of the photograph
    CoarseForeground object;
};

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
glm::dmat3 upright(glm::dvec3 up) {
    const glm::dvec3 y(0, 1, 0);
    const double cosine = glm::dot(up, y);
    const glm::dvec3 axis = glm::cross(up, y);
    if (cosine < -1 + 1e-12)
        return {glm::dvec3(1, 0, 0), glm::dvec3(0, -1, 0), glm::dvec3(0, 0, -1)};
    const glm::dmat3 skew(glm::dvec3(0, axis.z, -axis.y), glm::dvec3(-axis.z, 0, axis.x),
                          glm::dvec3(axis.y, -axis.x, 0));
    return glm::dmat3(1.0) + skew + skew * skew / (1 + cosine);
}

class FrameEstimator {
  public:
    FrameEstimator(std::span<const Photo> photos, const ObjectPlacement& given,
                   const std::filesystem::path& file)
        : photos_(photos), file_(file) {
        frame_.placement = given;
    }

    ObjectFrame estimate() {
        checkGiven();
        checkApart();
        if (!frame_.placement.up) setUp();
        frame_.placement.up = glm::normalize(*frame_.placement.up);
        if (!frame_.placement.centre || !frame_.placement.size) readMasks();
        const bool centreGiven = frame_.placement.centre.has_value();
        if (!centreGiven) estimateCentre();
        if (!centreGiven || !frame_.placement.size) estimateFromHull(centreGiven);
        if (!rayNote_.empty()) note(rayNote_);
        setScale();
        return std::move(frame_);
    }

  private:
    [[noreturn]] void refuse(const std::string& place, std::string problem,
                             std::string remedy) const {
        throw InputError({file_.string(), place, std::move(problem), std::move(remedy)});
    }
    void note(std::string line) { frame_.notes.push_back(std::move(line)); }

    /// Throws InputError for given values whose squares and products would overflow.
    void checkGiven() const {
        constexpr double kMinLength = 1e-9;
        const auto within = [](double value) { return std::abs(value) <= kMaxWorldCoordinate; };
        const ObjectPlacement& given = frame_.placement;
        if (given.centre &&
            !(within(given.centre->x) && within(given.centre->y) && within(given.centre->z)))
            refuse("object_centre", fmt::format("is beyond {:g}", kMaxWorldCoordinate),
                   "Correct it.");
        if (given.size && !(*given.size >= kMinLength && *given.size <= kMaxWorldCoordinate))
            refuse("object_size",
                   fmt::format("is {:g}, expected {:g} to {:g}", *given.size, kMinLength,
                               kMaxWorldCoordinate),
                   "Give the diagonal of the object's bounding box.");
        const double up = given.up ? glm::length(*given.up) : 1.0;
        if (!(up >= kMinLength && up <= kMaxWorldCoordinate))
            refuse("up", fmt::format("has the length {:g}", up), "Give it with length 1.");
    }

    void checkApart() const {
        const glm::dvec3 first = photos_.front().pose.centre;
        double maxDistance = 0;
        double maxNorm = glm::length(first);
        bool rotationsDiffer = false;
        for (const Photo& photo : photos_) {
            maxDistance = std::max(maxDistance, glm::length(photo.pose.centre - first));
            maxNorm = std::max(maxNorm, glm::length(photo.pose.centre));
            rotationsDiffer =
                rotationsDiffer || photo.pose.rotation != photos_.front().pose.rotation;
        }
        constexpr double kRounding = 1e-9;
        if (maxDistance > kRounding * maxNorm) return;
        refuse("",
               fmt::format("all {} cameras stand at one point{}", photos_.size(),
                           rotationsDiffer ? "" : " and look the same way: they are equal"),
               "Give each photograph its own camera, from another side of the object.");
    }

    void readMasks() {
        const std::size_t count = photos_.size();
        const std::size_t maskCount = std::min(count, kMaxMasks);
        for (std::size_t i = 0; i < maskCount; ++i) {
            const std::size_t index = i * count / maskCount;
            const Photo& photo = photos_[index];
            if (photo.image.empty() || photo.lens.width == 0) continue;
            try {
                const Image image = readPhotograph(photo.image, photo.mask);
                if (image.width != photo.lens.width || image.height != photo.lens.height) continue;
                if (auto object = coarseForeground(image))
                    objects_.push_back({index, *std::move(object)});
            } catch (const Error&) {
                continue;  // reported where the view is chosen
            }
        }
        if (objects_.size() < 2) objects_.clear();
    }

    void estimateCentre() {
        std::vector<Ray> rays;
        std::vector<std::size_t> photoOf;  // photograph of each ray
        for (const auto& [index, object] : objects_) {
            const std::optional<glm::dvec3> ray =
                directionThrough(photos_[index].lens, object.box.centre());
            if (!ray) continue;
            rays.push_back(rayOf(photos_[index], *ray));
            photoOf.push_back(index);
        }
        const bool hasMasks = !rays.empty();
        if (!hasMasks)
            for (std::size_t i = 0; i < photos_.size(); ++i) {
                rays.push_back(opticalAxis(photos_[i]));
                photoOf.push_back(i);
            }
        const char* raysName = hasMasks ? "rays through the middles of the masks" : "optical axes";
        const std::optional<glm::dvec3> point = triangulate(rays);
        if (!point)
            refuse("",
                   fmt::format("the {} are parallel: the object's position cannot be determined",
                               raysName),
                   "Take photographs from several sides, or give the object's centre "
                   "(`object_centre`).");
        if (hasMasks) refuseWrongMasks(rays, photoOf, *point);
        const double worst = checkMeeting(rays, photoOf, *point, raysName);
        frame_.placement.centre = *point;
        rayNote_ = fmt::format(
            "The object's centre {} is where the {} {} come nearest to each other; they "
            "miss it by {:.1f} % of the distance at most.",
            pointText(*point, unitAt(*point)), rays.size(), raysName, 100 * worst);
    }

    /// Mean diagonal of the masks' boxes at the object's distance.
    double silhouetteDiagonal() const {
        double sum = 0;
        for (const auto& [index, object] : objects_) {
            const Photo& photo = photos_[index];
            const double depth = -photo.pose.toCamera(*frame_.placement.centre).z;
            const double width = (object.box.max.x - object.box.min.x) / photo.lens.focalX;
            const double height = (object.box.max.y - object.box.min.y) / photo.lens.focalY;
            sum += std::max(depth, 0.0) * std::hypot(width, height);
        }
        return sum / static_cast<double>(objects_.size());
    }

    void estimateFromHull(bool centreGiven) {
        constexpr double kHalfSide = 0.8;
        if (objects_.size() < kMinHullMasks) return;
        const double half = kHalfSide * silhouetteDiagonal();
        if (!(half > 0)) return;
        const std::optional<Box3d> box = boxOfHull(half);
        if (!box) {
            note(
                "The masks do not bound the object together: check the cameras, and that the "
                "object lies wholly within its photographs.");
            return;
        }
        if (!centreGiven) {
            frame_.placement.centre = glm::transpose(upright(*frame_.placement.up)) * box->centre();
            rayNote_.clear();
            note(
                fmt::format("The object's centre {} is that of the box around what all {} masks "
                            "leave.",
                            pointText(*frame_.placement.centre, unitAt(*frame_.placement.centre)),
                            objects_.size()));
        }
        if (frame_.placement.size) return;
        frame_.placement.size = kBoxOverHull * box->diagonal();
        note(
            fmt::format("The object's size {:.4g} is the diagonal of the box around what all {} "
                        "masks leave.",
                        *frame_.placement.size, objects_.size()));
    }

    /// Bounds the visual hull within a cube that extends `half` to each side of the centre; the
    /// box's second axis points up. With eight views, the box is at most a tenth too large. None if
    /// the hull is empty in the cube, or the box reaches a side of the cube.
    std::optional<Box3d> boxOfHull(double half) const {
        constexpr int kCells = 80;
        std::vector<PosedMask> masks;
        for (const auto& [index, object] : objects_)
            masks.push_back({photos_[index].pose, photos_[index].lens, object.mask,
                             object.isWhole(photos_[index].lens)});
        const glm::dmat3 axes = upright(*frame_.placement.up);
        const glm::dvec3 centre = axes * *frame_.placement.centre;
        const Box3d cube{centre - half, centre + half};
        const Box3d box = hullBox(silhouetteQueries(masks), cube, kCells, axes);
        const double cell = 2 * half / kCells;
        const bool reachesSide = glm::any(glm::lessThan(box.min, cube.min + cell / 2)) ||
                                 glm::any(glm::greaterThan(box.max, cube.max - cell / 2));
        if (box.isEmpty() || reachesSide) return std::nullopt;
        return box;
    }

    /// Length unit for pointText(): distance from the first camera to a point.
    double unitAt(glm::dvec3 point) const {
        return glm::length(point - photos_.front().pose.centre);
    }

    /// Throws InputError that names the masks, where the rays through them do not meet but the
    /// cameras are right: without a quarter of the masks or fewer the rays meet, at what these
    /// cameras look at as well, or all optical axes meet.
    void refuseWrongMasks(std::span<const Ray> rays, std::span<const std::size_t> photoOf,
                          glm::dvec3 point) const {
        constexpr const char* kRemedy =
            "Look at these masks, and correct them or remove the photographs; or give the object's "
            "centre (`object_centre`).";
        if (allRaysMeet(rays, point)) return;
        const std::optional<RayOutliers> outliers = findOutlierRays(rays);
        const auto looksThere = [&](std::size_t ray) {
            constexpr double kNearer = 0.5;
            return rayResidual(opticalAxis(photos_[photoOf[ray]]), outliers->point) <
                   kNearer * rayResidual(rays[ray], outliers->point);
        };
        if (outliers && std::ranges::all_of(outliers->rays, looksThere)) {
            std::vector<std::string> names;
            for (const std::size_t ray : outliers->rays)
                names.push_back(photos_[photoOf[ray]].name);
            const bool isOne = names.size() == 1;
            refuse("",
                   fmt::format("the mask{} of {} {} not where the other {} masks show the object, "
                               "at {}",
                               isOne ? "" : "s", fmt::join(names, ", "), isOne ? "is" : "are",
                               rays.size() - names.size(),
                               pointText(outliers->point, unitAt(outliers->point))),
                   kRemedy);
        }
        std::vector<Ray> axes;
        for (const Photo& photo : photos_) axes.push_back(opticalAxis(photo));
        const std::optional<glm::dvec3> target = triangulate(axes);
        if (target && allRaysMeet(axes, *target))
            refuse("",
                   fmt::format("the masks do not show one object, although all cameras look at "
                               "{}: the rays through the masks' middles do not meet",
                               pointText(*target, unitAt(*target))),
                   kRemedy);
    }

    /// Throws InputError unless the rays meet near `point`, before their cameras. Returns the
    /// largest residual.
    double checkMeeting(std::span<const Ray> rays, std::span<const std::size_t> photoOf,
                        glm::dvec3 point, const char* raysName) const {
        constexpr const char* kConventions =
            "Check the convention (transforms.json is camera to world, looking along −z), or give "
            "the object's centre (`object_centre`).";
        const RayAgreement agreement = rayAgreementOf(rays, point);
        if (agreement.behindCount > 0)
            refuse("",
                   fmt::format("the {} come nearest to each other at {}, which is behind {} of {} "
                               "cameras",
                               raysName, pointText(point, unitAt(point)), agreement.behindCount,
                               rays.size()),
                   kConventions);
        if (agreement.worstResidual > kMaxRayResidual) {
            const std::size_t view = photoOf[agreement.worstRay];
            const Photo& photo = photos_[view];
            const double distance = glm::length(point - photo.pose.centre);
            refuse(fmt::format("view {} ({})", view, photo.name),
                   fmt::format("the cameras do not look at one object: the {} come nearest to each "
                               "other at {}, and this view's misses it by {:.3g} at a distance of "
                               "{:.3g}; at most {:.0f} % are allowed",
                               raysName, pointText(point, distance),
                               agreement.worstResidual * distance, distance, 100 * kMaxRayResidual),
                   kConventions);
        }
        return agreement.worstResidual;
    }

    void setUp() {
        const std::optional<UpDirection> estimate = estimateUp(photos_);
        if (!estimate)
            refuse("", "the up direction cannot be determined: the cameras' up vectors cancel out",
                   "Give it (`object_up`).");
        frame_.placement.up = estimate->up;
        note(fmt::format("Up is {}, {}.", pointText(estimate->up, 1), estimate->reason));
    }

    void setScale() {
        const glm::dvec3 centre = *frame_.placement.centre;
        double distance = 0;
        for (const Photo& photo : photos_) distance += glm::length(photo.pose.centre - centre);
        distance /= static_cast<double>(photos_.size());
        if (!frame_.placement.size) estimateSize(distance);
        SimilarityTransform& transform = frame_.photosToObjectSpace;
        transform.sourceOrigin = centre;
        transform.rotation = upright(*frame_.placement.up);
        transform.scale = kObjectDiagonal / *frame_.placement.size;
    }

    void estimateSize(double meanDistance) {
        if (objects_.empty()) {
            frame_.placement.size = meanDistance * kObjectDiagonal / kDefaultDistance;
            note(fmt::format(
                "No photograph has a transparent or white background: the object's size "
                "is taken for {:.4g}, as if it filled its photographs as ShapeNet's do. "
                "Give it where that is wrong (`object_size`).",
                *frame_.placement.size));
            return;
        }
        const double silhouette = silhouetteDiagonal();
        if (!(silhouette > 0))
            refuse("", "the object's centre lies behind the cameras that show it",
                   "Correct the object's centre (`object_centre`).");
        frame_.placement.size = kBoxOverSilhouette * silhouette;
        note(fmt::format(
            "The object's size {:.4g} (diagonal of its box) is a guess from the masks of "
            "{} photographs, right to a third; with {} and more it is measured. Give "
            "it where it is known (`object_size`).",
            *frame_.placement.size, objects_.size(), kMinHullMasks));
    }

    std::span<const Photo> photos_;
    const std::filesystem::path& file_;
    std::vector<PhotoObject> objects_;
    std::string rayNote_;  ///< note on a centre that the hull may still refine
    ObjectFrame frame_;
};

/// Pose for the inverse of its matrix, in OpenGL's or OpenCV's axes.
Pose inverted(const Pose& pose, CameraAxes axes) {
    Pose result;
    result.rotation = glm::transpose(pose.rotation);
    result.centre = -(pose.rotation * pose.centre);
    if (axes == CameraAxes::opencv) result.rotation = kFlippedAxes * result.rotation;
    return result;
}

/// Whether an object can be placed by the cameras alone, without masks.
bool looksAtOneObject(std::vector<Photo> photos, const ObjectPlacement& given,
                      const std::filesystem::path& file) {
    for (Photo& photo : photos) photo.image.clear();
    try {
        static_cast<void>(FrameEstimator(photos, given, file).estimate());
        return true;
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace

ObjectFrame placeObject(std::span<const Photo> photos, const ObjectPlacement& given,
                        const std::filesystem::path& file) {
    return FrameEstimator(photos, given, file).estimate();
}

ObjectFrame placeObjectOfFile(const std::vector<Photo>& photos, const ObjectPlacement& given,
                              const std::filesystem::path& file) try {
    return placeObject(photos, given, file);
} catch (const InputError& error) {
    // Cameras that look at one object are not inverted: the masks or the lenses are wrong.
    if (looksAtOneObject(photos, given, file)) throw;
    for (const CameraAxes axes : {CameraAxes::opencv, CameraAxes::opengl}) {
        std::vector<Photo> others = photos;
        for (Photo& photo : others) photo.pose = inverted(photo.pose, axes);
        if (!looksAtOneObject(std::move(others), given, file)) continue;
        ErrorReport report = error.report();
        report.problem +=
            "; inverted, the cameras do look at one object: the matrices may be world to camera";
        report.remedy = fmt::format(
            "Add \"matrices\": \"world_to_camera\" and \"convention\": \"{}\" to the file, beside "
            "its "
            "frames, or invert the matrices.",
            axes == CameraAxes::opencv ? "opencv" : "opengl");
        throw InputError(report);
    }
    throw;
}

}  // namespace threefold
