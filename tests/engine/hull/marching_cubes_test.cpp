#include "engine/hull/marching_cubes.h"

#include <cmath>
#include <cstdint>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/engine/hull/topology.h"

namespace threefold::hull {
namespace {

TEST(MarchingCubes, isManifold_whenSignsAreRandom) {
    const DistanceField noise = [](glm::dvec3 place, float /*most*/) {
        const glm::ivec3 at(glm::round(place / 0.1));
        if (glm::length(place) > 1) return 1.0F;
        std::uint32_t bits = static_cast<std::uint32_t>(at.x) * 73856093U ^
                             static_cast<std::uint32_t>(at.y) * 19349663U ^
                             static_cast<std::uint32_t>(at.z) * 83492791U;
        bits = (bits ^ (bits >> 13)) * 0x5bd1e995U;
        bits ^= bits >> 15;
        return static_cast<float>(bits % 1000) / 500 - 1 + 0.001F;
    };
    const Mesh mesh = marchingCubes(noise, {1.2, 0.1, 100, 2, {}});
    EXPECT_GT(mesh.faces.size(), 10'000U);
    EXPECT_TRUE(test::topologyOf(mesh).isManifold);
}

TEST(MarchingCubes, isClosed_whenTheFieldIsSteeperThanDeclared) {
    const DistanceField ball = [](glm::dvec3 place, float /*most*/) {
        const double steep = place.x > 0 ? 30 : 0.2;
        return static_cast<float>(steep * (glm::length(place) - 0.5));
    };
    const test::Topology topology = test::topologyOf(marchingCubes(ball, {1, 0.02, 1, 2, {}}));
    EXPECT_TRUE(topology.isManifold);
    EXPECT_EQ(topology.genus, 0);
    EXPECT_NEAR(topology.volume, 0.5236, 0.005);
}

TEST(MarchingCubes, refusesAGrid_whenTooFine) {
    const DistanceField ball = [](glm::dvec3 place, float /*most*/) {
        return static_cast<float>(glm::length(place) - 0.5);
    };
    EXPECT_THROW(marchingCubes(ball, {1, 1e-8, 1, 1, {}}), InputError);
}

TEST(MarchingCubes, isEmpty_whenNothingIsInside) {
    EXPECT_TRUE(
        marchingCubes([](glm::dvec3, float) { return 0.1F; }, {1, 0.05, 1, 1, {}}).faces.empty());
}

}  // namespace
}  // namespace threefold::hull
