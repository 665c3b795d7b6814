#include "engine/fitting/cpu_fit_solver.h"

#include <cmath>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "engine/fitting/outline.h"
#include "engine/fitting/view_outline.h"
#include "engine/geometry/vertex_normals.h"
#include "tests/engine/fitting/sphere.h"

namespace threefold::test {
namespace {

using fitting::MeshLevels;

constexpr float kRadius = 0.16F;

Points ball(float radius, float turn, const Camera& camera) {
    Points world = sphereVertices(sphereTemplate(4));
    for (glm::vec3& point : world)
        point = radius * glm::vec3(std::cos(turn) * point.x + std::sin(turn) * point.z, point.y,
                                   std::cos(turn) * point.z - std::sin(turn) * point.x);
    return inView(world, camera);
}

/// Vertices after one step of the solver from a ball that agrees with its three masks. The start,
/// at which the solver holds vertices, is a ball of the given radius and turn (radians).
Points afterAStep(float anchorRadius, float anchorTurn) {
    const MeshLevels levels(sphereTemplate(4));
    const std::vector<Camera> cameras = ringOfCameras(3);
    const Points vertices = ball(kRadius, 0, cameras.front());
    std::vector<fitting::ViewOutline> views;
    views.reserve(cameras.size());
    for (const MaskedView& view : viewsOf(vertices, levels.faces(), cameras))
        views.emplace_back(*fitting::Outline::of(*view.mask, 300), cameras.front(), view.camera);
    fitting::FitTerms terms;
    for (const fitting::ViewOutline& view : views) terms.outlines.push_back(&view);

    fitting::FitStart start{ball(anchorRadius, anchorTurn, cameras.front()), {}};
    const Points normals = vertexNormals(vertices, levels.faces());
    Points laplacian;
    levels.laplacian(vertices, laplacian);
    for (std::size_t v = 0; v < vertices.size(); ++v)
        start.restLaplacian.push_back(glm::dot(normals[v], laplacian[v]));

    fitting::CpuFitSolver solver(1, {});
    solver.begin(levels, start, terms, vertices);
    solver.step({.level = levels.levelCount() - 1});
    return solver.vertices();
}

TEST(CpuFitSolver, holdsVerticesAtTheirStart_alongTheirNormalsOnly) {
    constexpr float kOffset = 0.002F;
    const Points unmoved = afterAStep(kRadius, 0);
    const Points alongNormals = afterAStep(kRadius - kOffset, 0);
    // A vertex at angle a from the axis of the turn moves by radius · sin a · turn; the mean of
    // sin a over a ball is π / 4.
    const Points alongTheSurface = afterAStep(kRadius, kOffset / (kRadius * 0.785F));
    EXPECT_GT(meanDistance(alongNormals, unmoved), 5 * meanDistance(alongTheSurface, unmoved));
    EXPECT_GT(meanDistance(alongNormals, unmoved), 0.2 * kOffset);
}

}  // namespace
}  // namespace threefold::test
