#include "engine/stereo/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "tests/engine/hull/shapes.h"
#include "tests/engine/hull/topology.h"

namespace threefold::stereo {
namespace {

Mesh joined(Mesh one, const Mesh& other, glm::vec3 offset) {
    const auto base = static_cast<unsigned>(one.vertices.size());
    for (const glm::vec3& vertex : other.vertices) one.vertices.push_back(vertex + offset);
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

TEST(SignedDistance, isThatOfATorus) {
    expectDistance(
        test::torus(),
        [](glm::dvec3 p) {
            return glm::length(glm::dvec2(std::hypot(p.x, p.z) - 0.19, p.y)) - 0.07;
        },
        1e-3);
}

}  // namespace
}  // namespace threefold::stereo
