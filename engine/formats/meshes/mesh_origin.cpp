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

std::optional<glm::dvec3> coincidencePoint(std::size_t count,
                                           const std::function<glm::dvec3(std::size_t)>& point) {
    if (count < 2) return std::nullopt;
    const std::optional<Cluster> cluster = clusterOf(count, point);
    if (!cluster || cluster->radius > 0) return std::nullopt;
    return cluster->centre;
}

void moveOrigin(LoadedMesh& mesh, glm::dvec3 origin) {
    const glm::dvec3 shift = mesh.origin - origin;
    if (shift == glm::dvec3(0.0)) return;
    for (glm::vec3& vertex : mesh.vertices) vertex = glm::vec3(glm::dvec3(vertex) + shift);
    mesh.origin = origin;
}

}  // namespace threefold
