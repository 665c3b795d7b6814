#include "engine/fitting/outline_terms.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/fitting/simd/vertex_search.h"
#include "engine/fitting/term_weights.h"
#include "engine/raster/rasterize.h"

namespace threefold::fitting {
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
    /// Column, row, and the normal times kNormalPixels; padded with vertices that are never
    /// nearest.
    std::array<std::vector<float>, simd::kSearchAxes> searched;
    std::vector<glm::vec3> columnSlope, rowSlope;  ///< derivatives by the vertex's coordinates

    glm::vec2 place(std::size_t vertex) const { return {searched[0][vertex], searched[1][vertex]}; }
};

OutlineTerms::OutlineTerms(Outline outline, const Camera& space, const Camera& camera)
    : outline_(std::move(outline)),
      grid_(outline_.mask()),
      space_(space),
      camera_(camera),
      rotation_(camera.zoomedRotation() * glm::transpose(space.rotation)),
      offset_(camera.zoomedRotation() * (space.origin - camera.origin)) {
    // A place with normal n in the image is on the plane through the camera's centre with this
    // normal: n · pixel(q) = n · place for every point q of it.
    const auto focal = static_cast<float>(camera.zoom * kFocalLength);
    const auto centre = static_cast<float>(kImageCentre);
    const glm::mat3 turned(space.rotation * glm::transpose(camera.rotation));
    for (const OutlinePoint& point : outline_.points()) {
        const glm::vec3 plane(focal * point.normal.x, -focal * point.normal.y,
                              glm::dot(point.normal, point.place - centre));
        places_.push_back({point.place, point.normal, turned * glm::normalize(plane)});
        const glm::vec3 normal = kNormalPixels * places_.back().plane;
        searched_.insert(searched_.end(),
                         {point.place.x, point.place.y, normal.x, normal.y, normal.z});
    }
}

OutlineTerms::Projected OutlineTerms::project(const Points& vertices, const Points& normals) const {
    const auto focal = static_cast<float>(kFocalLength);
    const auto centre = static_cast<float>(kImageCentre);
    const glm::mat3 rows = glm::transpose(rotation_);
    Projected to;
    const std::size_t padded =
        (vertices.size() + simd::kSearchLanes - 1) / simd::kSearchLanes * simd::kSearchLanes;
    for (auto& each : to.searched) each.assign(padded, std::numeric_limits<float>::infinity());
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        glm::vec3 q = rotation_ * vertices[v] + offset_;
        // Behind the camera or in it there is no projection; such a vertex counts as just before.
        q.z = std::min(q.z, kNearestDepth);
        const float inverse = 1 / q.z;
        to.searched[0][v] = -focal * q.x * inverse + centre;
        to.searched[1][v] = focal * q.y * inverse + centre;
        to.columnSlope.push_back(-focal * inverse * (rows[0] - q.x * inverse * rows[2]));
        to.rowSlope.push_back(focal * inverse * (rows[1] - q.y * inverse * rows[2]));
        for (int axis = 0; axis < 3; ++axis)
            to.searched[2 + static_cast<std::size_t>(axis)][v] = kNormalPixels * normals[v][axis];
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
        const OutlineDistanceAt at = outline_.at(seen.place(v));
        if (at.distance <= 0) continue;
        const glm::vec3 slope = at.slope.x * seen.columnSlope[v] + at.slope.y * seen.rowSlope[v];
        add(v, slope, -at.distance, kOutWeight * robustWeight(at.distance * at.distance));
    }
    if (!withPlaces) return;
    // So that both terms weigh the same however many places there are.
    const float share = static_cast<float>(vertices.size()) / static_cast<float>(places_.size());
    std::array<const float*, simd::kSearchAxes> axes{};
    for (std::size_t axis = 0; axis < axes.size(); ++axis) axes[axis] = seen.searched[axis].data();
    std::vector<std::uint32_t> nearest(places_.size());
    simd::availableVertexSearches().front()->find(axes.data(), seen.searched[0].size(),
                                                  searched_.data(), places_.size(), nearest.data());
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place& place = places_[i];
        const std::size_t v = nearest[i];
        const glm::vec2 off = place.place - seen.place(v);
        const float weight = share * robustWeight(glm::dot(off, off));
        const glm::vec2 along(-place.normal.y, place.normal.x);
        const auto slopeOf = [&](glm::vec2 direction) {
            return direction.x * seen.columnSlope[v] + direction.y * seen.rowSlope[v];
        };
        add(v, slopeOf(place.normal), glm::dot(off, place.normal), weight);
        add(v, slopeOf(along), glm::dot(off, along), kAlongWeight * weight);
    }
}

Mask OutlineTerms::draw(const Points& vertices, const Faces& faces, int side) const {
    return maskOf(vertices, faces, space_, camera_, side, side);
}

std::vector<std::uint32_t> OutlineTerms::drawFaces(const Points& vertices, const Faces& faces,
                                                   int side) const {
    const std::vector<glm::vec4> corners = toClipSpace(vertices, space_, camera_);
    RasterOptions options;
    options.width = options.height = static_cast<std::uint32_t>(side);
    options.wantBarycentric = false;
    options.threads = 1;
    const std::span<const glm::vec4> view(corners);
    return std::move(rasterize({&view, 1}, faces, options).front().face);
}

SilhouetteScore OutlineTerms::compare(const Points& vertices, const Faces& faces) const {
    return compareMasks(draw(vertices, faces, outline_.mask().width), outline_.mask());
}

}  // namespace threefold::fitting
