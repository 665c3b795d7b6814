#include "engine/stereo/depth_maps.h"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "engine/raster/camera_depths.h"
#include "tests/engine/hull/shapes.h"

namespace threefold::stereo {
namespace {

constexpr int kBallMapSide = 64;

/// Views from all sides of a ball, with its exact depths.
struct BallMaps {
    BallMaps() {
        const Mesh ball = test::sphere(0.25);
        for (const Camera& camera : test::camerasAround(48)) {
            views.emplace_back(camera, kBallMapSide);
            DepthMap map;
            map.depth = map.searchDepth = cameraDepths(ball, camera, kBallMapSide);
            map.labelSpacing = 0.01F;
            maps.push_back(std::move(map));
        }
    }

    /// Fractions of the first map's depths with more supporting views than free-space violations,
    /// and with fewer.
    struct Fractions {
        double supported = 0;
        double violated = 0;
    };
    Fractions ofFirst() const {
        const ViewSupport support = viewSupports(views, maps, 2, {}).front();
        Fractions fractions;
        double count = 0;
        for (std::size_t i = 0; i < maps[0].depth.size(); ++i) {
            if (maps[0].depth[i] == 0) continue;
            ++count;
            if (support.supportingCount[i] > support.freeSpaceViolationCount[i])
                ++fractions.supported;
            if (support.supportingCount[i] < support.freeSpaceViolationCount[i])
                ++fractions.violated;
        }
        return {fractions.supported / count, fractions.violated / count};
    }

    std::vector<StereoView> views;
    std::vector<DepthMap> maps;
};

TEST(ViewSupport, comesFromTheOtherViews_whenTheDepthsAreRight) {
    const BallMaps::Fractions fractions = BallMaps().ofFirst();
    EXPECT_GT(fractions.supported, 0.8);
    EXPECT_LT(fractions.violated, 0.05);
}

TEST(ViewSupport, countsMoreThan256Views) {
    constexpr std::size_t kViews = 260;
    const BallMaps ball;
    const std::vector<StereoView> views(kViews, ball.views.front());
    DepthMap onePixel = ball.maps.front();
    const std::size_t centre = views.front().pixelIndex(kBallMapSide / 2, kBallMapSide / 2);
    for (std::size_t i = 0; i < onePixel.depth.size(); ++i)
        if (i != centre) onePixel.depth[i] = 0;
    const std::vector<DepthMap> maps(kViews, onePixel);
    EXPECT_EQ(viewSupports(views, maps, 2, {}).front().supportingCount[centre], kViews - 1);
}

TEST(ViewSupport, isWithdrawn_whenTheOtherViewsSeeThroughTheSurface) {
    BallMaps ball;
    for (float& depth : ball.maps[0].depth)
        if (depth > 0) depth -= 0.05F;
    const BallMaps::Fractions fractions = ball.ofFirst();
    EXPECT_LT(fractions.supported, 0.2);  // at the outline, where the shift is along the surface
    EXPECT_GT(fractions.violated, 0.5);
}

TEST(ViewSupport, isTheSame_forAnyNumberOfThreads) {
    const BallMaps ball;
    const std::vector<ViewSupport> one = viewSupports(ball.views, ball.maps, 1, {});
    const std::vector<ViewSupport> three = viewSupports(ball.views, ball.maps, 3, {});
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].supportingCount, three[i].supportingCount) << i;
        EXPECT_EQ(one[i].freeSpaceViolationCount, three[i].freeSpaceViolationCount) << i;
    }
}

}  // namespace
}  // namespace threefold::stereo
