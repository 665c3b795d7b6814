#include "engine/fitting/outline_terms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/raster/rasterize.h"
#include "engine/views/clip_space.h"

namespace threefold::fitting {
namespace {

// Chosen by measurement on thirteen objects and two models; half or twice any of them changes F(τ)
// by less than a point in the mean.
constexpr float kOutWeight = 2;
constexpr float kAlongWeight = 0.05F;
constexpr float kNormalPixels = 10;  ///< pixels that a wrong normal counts for
constexpr float kRobustPixels = 20;

float robustWeight(float squared) {
    constexpr float kScale = kRobustPixels * kRobustPixels;
    return kScale / (kScale + squared);
}

}  // namespace

void Symmetric::addOuter(glm::vec3 row, float weight) {
    const glm::vec3 scaled = weight * row;
    xx += scaled.x * row.x;
    xy += scaled.x * row.y;
    xz += scaled.x * row.z;
    yy += scaled.y * row.y;
    yz += scaled.y * row.z;
    zz += scaled.z * row.z;
}

Symmetric& Symmetric::operator+=(const Symmetric& other) {
    xx += other.xx;
    xy += other.xy;
    xz += other.xz;
    yy += other.yy;
    yz += other.yz;
    zz += other.zz;
    return *this;
}

glm::vec3 Symmetric::operator*(glm::vec3 v) const {
    return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z,
            xz * v.x + yz * v.y + zz * v.z};
}

NormalEquations& NormalEquations::operator+=(const NormalEquations& other) {
    for (std::size_t v = 0; v < vector.size(); ++v) {
        matrix[v] += other.matrix[v];
        vector[v] += other.vector[v];
    }
    energy += other.energy;
    return *this;
}

/// Vertices in the image, as arrays of coordinates: the search over them is the hot loop.
struct OutlineTerms::Projected {
    static constexpr std::size_t kLanes = 16;

    std::vector<float> column, row;
    std::array<std::vector<float>, 3> normal;      ///< times kNormalPixels
    std::vector<glm::vec3> columnSlope, rowSlope;  ///< derivatives by the vertex's coordinates

    /// The vertex that a place on the outline draws.
    std::size_t nearest(const Place& place) const {
        std::array<float, kLanes> least;
        std::array<std::uint32_t, kLanes> where{};
        least.fill(std::numeric_limits<float>::infinity());
        const glm::vec3 plane = kNormalPixels * place.plane;
        // The arrays are padded to whole lanes, with vertices that are never nearest.
        for (std::size_t v = 0; v < column.size(); v += kLanes) {
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const std::size_t i = v + lane;
                const float x = column[i] - place.place.x;
                const float y = row[i] - place.place.y;
                const float a = normal[0][i] - plane.x;
                const float b = normal[1][i] - plane.y;
                const float c = normal[2][i] - plane.z;
                const float score = x * x + y * y + a * a + b * b + c * c;
                where[lane] = score < least[lane] ? static_cast<std::uint32_t>(i) : where[lane];
                least[lane] = std::min(score, least[lane]);
            }
        }
        std::size_t best = 0;
        for (std::size_t lane = 1; lane < kLanes; ++lane) {
            const bool earlier = least[lane] == least[best] && where[lane] < where[best];
            if (least[lane] < least[best] || earlier) best = lane;
        }
        return where[best];
    }
};

OutlineTerms::OutlineTerms(Outline outline, const Camera& space, const Camera& camera)
    : outline_(std::move(outline)),
      space_(space),
      camera_(camera),
      rotation_(camera.rotation * glm::transpose(space.rotation)),
      offset_(camera.rotation * (space.origin - camera.origin)) {
    // A place with normal n in the image is on the plane through the camera's centre with this
    // normal: n · pixel(q) = n · place for every point q of it.
    const auto focal = static_cast<float>(kFocalLength);
    const auto centre = static_cast<float>(kImageCentre);
    for (const OutlinePoint& point : outline_.points()) {
        const glm::vec3 plane(focal * point.normal.x, -focal * point.normal.y,
                              glm::dot(point.normal, point.place - centre));
        places_.push_back(
            {point.place, point.normal, glm::transpose(rotation_) * glm::normalize(plane)});
    }
}

OutlineTerms::Projected OutlineTerms::project(const Points& vertices, const Points& normals) const {
    const auto focal = static_cast<float>(kFocalLength);
    const auto centre = static_cast<float>(kImageCentre);
    const glm::mat3 rows = glm::transpose(rotation_);
    Projected to;
    const std::size_t padded =
        (vertices.size() + Projected::kLanes - 1) / Projected::kLanes * Projected::kLanes;
    constexpr float kNowhere = 1e9F;
    to.column.assign(padded, kNowhere);
    to.row.assign(padded, kNowhere);
    for (auto& each : to.normal) each.assign(padded, 0);
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        glm::vec3 q = rotation_ * vertices[v] + offset_;
        // Behind the camera or in it there is no projection; such a vertex counts as just before.
        constexpr float kNearest = -1e-3F;
        q.z = std::min(q.z, kNearest);
        const float inverse = 1 / q.z;
        to.column[v] = -focal * q.x * inverse + centre;
        to.row[v] = focal * q.y * inverse + centre;
        to.columnSlope.push_back(-focal * inverse * (rows[0] - q.x * inverse * rows[2]));
        to.rowSlope.push_back(focal * inverse * (rows[1] - q.y * inverse * rows[2]));
        for (int axis = 0; axis < 3; ++axis) {
            to.normal[static_cast<std::size_t>(axis)][v] = kNormalPixels * normals[v][axis];
        }
    }
    return to;
}

void OutlineTerms::evaluate(const Points& vertices, const Points& normals, bool withPlaces,
                            NormalEquations& equations) const {
    equations.matrix.assign(vertices.size(), {});
    equations.vector.assign(vertices.size(), glm::vec3(0));
    equations.energy = 0;
    const auto add = [&](std::size_t vertex, glm::vec3 slope, float residual, float weight) {
        equations.matrix[vertex].addOuter(slope, weight);
        equations.vector[vertex] += weight * residual * slope;
        equations.energy += weight * residual * residual;
    };
    const Projected seen = project(vertices, normals);
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        const OutlineDistanceAt at = outline_.at({seen.column[v], seen.row[v]});
        if (at.distance <= 0) continue;
        const glm::vec3 slope = at.slope.x * seen.columnSlope[v] + at.slope.y * seen.rowSlope[v];
        add(v, slope, -at.distance, kOutWeight * robustWeight(at.distance * at.distance));
    }
    if (!withPlaces) return;
    // So that both terms weigh the same however many places there are.
    const float share = static_cast<float>(vertices.size()) / static_cast<float>(places_.size());
    for (const Place& place : places_) {
        const std::size_t v = seen.nearest(place);
        const glm::vec2 off = place.place - glm::vec2(seen.column[v], seen.row[v]);
        const float weight = share * robustWeight(glm::dot(off, off));
        const glm::vec2 along(-place.normal.y, place.normal.x);
        const auto slopeOf = [&](glm::vec2 direction) {
            return direction.x * seen.columnSlope[v] + direction.y * seen.rowSlope[v];
        };
        add(v, slopeOf(place.normal), glm::dot(off, place.normal), weight);
        add(v, slopeOf(along), glm::dot(off, along), kAlongWeight * weight);
    }
}

Mask OutlineTerms::draw(const Points& vertices, const Faces& faces) const {
    const Mask& mask = outline_.mask();
    return maskOf(vertices, faces, space_, camera_, mask.width, mask.height);
}

std::vector<std::uint32_t> OutlineTerms::drawFaces(const Points& vertices,
                                                   const Faces& faces) const {
    const std::vector<glm::vec4> corners = toClipSpace(vertices, space_, camera_);
    RasterOptions options;
    options.width = static_cast<std::uint32_t>(outline_.mask().width);
    options.height = options.width;
    options.threads = 1;
    const std::span<const glm::vec4> view(corners);
    return std::move(rasterize({&view, 1}, faces, options).front().face);
}

SilhouetteScore OutlineTerms::compare(const Points& vertices, const Faces& faces) const {
    return compareMasks(draw(vertices, faces), outline_.mask());
}

}  // namespace threefold::fitting
