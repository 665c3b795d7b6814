#include "engine/structure_from_motion/sparse_object.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <Eigen/Eigenvalues>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace threefold::structure_from_motion {
namespace {

using Points3d = std::vector<glm::dvec3>;

constexpr std::size_t kMinPoints = 30;

/// Points within `radius` of `centre` that project into at least 90 % of the photographs, occluded
/// or not.
Points3d pointsInView(const SparseModel& model, glm::dvec3 centre, double radius) {
    constexpr double kMinFraction = 0.9;
    constexpr double kMaxError = 3;  // pixels
    std::vector<LensProjection> lenses;
    for (const RegisteredImage& camera : model.images) lenses.emplace_back(camera.lens);
    Points3d inView;
    for (const SparsePoint& point : model.points) {
        if (glm::length(point.position - centre) > radius ||
            point.meanReprojectionError > kMaxError)
            continue;
        std::size_t count = 0;
        for (std::size_t i = 0; i < lenses.size(); ++i) {
            const RegisteredImage& camera = model.images[i];
            const auto pixel = lenses[i].project(camera.pose.toCamera(point.position));
            if (pixel && camera.lens.contains(*pixel)) ++count;
        }
        if (static_cast<double>(count) >= kMinFraction * static_cast<double>(lenses.size()))
            inView.push_back(point.position);
    }
    return inView;
}

/// Plane n·p = offset, n upward, of length 1.
struct LevelPlane {
    glm::dvec3 normal{0, 0, 1};
    double offset = 0;

    double heightOf(glm::dvec3 point) const { return glm::dot(normal, point) - offset; }
};

/// Refines a plane: least squared distances to the points within `thickness` of `plane`.
LevelPlane fittedPlane(const Points3d& points, const LevelPlane& plane, double thickness) {
    glm::dvec3 mean(0.0);
    double count = 0;
    const auto forPoints = [&](const auto& visit) {
        for (const glm::dvec3& point : points)
            if (std::abs(plane.heightOf(point)) < thickness) visit(point);
    };
    forPoints([&](glm::dvec3 point) {
        mean += point;
        ++count;
    });
    if (count < 3) return plane;
    mean /= count;
    Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
    forPoints([&](glm::dvec3 point) {
        const Eigen::Vector3d offset(point.x - mean.x, point.y - mean.y, point.z - mean.z);
        moments += offset * offset.transpose();
    });
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(moments);
    const Eigen::Vector3d axis = solver.eigenvectors().col(0);  // of the smallest eigenvalue
    const double sign = axis.z() < 0 ? -1 : 1;
    const glm::dvec3 normal = sign * glm::dvec3(axis.x(), axis.y(), axis.z());
    return {normal, glm::dot(normal, mean)};
}

/// Support of the object: a nearly horizontal plane that contains at least a sixth of the points,
/// with few points below it (RANSAC; Fischler, Bolles, 1981).
std::optional<LevelPlane> supportOf(const Points3d& points, double thickness) {
    constexpr int kTrials = 500;
    constexpr double kLevel = 0.94;  // cosine of 20°
    constexpr double kMinFractionIn = 1.0 / 6, kMaxFractionBelow = 0.1;
    std::minstd_rand random(1);
    const auto randomPoint = [&] { return points[random() % points.size()]; };
    std::optional<LevelPlane> best;
    std::size_t maxOnPlaneCount = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        const glm::dvec3 a = randomPoint();
        const glm::dvec3 b = randomPoint();
        const glm::dvec3 c = randomPoint();
        glm::dvec3 normal = glm::cross(b - a, c - a);
        const double length = glm::length(normal);
        if (!(length > 0)) continue;
        normal *= (normal.z < 0 ? -1 : 1) / length;
        if (normal.z < kLevel) continue;
        const LevelPlane plane{normal, glm::dot(normal, a)};
        std::size_t onPlaneCount = 0;
        std::size_t below = 0;
        for (const glm::dvec3& point : points) {
            const double height = plane.heightOf(point);
            if (std::abs(height) < thickness) ++onPlaneCount;
            if (height < -thickness) ++below;
        }
        if (onPlaneCount <= maxOnPlaneCount ||
            static_cast<double>(below) > kMaxFractionBelow * static_cast<double>(points.size()))
            continue;
        maxOnPlaneCount = onPlaneCount;
        best = plane;
    }
    if (static_cast<double>(maxOnPlaneCount) < kMinFractionIn * static_cast<double>(points.size()))
        return std::nullopt;
    return fittedPlane(points, fittedPlane(points, *best, thickness), thickness);
}

std::size_t pointsIn(const LevelPlane& plane, const Points3d& points, double thickness) {
    return static_cast<std::size_t>(std::ranges::count_if(
        points, [&](glm::dvec3 point) { return std::abs(plane.heightOf(point)) < thickness; }));
}

/// Whether at least a third of the plane's points lie beside the box `above`, which is true of a
/// table. The points of the object's own flat base all lie below the box.
bool reachesBeyond(const LevelPlane& plane, double thickness, const Points3d& points,
                   const Box3d& above) {
    constexpr double kMinFractionBeside = 1.0 / 3, kMargin = 0.1;
    const glm::dvec3 margin = kMargin * (above.max - above.min);
    std::size_t onPlaneCount = 0;
    std::size_t beside = 0;
    for (const glm::dvec3& point : points) {
        if (std::abs(plane.heightOf(point)) >= thickness) continue;
        ++onPlaneCount;
        const glm::dvec3 low = above.min - margin;
        const glm::dvec3 high = above.max + margin;
        if (point.x < low.x || point.x > high.x || point.y < low.y || point.y > high.y) ++beside;
    }
    return static_cast<double>(beside) >= kMinFractionBeside * static_cast<double>(onPlaneCount);
}

/// Points in the connected group of cells that holds more points than any other group. `origin`: a
/// corner of a cell.
Points3d largestGroup(const Points3d& points, glm::dvec3 origin, double cell) {
    using Cell = std::tuple<int, int, int>;
    const auto cellOf = [&](glm::dvec3 point) {
        const glm::dvec3 scaled = glm::floor((point - origin) / cell);
        return Cell{static_cast<int>(scaled.x), static_cast<int>(scaled.y),
                    static_cast<int>(scaled.z)};
    };
    std::map<Cell, std::size_t> counts;
    for (const glm::dvec3& point : points) ++counts[cellOf(point)];
    std::set<Cell> unvisited;
    for (const auto& [at, count] : counts) unvisited.insert(at);
    std::set<Cell> largest;
    std::size_t maxSize = 0;
    while (!unvisited.empty()) {
        std::vector<Cell> queue = {*unvisited.begin()};
        unvisited.erase(unvisited.begin());
        std::set<Cell> group;
        std::size_t size = 0;
        while (!queue.empty()) {
            const Cell at = queue.back();
            queue.pop_back();
            group.insert(at);
            size += counts[at];
            for (int i = 0; i < 27; ++i) {
                const Cell next{std::get<0>(at) + i % 3 - 1, std::get<1>(at) + i / 3 % 3 - 1,
                                std::get<2>(at) + i / 9 - 1};
                if (unvisited.erase(next) > 0) queue.push_back(next);
            }
        }
        if (size <= maxSize) continue;
        maxSize = size;
        largest = std::move(group);
    }
    Points3d groupPoints;
    std::ranges::copy_if(points, std::back_inserter(groupPoints),
                         [&](glm::dvec3 point) { return largest.contains(cellOf(point)); });
    return groupPoints;
}

/// Box that leaves out a hundredth of the points at each of its sides, since single points may be
/// mismatches.
Box3d boxOf(const Points3d& points) {
    const std::size_t cut = points.size() / 100;
    Box3d box;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<double> values;
        for (const glm::dvec3& point : points) values.push_back(point[axis]);
        std::ranges::sort(values);
        box.min[axis] = values[cut];
        box.max[axis] = values[values.size() - 1 - cut];
    }
    return box;
}

/// Lengths of a search, in the model's units.
struct SearchLengths {
    double thickness;  ///< maximum distance of a plane's points from the plane
    double cell;       ///< side of a cell of largestGroup()
};

/// The object on a plane that holds enough of the points and reaches beyond the object; nullopt:
/// there is no such plane, or too few points lie above it.
std::optional<SparseObject> objectOnSupport(const Points3d& seen, glm::dvec3 centre,
                                            const SearchLengths& lengths) {
    const std::optional<LevelPlane> plane = supportOf(seen, lengths.thickness);
    if (!plane) return std::nullopt;
    Points3d above = seen;
    std::erase_if(above,
                  [&](glm::dvec3 point) { return plane->heightOf(point) < lengths.thickness; });
    const Points3d group = largestGroup(above, centre, lengths.cell);
    if (group.size() < kMinPoints) return std::nullopt;
    SparseObject object{.box = boxOf(group)};
    if (!reachesBeyond(*plane, lengths.thickness, seen, object.box)) return std::nullopt;
    object.support = {plane->normal, pointsIn(*plane, seen, lengths.thickness)};
    const glm::dvec3 boxCentre = object.box.centre();
    // Height of the plane at the x and y of the box's centre.
    object.box.min.z =
        (plane->offset - plane->normal.x * boxCentre.x - plane->normal.y * boxCentre.y) /
        plane->normal.z;
    return object;
}

/// The object, if it stands on no plane; nullopt: there are too few points.
std::optional<SparseObject> freeObject(const Points3d& seen, glm::dvec3 centre,
                                       const SearchLengths& lengths) {
    const Points3d group = largestGroup(seen, centre, lengths.cell);
    if (group.size() < kMinPoints) return std::nullopt;
    return SparseObject{.box = boxOf(group)};
}

}  // namespace

std::optional<SparseObject> sparseObject(const SparseModel& model, glm::dvec3 centre) {
    // Fractions of the cameras' mean distance from the centre.
    constexpr double kRadius = 0.6, kThickness = 0.012, kCell = 0.06;
    if (model.images.empty()) return std::nullopt;
    const double distance = model.meanCameraDistance(centre);
    const Points3d seen = pointsInView(model, centre, kRadius * distance);
    if (seen.size() < kMinPoints) return std::nullopt;
    const SearchLengths lengths{.thickness = kThickness * distance, .cell = kCell * distance};
    const std::optional<SparseObject> onSupport = objectOnSupport(seen, centre, lengths);
    return onSupport ? onSupport : freeObject(seen, centre, lengths);
}

}  // namespace threefold::structure_from_motion
