#include "engine/stereo/voxel_grid.h"

#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"

namespace threefold::stereo {
namespace {

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
