#include "engine/hull/hull_field.h"

#include <gtest/gtest.h>

#include "engine/silhouettes/silhouette_set.h"
#include "tests/engine/hull/ball_scene.h"

namespace threefold::hull {
namespace {

TEST(HullField, isTheDistanceToTheBall) {
    const test::BallScene scene;
    const SilhouetteSet set(scene.cameras.size(),
                            [&](std::size_t view) { return scene.silhouette(view); }, 2, {});
    const HullField field(set.all(), 0);
    EXPECT_LT(field.signedDistance({0, 0, 0}, 1), -0.2F);
    EXPECT_GT(field.signedDistance({0.4, 0, 0}, 1), 0.05F);
}

}  // namespace
}  // namespace threefold::hull
