#include "engine/silhouettes/silhouette_set.h"

#include <utility>

#include <gtest/gtest.h>

#include "tests/engine/hull/ball_scene.h"

namespace threefold {
namespace {

TEST(SilhouetteSet, hasTheSameSilhouettes_howeverItIsMade) {
    const test::BallScene scene;
    const auto make = [&](std::size_t view) { return scene.silhouette(view); };
    const SilhouetteSet atOnce(scene.cameras.size(), make, 3, {});
    SilhouetteSet oneByOne;
    for (std::size_t view = 0; view < scene.cameras.size(); ++view)
        oneByOne.add(scene.cameras[view], scene.silhouette(view).mask());
    ASSERT_EQ(atOnce.all().size(), scene.cameras.size());
    ASSERT_EQ(oneByOne.all().size(), scene.cameras.size());
    for (std::size_t view = 0; view < scene.cameras.size(); ++view) {
        EXPECT_EQ(atOnce.all()[view]->camera().centre, scene.cameras[view].centre);
        for (const double x : {-0.3, 0.0, 0.2})
            EXPECT_EQ(atOnce.all()[view]->signedDistance({x, 0.1, 0}),
                      oneByOne.all()[view]->signedDistance({x, 0.1, 0}));
    }
}

TEST(SilhouetteSet, keepsItsAddresses_whenItGrowsOrMoves) {
    const test::BallScene scene;
    SilhouetteSet set;
    set.add(scene.cameras[0], scene.silhouette(0).mask());
    const SilhouetteField* const first = set.all().front();
    for (std::size_t view = 1; view < scene.cameras.size(); ++view)
        set.add(scene.cameras[view], scene.silhouette(view).mask());
    const SilhouetteSet moved = std::move(set);
    EXPECT_EQ(moved.all().front(), first);
}

}  // namespace
}  // namespace threefold
