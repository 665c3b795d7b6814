#include <gtest/gtest.h>

#include "tests/engine/raster/drawing.h"
#include "tests/engine/raster/shapes.h"

namespace threefold::test {
namespace {

/// A square over the whole image at each depth.
Soup squares(std::span<const float> depths) {
    Soup soup;
    for (const float z : depths) {
        soup.add({-1, -1, z, 1}, {1, -1, z, 1}, {1, 1, z, 1});
        soup.add({-1, -1, z, 1}, {1, 1, z, 1}, {-1, 1, z, 1});
    }
    return soup;
}

TEST(RasterPeeling, revealsTheNextLayer_whenSquaresAreStacked) {
    const float depths[] = {0.5F, -0.25F, 0.75F};
    const Soup soup = squares(depths);
    const auto faceAt = [&](float previousDepth, float minGap) {
        const std::vector<float> everywhere(16 * 16, previousDepth);
        RasterOptions options = optionsForSize(16, 16);
        options.peeling.previousDepths = everywhere;
        options.peeling.minGap = minGap;
        const RasterImage image = rasterize({{soup.clip}}, soup.faces, options).front();
        for (const std::uint32_t face : image.facePlusOne)
            EXPECT_EQ((face + 1) / 2, (image.facePlusOne[0] + 1) / 2);
        return (image.facePlusOne[0] + 1) / 2;  // index of the square, from 1
    };
    EXPECT_EQ(faceAt(-1, 0), 2U);
    EXPECT_EQ(faceAt(-0.25F, 0), 2U);  // with a gap of 0, an equal depth is drawn
    EXPECT_EQ(faceAt(-0.25F, 1e-6F), 1U);
    EXPECT_EQ(faceAt(0.5F, 0.1F), 3U);
    EXPECT_EQ(faceAt(0.5F, 0.3F), 0U);
    EXPECT_EQ(faceAt(std::numeric_limits<float>::infinity(), 0), 0U);
    EXPECT_EQ(faceAt(-std::numeric_limits<float>::infinity(), 0), 2U);
}

TEST(RasterPeeling, peelsABallInTwo_whenPeelingBehindItsOwnDepth) {
    const Mesh ball = icosphere(4);
    Random random(90);
    const auto clip = toClip(randomCamera(random, 3, 1), ball.vertices);
    const std::span<const glm::vec4> views[] = {clip};
    RasterOptions options = optionsForSize(100, 100);
    const RasterImage front = rasterize(views, ball.faces, options).front();
    options.peeling.previousDepths = front.depth;
    options.peeling.minGap = 1e-5F;
    const RasterImage back = rasterize(views, ball.faces, options).front();
    options.peeling.previousDepths = back.depth;
    const RasterImage third = rasterize(views, ball.faces, options).front();
    std::size_t both = 0;
    for (std::size_t i = 0; i < front.facePlusOne.size(); ++i) {
        if (back.facePlusOne[i] == 0) continue;
        ++both;
        EXPECT_NE(front.facePlusOne[i], 0U);
        EXPECT_NE(front.facePlusOne[i], back.facePlusOne[i]);
        EXPECT_GT(back.depth[i], front.depth[i]);
        EXPECT_EQ(third.facePlusOne[i], 0U);
    }
    EXPECT_GT(both, 2000U);
}

}  // namespace
}  // namespace threefold::test
