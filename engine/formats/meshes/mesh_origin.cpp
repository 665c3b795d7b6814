#include "engine/formats/meshes/mesh_origin.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/order_statistics.h"

namespace threefold {
namespace {

/// Maximum distance between an origin and points that all, or mostly, coincide: a farther origin
/// moves to the points. Floats of this size are exact to 0.0005.
constexpr double kMaxDistanceOfPointShape = 1e4;

double maxMagnitude(const glm::dvec3& vector) {
    return std::max({std::abs(vector.x), std::abs(vector.y), std::abs(vector.z)});
}

/// Rounds each coordinate to a multiple of the smallest power of two that is not below `step`, so
/// that sums with the result are exact.
glm::dvec3 roundedTo(double step, const glm::dvec3& point) {
    const double unit = std::exp2(std::ceil(std::log2(step)));
    return glm::round(point / unit) * unit;
}

/// Position and size of most of the points.
struct Cluster {
    glm::dvec3 centre;  ///< median of each coordinate
    double radius = 0;  ///< median distance of the points from `centre`
};

/// Cluster of the finite points, estimated from at most kMaxInspected points; nullopt if none of
/// these is finite.
std::optional<Cluster> clusterOf(std::size_t count,
                                 const std::function<glm::dvec3(std::size_t)>& point) {
    constexpr std::size_t kMaxInspected = 4096;
    const std::size_t inspected = std::min(count, kMaxInspected);
    std::vector<glm::dvec3> points;
    for (std::size_t i = 0; i < inspected; ++i)
        if (const glm::dvec3 each = point(i * count / inspected); isFinite(each))
            points.push_back(each);
    if (points.empty()) return std::nullopt;
    Cluster cluster;
    std::vector<double> values(points.size());
    for (int axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i < points.size(); ++i) values[i] = points[i][axis];
        cluster.centre[axis] = upperMedian(values);
    }
    for (std::size_t i = 0; i < points.size(); ++i)
        values[i] = glm::distance(points[i], cluster.centre);
    cluster.radius = upperMedian(values);
    return cluster;
}

/// Origin of points as floats round them; 0 if there are none, or a coordinate is not finite.
glm::dvec3 originOfRounded(std::span<const glm::vec3> points) {
    if (points.empty() || !std::ranges::all_of(points, isFinite)) return glm::dvec3(0.0);
    const Box3f box = boundsOf(points);
    return originFor({box.min, box.max}, points.size(),
                     [&](std::size_t i) { return glm::dvec3(points[i]); });
}

/// The point at which most of several finite points lie; nullopt: they differ, or there is one
/// point only.
std::optional<glm::dvec3> coincidencePoint(std::span<const glm::vec3> points) {
    if (points.size() < 2) return std::nullopt;
    const std::optional<Cluster> cluster =
        clusterOf(points.size(), [&](std::size_t i) { return glm::dvec3(points[i]); });
    if (!cluster || cluster->radius > 0) return std::nullopt;
    return cluster->centre;
}

}  // namespace

glm::dvec3 originFor(const Box3d& box) {
    const glm::dvec3 farthest = glm::max(glm::abs(box.min), glm::abs(box.max));
    const double maxCoordinate = maxMagnitude(farthest);
    const double diagonal = box.diagonal();
    if (maxCoordinate <= kFarFromZero * diagonal) return glm::dvec3(0.0);
    if (diagonal == 0 && maxCoordinate <= kMaxDistanceOfPointShape) return glm::dvec3(0.0);
    constexpr double kMinRatio = 1e-9;
    return roundedTo(std::max(diagonal, kMinRatio * maxCoordinate), box.centre());
}

glm::dvec3 originFor(const Box3d& box, std::size_t count,
                     const std::function<glm::dvec3(std::size_t)>& point) {
    const glm::dvec3 ofBox = originFor(box);
    const std::optional<Cluster> cluster = clusterOf(count, point);
    if (!cluster) return ofBox;
    const double distance = maxMagnitude(cluster->centre - ofBox);
    if (distance <=
        (cluster->radius > 0 ? kFarFromMost * cluster->radius : kMaxDistanceOfPointShape))
        return ofBox;
    // The step is at least the spacing of floats at the cluster's distance from 0, so that an
    // outlier at 0 is still represented exactly.
    constexpr double kFloatStep = 0x1p-23;
    return roundedTo(std::max(4 * cluster->radius, kFloatStep * maxMagnitude(cluster->centre)),
                     cluster->centre);
}

glm::dvec3 chooseOrigin(std::span<const glm::vec3> rounded, const RelativeTo& relativeTo) {
    const glm::dvec3 origin = originOfRounded(rounded);
    const glm::dvec3 nearest = coincidencePoint(rounded).value_or(origin);
    if (nearest == glm::dvec3(0.0)) return origin;
    // Points that coincide in full precision as well keep the origin of a shape.
    return coincidencePoint(relativeTo(nearest)) ? origin : nearest;
}

RelativePoints relativePoints(std::span<const glm::dvec3> points) {
    RelativePoints relative{Points(points.begin(), points.end())};
    const glm::dvec3 origin = chooseOrigin(relative.points, [&](const glm::dvec3& nearPoints) {
        std::ranges::transform(points, relative.points.begin(), [&](const glm::dvec3& point) {
            return glm::vec3(point - nearPoints);
        });
        relative.origin = nearPoints;
        return std::span<const glm::vec3>(relative.points);
    });
    moveOrigin(relative.points, relative.origin, origin);
    relative.origin = origin;
    return relative;
}

void moveOrigin(std::span<glm::vec3> points, const glm::dvec3& from, const glm::dvec3& to) {
    const glm::dvec3 shift = from - to;
    if (shift == glm::dvec3(0.0)) return;
    for (glm::vec3& point : points) point = glm::vec3(glm::dvec3(point) + shift);
}

void moveOrigin(LoadedMesh& mesh, glm::dvec3 origin) {
    moveOrigin(mesh.vertices, mesh.origin, origin);
    mesh.origin = origin;
}

}  // namespace threefold
