#include "engine/geometry/surface_index.h"

#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/geometry/nearest.h"
#include "engine/geometry/surface_samples.h"

namespace threefold {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

const Points kTriangleCorners = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
const Faces kTriangle = {{0, 1, 2}};

/// A cube from −1 to 1, with outward faces and shared vertices.
Mesh cube() {
    Mesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices.emplace_back((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1,
                                   (i & 4) != 0 ? 1 : -1);
    mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                  {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

TEST(SurfaceIndex, measuresToTheTriangle_notToItsVertices) {
    const Points points = {{0.5F, 0.5F, 0.25F}, {1, -3, 0}, {-3, -4, 0}, {2, 2, 0}, {1, 1, 0}};
    EXPECT_THAT(SurfaceIndex(kTriangleCorners, kTriangle).distances(points),
                ElementsAre(0.25, 3, 5, DoubleEq(std::sqrt(2.0)), 0));
}

TEST(SurfaceIndex, isZeroAtTheMeshsOwnVertices_exactly) {
    const Mesh mesh = cube();
    std::mt19937 random(5);
    std::uniform_real_distribution<float> shift(-0.3F, 0.3F);
    Mesh uneven = mesh;
    for (glm::vec3& vertex : uneven.vertices)
        vertex += glm::vec3(shift(random), shift(random), shift(random));
    for (const double distance :
         SurfaceIndex(uneven.vertices, uneven.faces).distances(uneven.vertices))
        EXPECT_EQ(distance, 0);
}

TEST(SurfaceIndex, isNegativeInside_nearFacesEdgesAndVertices) {
    const Mesh mesh = cube();
    const SurfaceIndex index(mesh.vertices, mesh.faces);
    const Points points = {{0, 0, 0}, {0.5F, 0.25F, 0.9F}, {0, 0.1F, 1.5F}, {1.5F, 1.5F, 0},
                           {2, 2, 2}, {0.9F, 0.9F, 0.9F},  {1, 1, 1}};
    EXPECT_THAT(index.signedDistances(points),
                ElementsAre(-1, testing::DoubleNear(-0.1, 1e-7), 0.5, DoubleEq(std::sqrt(0.5)),
                            DoubleEq(std::sqrt(3.0)), testing::DoubleNear(-0.1, 1e-7), 0));
}

// At the tip of a thin spike, no adjacent face alone gives the right sign.
TEST(SurfaceIndex, hasTheSignOfAllFacesOfAVertex) {
    Mesh mesh = cube();
    mesh.vertices[7] = {4, 4, 4};
    const SurfaceIndex index(mesh.vertices, mesh.faces);
    EXPECT_GT(index.signedDistances(Points{{5, 5, 5}}).front(), 0);
    EXPECT_LT(index.signedDistances(Points{{3, 3, 3}}).front(), 0);
    EXPECT_GT(index.signedDistances(Points{{4, 4.5F, 3.9F}}).front(), 0);
}

TEST(SurfaceIndex, equalsBruteForce) {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> within(-1, 1);
    Mesh mesh;
    for (int i = 0; i < 300; ++i) {
        const glm::vec3 at(within(random), within(random), within(random));
        for (int corner = 0; corner < 3; ++corner)
            mesh.vertices.push_back(
                at + 0.2F * glm::vec3(within(random), within(random), within(random)));
        const auto first = static_cast<std::uint32_t>(3 * i);
        mesh.faces.emplace_back(first, first + 1, first + 2);
    }
    Points points;
    for (int i = 0; i < 200; ++i)
        points.emplace_back(2 * within(random), 2 * within(random), 2 * within(random));
    const std::vector<double> found = SurfaceIndex(mesh.vertices, mesh.faces).distances(points);
    std::vector<double> expected(points.size(), std::numeric_limits<double>::infinity());
    for (const glm::u32vec3& face : mesh.faces) {
        const std::vector<double> one = SurfaceIndex(mesh.vertices, Faces{face}).distances(points);
        for (std::size_t i = 0; i < points.size(); ++i) expected[i] = std::min(expected[i], one[i]);
    }
    EXPECT_EQ(found, expected);
    // Samples of the surface are never nearer than the surface itself.
    const Points samples = sampleSurface(mesh).points;
    const Neighbours nearest = nearestNeighbours(points, samples);
    for (std::size_t i = 0; i < points.size(); ++i)
        EXPECT_LE(found[i], std::sqrt(nearest.squaredDistances[i]) + 1e-6);
}

TEST(SurfaceIndex, treatsFacesWithoutArea_asTheirEdges) {
    EXPECT_THAT(
        SurfaceIndex(kTriangleCorners, Faces{{0, 1, 1}}).distances(Points{{1, 3, 0}, {0.5F, 0, 0}}),
        ElementsAre(3, 0));
}

TEST(SurfaceIndex, findsPointsWithinADistance) {
    const Points points = {{0.5F, 0.5F, 0.09F},   // above the face, far from all vertices
                           {0.5F, 0.5F, 0.11F},   // too far above
                           {1, -0.09F, 0},        // beside an edge
                           {1, -0.11F, 0},        // too far
                           {1.06F, 1.06F, 0},     // beside the long edge
                           {1.08F, 1.08F, 0},     // too far
                           {-0.06F, -0.06F, 0},   // beside a vertex
                           {-0.08F, -0.08F, 0}};  // too far
    EXPECT_THAT(SurfaceIndex(kTriangleCorners, kTriangle).within(points, 0.1),
                ElementsAre(true, false, true, false, true, false, true, false));
}

TEST(SurfaceIndex, findsTheSamePointsWithin_inAnyOrderOfCorners) {
    const Points points = {{0.5F, 0.5F, -0.05F}, {1, 0.05F, 0}};
    EXPECT_THAT(SurfaceIndex(kTriangleCorners, Faces{{2, 1, 0}}).within(points, 0.1),
                ElementsAre(true, true));
    EXPECT_THAT(SurfaceIndex(kTriangleCorners, Faces{{0, 1, 1}}).within(points, 0.1),
                ElementsAre(false, true));
    EXPECT_THAT(SurfaceIndex(kTriangleCorners, Faces{}).within(points, 0.1),
                ElementsAre(false, false));
    EXPECT_TRUE(SurfaceIndex(kTriangleCorners, kTriangle).within({}, 0.1).empty());
}

TEST(SurfaceIndex, findsTheSamePointsWithin_forATriangleAndItsParts) {
    Points corners;
    Faces parts;
    constexpr int kSteps = 40;
    for (int i = 0; i < kSteps; ++i)
        for (int j = 0; i + j < kSteps; ++j) {
            const auto add = [&](int x, int y) {
                corners.emplace_back(2.0F * x / kSteps, 2.0F * y / kSteps, 0);
                return static_cast<std::uint32_t>(corners.size() - 1);
            };
            parts.emplace_back(add(i, j), add(i + 1, j), add(i, j + 1));
            if (i + j + 2 <= kSteps)
                parts.emplace_back(add(i + 1, j), add(i + 1, j + 1), add(i, j + 1));
        }
    std::mt19937 random(3);
    std::uniform_real_distribution<float> within(-0.3F, 2.3F);
    std::uniform_real_distribution<float> height(-0.1F, 0.1F);
    Points points;
    for (int i = 0; i < 2000; ++i)
        points.emplace_back(within(random), within(random), height(random));
    const std::vector<bool> whole = SurfaceIndex(kTriangleCorners, kTriangle).within(points, 0.05);
    EXPECT_EQ(whole, SurfaceIndex(corners, parts).within(points, 0.05));
    EXPECT_THAT(whole, testing::Contains(true));
    EXPECT_THAT(whole, testing::Contains(false));
}

}  // namespace
}  // namespace threefold
