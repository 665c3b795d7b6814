#include "engine/hull/base_plane.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "engine/compute/parallel.h"
#include "engine/raster/camera_depths.h"

namespace threefold::hull {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Side of the depth maps, in pixels.
constexpr int kMapSide = 2 * kInputSide;
/// Distance, in pixels of a depth map, from the centre of a column's last pixel with visible
/// neighbours down to the hull's outline.
constexpr double kPixelsToOutline = 1.5;
/// Band of heights above the lowest visible point, as fractions of the hull's height above this
/// point. Below the band, meshes round off the edge of a base, all the more if masks and cameras
/// are inexact.
constexpr double kBandBottom = 0.02;
constexpr double kBandTop = 0.04;
/// Mean cosine in the band: kEdgeCosine or more if the object has a base with an edge, kRoundCosine
/// or less if its underside is round. Vertical walls have 0.6 to 0.8, a ball 0.1 to 0.3.
constexpr double kEdgeCosine = 0.45;
constexpr double kRoundCosine = 0.25;
/// Ratio of the depth of a round underside to the depth of the hull below the lowest visible point.
/// A ball's cap with slope α at its rim of radius r is r tan(α/2) deep; the cone that touches the
/// rim is r tan α deep.
constexpr double kRoundDepth = 0.5;

/// World height of the point `down` pixels below the centre of a pixel of a depth map, at the
/// pixel's depth.
double heightAt(const Camera& camera, int column, int row, double depth, double down) {
    const double pixel = depth * kInputSide / (camera.focalLength() * kMapSide);
    const glm::dvec3 inCamera((column + 0.5 - kMapSide / 2.0) * pixel,
                              (kMapSide / 2.0 - row - 0.5 - down) * pixel, -depth);
    return camera.toWorld(inCamera).y;
}

/// Height of the lowest point visible in one view; infinity if no point is visible. Pixels at the
/// outline are left out: their rays graze the surface, and may meet the hull's underside.
double lowestVisible(const Mesh& hull, const Camera& camera, const std::stop_token& cancel) {
    const std::vector<float> depths = cameraDepths(hull, camera, kMapSide, cancel);
    const auto depthAt = [&](int column, int row) {
        return depths[static_cast<std::size_t>(row) * kMapSide + static_cast<std::size_t>(column)];
    };
    const auto hasVisibleNeighbours = [&](int column, int row) {
        for (int y = row - 1; y <= row + 1; ++y)
            for (int x = column - 1; x <= column + 1; ++x)
                if (!(depthAt(x, y) > 0)) return false;
        return true;
    };
    double lowest = kInfinity;
    for (int row = 1; row + 1 < kMapSide; ++row)
        for (int column = 1; column + 1 < kMapSide; ++column) {
            if (!hasVisibleNeighbours(column, row)) continue;
            const bool isLast = row + 2 >= kMapSide || !(depthAt(column, row + 2) > 0);
            lowest = std::min(lowest, heightAt(camera, column, row, depthAt(column, row),
                                               isLast ? kPixelsToOutline : 0));
        }
    return lowest;
}

struct HeightRange {
    double lowest;
    double highest;
};

HeightRange heightsOf(const Mesh& hull) {
    HeightRange range{kInfinity, -kInfinity};
    for (const glm::vec3& vertex : hull.vertices) {
        range.lowest = std::min(range.lowest, double{vertex.y});
        range.highest = std::max(range.highest, double{vertex.y});
    }
    return range;
}

/// Mean cosine, by area, between the normals of the faces in a band of heights and the directions
/// to the cameras that see them best; 1 for an empty band.
double meanCosine(const Mesh& hull, std::span<const Camera> cameras, HeightRange band) {
    double sum = 0;
    double weight = 0;
    for (const auto& face : hull.faces) {
        const glm::dvec3 a(hull.vertices[face[0]]);
        const glm::dvec3 b(hull.vertices[face[1]]);
        const glm::dvec3 c(hull.vertices[face[2]]);
        const glm::dvec3 centroid = (a + b + c) / 3.0;
        if (centroid.y < band.lowest || centroid.y > band.highest) continue;
        const glm::dvec3 area = glm::cross(b - a, c - a);
        double best = 0;
        for (const Camera& camera : cameras)
            best = std::max(best, glm::dot(area, glm::normalize(camera.centre - centroid)));
        sum += best;
        weight += glm::length(area);
    }
    return weight > 0 ? sum / weight : 1;
}

}  // namespace

std::optional<double> baseHeight(const Mesh& hull, std::span<const Camera> cameras, int threads,
                                 const std::stop_token& cancel) {
    std::vector<double> lowestOfViews(cameras.size(), kInfinity);
    parallelFor(threads, cameras.size(), cancel, [&](std::size_t i, std::size_t /*thread*/) {
        lowestOfViews[i] = lowestVisible(hull, cameras[i], cancel);
    });
    double visible = kInfinity;
    for (const double lowest : lowestOfViews) visible = std::min(visible, lowest);
    if (visible == kInfinity) return std::nullopt;
    const HeightRange range = heightsOf(hull);
    const double height = range.highest - visible;
    const double cosine =
        meanCosine(hull, cameras, {visible + kBandBottom * height, visible + kBandTop * height});
    const double roundness =
        std::clamp((kEdgeCosine - cosine) / (kEdgeCosine - kRoundCosine), 0.0, 1.0);
    return visible - kRoundDepth * roundness * std::max(visible - range.lowest, 0.0);
}

}  // namespace threefold::hull
