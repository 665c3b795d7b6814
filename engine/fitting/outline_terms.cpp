#include "engine/fitting/outline_terms.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/fitting/simd/vertex_search.h"
#include "engine/fitting/term_weights.h"
#include "engine/views/camera.h"

namespace threefold::fitting {
namespace {

static_assert(kMaxCameraZ == -static_cast<float>(kNearPlane));

/// Projected vertices as arrays of coordinates, for the search over them, which is the hot loop.
struct ProjectedVertices {
    /// Column, row, and the normal times kPixelsPerNormalUnit; padded with infinitely far vertices.
    std::array<std::vector<float>, simd::kSearchDimensions> coordinates;
    std::vector<glm::vec3> columnGradient, rowGradient;  ///< with respect to the vertex

    glm::vec2 position(std::size_t vertex) const {
        return {coordinates[0][vertex], coordinates[1][vertex]};
    }
};

ProjectedVertices projectedBy(const ViewOutline& view, const Points& vertices,
                              const Points& normals) {
    const glm::mat3 rows = glm::transpose(view.toCameraMatrix());
    ProjectedVertices projected;
    const std::size_t padded =
        (vertices.size() + simd::kVertexPadding - 1) / simd::kVertexPadding * simd::kVertexPadding;
    for (auto& axis : projected.coordinates)
        axis.assign(padded, std::numeric_limits<float>::infinity());
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        const glm::vec3 q = view.toCamera(vertices[v]);
        const float inverse = 1 / q.z;
        projected.coordinates[0][v] = -kFocal * q.x * inverse + kPrincipalPixel;
        projected.coordinates[1][v] = kFocal * q.y * inverse + kPrincipalPixel;
        projected.columnGradient.push_back(-kFocal * inverse * (rows[0] - q.x * inverse * rows[2]));
        projected.rowGradient.push_back(kFocal * inverse * (rows[1] - q.y * inverse * rows[2]));
        for (int axis = 0; axis < 3; ++axis)
            projected.coordinates[2 + static_cast<std::size_t>(axis)][v] =
                kPixelsPerNormalUnit * normals[v][axis];
    }
    return projected;
}

}  // namespace

void SymmetricMatrix3f::addOuter(glm::vec3 row, float weight) {
    const glm::vec3 scaled = weight * row;
    xx += scaled.x * row.x;
    xy += scaled.x * row.y;
    xz += scaled.x * row.z;
    yy += scaled.y * row.y;
    yz += scaled.y * row.z;
    zz += scaled.z * row.z;
}

SymmetricMatrix3f& SymmetricMatrix3f::operator+=(const SymmetricMatrix3f& other) {
    xx += other.xx;
    xy += other.xy;
    xz += other.xz;
    yy += other.yy;
    yz += other.yz;
    zz += other.zz;
    return *this;
}

glm::vec3 SymmetricMatrix3f::operator*(glm::vec3 v) const {
    return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z,
            xz * v.x + yz * v.y + zz * v.z};
}

VertexEquations& VertexEquations::operator+=(const VertexEquations& other) {
    for (std::size_t v = 0; v < rhs.size(); ++v) {
        matrices[v] += other.matrices[v];
        rhs[v] += other.rhs[v];
    }
    energy += other.energy;
    return *this;
}

void evaluateOutlineTerms(const ViewOutline& view, const Points& vertices, const Points& normals,
                          OutlineTermSet termSet, VertexEquations& equations) {
    equations.matrices.assign(vertices.size(), {});
    equations.rhs.assign(vertices.size(), glm::vec3(0));
    equations.energy = 0;
    const auto add = [&](std::size_t vertex, glm::vec3 gradient, float residual, float weight) {
        equations.matrices[vertex].addOuter(gradient, weight);
        equations.rhs[vertex] += weight * residual * gradient;
        equations.energy += weight * residual * residual;
    };
    const ProjectedVertices projected = projectedBy(view, vertices, normals);
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        const OutlineSample outline = view.outline().sample(projected.position(v));
        if (outline.distance <= 0) continue;
        const glm::vec3 gradient = outline.gradient.x * projected.columnGradient[v] +
                                   outline.gradient.y * projected.rowGradient[v];
        add(v, gradient, -outline.distance,
            kOutsideWeight * robustWeight(outline.distance * outline.distance));
    }
    if (termSet == OutlineTermSet::outsideVertices) return;
    const std::vector<ViewOutline::TangentPoint>& tangentPoints = view.tangentPoints();
    // Weights the sum over the points as if there were as many points as vertices, since the
    // outside term is a sum over the vertices.
    const float scale =
        static_cast<float>(vertices.size()) / static_cast<float>(tangentPoints.size());
    std::array<const float*, simd::kSearchDimensions> axes{};
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        axes[axis] = projected.coordinates[axis].data();
    std::vector<std::uint32_t> nearest(tangentPoints.size());
    simd::runnableVertexSearches().front()->find(axes.data(), projected.coordinates[0].size(),
                                                 view.searchPoints().data(), tangentPoints.size(),
                                                 nearest.data());
    for (std::size_t i = 0; i < tangentPoints.size(); ++i) {
        const ViewOutline::TangentPoint& point = tangentPoints[i];
        const std::size_t v = nearest[i];
        const glm::vec2 offset = point.pixel - projected.position(v);
        const float weight = scale * robustWeight(glm::dot(offset, offset));
        const glm::vec2 along(-point.normal.y, point.normal.x);
        const auto gradientAlong = [&](glm::vec2 direction) {
            return direction.x * projected.columnGradient[v] +
                   direction.y * projected.rowGradient[v];
        };
        add(v, gradientAlong(point.normal), glm::dot(offset, point.normal), weight);
        add(v, gradientAlong(along), glm::dot(offset, along), kTangentWeight * weight);
    }
}

}  // namespace threefold::fitting
