#include "engine/stereo/silhouette_bound.h"

#include <algorithm>
#include <stop_token>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/silhouettes/silhouette_set.h"
#include "tests/engine/hull/ball_scene.h"

namespace threefold::stereo {
namespace {

/// A grid around a ball, and the hull field of the ball's silhouettes.
struct BallBound {
    SilhouetteBound bound(int threads = 2, const std::stop_token& cancel = {}) const {
        return silhouetteBound(grid, field, maxDistance, threads, cancel);
    }

    test::BallScene scene;
    SilhouetteSet silhouettes{
        scene.cameras.size(), [this](std::size_t view) { return scene.silhouette(view); }, 2, {}};
    hull::HullField field{silhouettes.all(), 0};
    VoxelGrid grid = VoxelGrid::around(scene.ball, 30, 3);
    float maxDistance = static_cast<float>(4 * grid.spacing);
};

TEST(SilhouetteBound, isTheClampedDistanceToTheHull_exceptAtTheBorder) {
    const BallBound ball;
    const SilhouetteBound bound = ball.bound();
    const VoxelGrid& grid = ball.grid;
    ASSERT_EQ(bound.distance.size(), grid.count());
    std::size_t different = 0;
    for (int x = 0; x < grid.size.x; ++x)
        for (int y = 0; y < grid.size.y; ++y)
            for (int z = 0; z < grid.size.z; ++z) {
                const glm::ivec3 at(x, y, z);
                const bool isBorder = x == 0 || y == 0 || z == 0 || x + 1 == grid.size.x ||
                                      y + 1 == grid.size.y || z + 1 == grid.size.z;
                const float distance =
                    isBorder
                        ? ball.maxDistance
                        : std::clamp(ball.field.signedDistance(grid.position(at), ball.maxDistance),
                                     -ball.maxDistance, ball.maxDistance);
                different += bound.distance[grid.index(at)] == distance ? 0 : 1;
                const bool isInside = distance < static_cast<float>(grid.spacing / 2);
                different += (bound.inside[grid.index(at)] != 0) == isInside ? 0 : 1;
            }
    EXPECT_EQ(different, 0U);
}

TEST(SilhouetteBound, isTheSame_forAnyNumberOfThreads) {
    const BallBound ball;
    EXPECT_EQ(ball.bound(1).distance, ball.bound(3).distance);
}

TEST(SilhouetteBound, endsWithCancelled_whenStopped) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(BallBound().bound(2, stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace threefold::stereo
