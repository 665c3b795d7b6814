#include "engine/stereo/voxel_grid.h"

#include <algorithm>
#include <cmath>
#include <stop_token>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/engine/hull/shapes.h"
#include "tests/engine/hull/topology.h"

namespace threefold::stereo {
namespace {

Mesh joined(Mesh one, const Mesh& other, glm::vec3 by) {
    const auto base = static_cast<unsigned>(one.vertices.size());
    for (const glm::vec3& vertex : other.vertices) one.vertices.push_back(vertex + by);
    for (const glm::u32vec3& face : other.faces) one.faces.push_back(face + base);
    return one;
}

void expectDistance(Mesh mesh, const auto& exact, double tolerance) {
    if (test::topologyOf(mesh).volume < 0)
        for (glm::u32vec3& face : mesh.faces) std::swap(face.y, face.z);
    const VoxelGrid grid = VoxelGrid::around(mesh, 23, 4);
    const auto maxDistance = static_cast<float>(3 * grid.spacing);
    const std::vector<float> found = signedDistance(grid, mesh, maxDistance, 2, {});
    ASSERT_EQ(found.size(), grid.count());
    for (int x = 0; x < grid.size.x; ++x)
        for (int y = 0; y < grid.size.y; ++y)
            for (int z = 0; z < grid.size.z; ++z) {
                const glm::ivec3 at(x, y, z);
                const double expected =
                    std::clamp(exact(grid.position(at)), -double{maxDistance}, double{maxDistance});
                EXPECT_NEAR(found[grid.index(at)], expected, tolerance);
            }
    EXPECT_EQ(found, signedDistance(grid, mesh, maxDistance, 1, {}));
}

TEST(SignedDistance, isThatOfASphere) {
    expectDistance(
        test::sphere(0.2), [](glm::dvec3 p) { return glm::length(p) - 0.2; }, 5e-4);
}

TEST(SignedDistance, isNegative_whenPartsOverlap) {
    const Mesh twice = joined(test::sphere(0.2), test::sphere(0.2), {0, 0, 0});
    expectDistance(
        twice, [](glm::dvec3 p) { return glm::length(p) - 0.2; }, 5e-4);
}

TEST(SignedDistance, hasBothSigns_whenAMeshHasAHole) {
    expectDistance(
        test::torus(),
        [](glm::dvec3 p) {
            return glm::length(glm::dvec2(std::hypot(p.x, p.z) - 0.19, p.y)) - 0.07;
        },
        1e-3);
}

TEST(Interpolated, isExact_forLinearFields) {
    VoxelGrid grid;
    grid.spacing = 0.25;
    grid.first = {-2, 1, 0};
    grid.size = {4, 3, 5};
    const auto field = [](glm::dvec3 p) { return static_cast<float>(2 * p.x - p.y + 3 * p.z); };
    std::vector<float> values;
    for (int x = 0; x < 4; ++x)
        for (int y = 0; y < 3; ++y)
            for (int z = 0; z < 5; ++z) values.push_back(field(grid.position({x, y, z})));
    for (const glm::dvec3 place : {glm::dvec3(-0.5, 0.25, 0), {-0.1, 0.6, 0.7}, {0.2, 0.3, 0.99}})
        EXPECT_NEAR(interpolated(grid, values, place, 9), field(place), 1e-5);
    EXPECT_EQ(interpolated(grid, values, {-0.6, 0.5, 0.5}, 9), 9);
    EXPECT_EQ(interpolated(grid, values, {0, 0.5, 1.01}, 9), 9);
}

TEST(ForEachPoint, visitsEachPointOnce) {
    VoxelGrid grid;
    grid.size = {3, 4, 5};
    std::vector<int> visits(grid.count());
    forEachPoint(grid, 3, {}, [&](const glm::ivec3& at) { ++visits[grid.index(at)]; });
    EXPECT_EQ(visits, std::vector<int>(grid.count(), 1));
}

TEST(ForEachPoint, endsWithCancelled_whenStopped) {
    VoxelGrid grid;
    grid.size = {3, 4, 5};
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(forEachPoint(grid, 2, stop.get_token(), [](const glm::ivec3&) {}), Cancelled);
}

}  // namespace
}  // namespace threefold::stereo
