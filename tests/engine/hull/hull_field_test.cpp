#include "engine/hull/hull_field.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/measures/silhouette.h"
#include "tests/engine/hull/shapes.h"

namespace threefold::hull {
namespace {

/// A ball of radius 0.25 around the origin, seen from all sides.
struct BallScene {
    SilhouetteDistance silhouette(std::size_t view) const {
        return {cameras[view],
                renderMask(ball.vertices, ball.faces, Camera{}, cameras[view], 112, 112)};
    }

    Mesh ball = test::sphere(0.25);
    std::vector<Camera> cameras = test::camerasAround(5);
};

TEST(SilhouetteSet, hasTheSameSilhouettes_howeverItIsMade) {
    const BallScene scene;
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
            EXPECT_EQ(atOnce.all()[view]->at({x, 0.1, 0}), oneByOne.all()[view]->at({x, 0.1, 0}));
    }
}

TEST(SilhouetteSet, keepsItsAddresses_whenItGrowsOrMoves) {
    const BallScene scene;
    SilhouetteSet set;
    set.add(scene.cameras[0], scene.silhouette(0).mask());
    const SilhouetteDistance* const first = set.all().front();
    for (std::size_t view = 1; view < scene.cameras.size(); ++view)
        set.add(scene.cameras[view], scene.silhouette(view).mask());
    const SilhouetteSet moved = std::move(set);
    EXPECT_EQ(moved.all().front(), first);
}

TEST(HullField, isTheDistanceToTheBall) {
    const BallScene scene;
    const SilhouetteSet set(scene.cameras.size(),
                            [&](std::size_t view) { return scene.silhouette(view); }, 2, {});
    const HullField field(set.all(), 0);
    EXPECT_LT(field.at({0, 0, 0}, 1), -0.2F);
    EXPECT_GT(field.at({0.4, 0, 0}, 1), 0.05F);
}

}  // namespace
}  // namespace threefold::hull
