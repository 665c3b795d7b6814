#include <gtest/gtest.h>

#include "tests/engine/raster/drawing.h"
#include "tests/engine/raster/shapes.h"

namespace threefold::test {
namespace {

/// A square over the whole image at each of the depths.
Soup squares(std::span<const float> depths) {
    Soup soup;
    for (const float z : depths) {
        soup.add({-1, -1, z, 1}, {1, -1, z, 1}, {1, 1, z, 1});
        soup.add({-1, -1, z, 1}, {1, 1, z, 1}, {-1, 1, z, 1});
    }
    return soup;
}

TEST(RasterPrior, revealsTheNextLayer_whenSquaresAreStacked) {
    const float depths[] = {0.5F, -0.25F, 0.75F};
    const Soup soup = squares(depths);
    const auto faceAt = [&](float prior, float truncation) {
        const std::vector<float> everywhere(16 * 16, prior);
        RasterOptions options = imageOf(16, 16);
        options.peeling.prior = everywhere;
        options.peeling.truncation = truncation;
        const RasterImage image = rasterize({{soup.clip}}, soup.faces, options).front();
        for (const std::uint32_t face : image.face)
            EXPECT_EQ((face + 1) / 2, (image.face[0] + 1) / 2);
        return (image.face[0] + 1) / 2;  // which square, from 1
    };
    EXPECT_EQ(faceAt(-1, 0), 2U);
    EXPECT_EQ(faceAt(-0.25F, 0), 2U);  // equal is not nearer
    EXPECT_EQ(faceAt(-0.25F, 1e-6F), 1U);
    EXPECT_EQ(faceAt(0.5F, 0.1F), 3U);
    EXPECT_EQ(faceAt(0.5F, 0.3F), 0U);
    EXPECT_EQ(faceAt(std::numeric_limits<float>::infinity(), 0), 0U);
    EXPECT_EQ(faceAt(-std::numeric_limits<float>::infinity(), 0), 2U);
}

TEST(RasterPrior, peelsABallInTwo_whenItsOwnDepthIsThePrior) {
    const Mesh ball = icosphere(4);
    Random random(90);
    const auto clip = toClip(randomCamera(random, 3, 1), ball.vertices);
    const std::span<const glm::vec4> views[] = {clip};
    RasterOptions options = imageOf(100, 100);
    const RasterImage front = rasterize(views, ball.faces, options).front();
    options.peeling.prior = front.depth;
    options.peeling.truncation = 1e-5F;
    const RasterImage back = rasterize(views, ball.faces, options).front();
    options.peeling.prior = back.depth;
    const RasterImage third = rasterize(views, ball.faces, options).front();
    std::size_t both = 0;
    for (std::size_t i = 0; i < front.face.size(); ++i) {
        if (back.face[i] == 0) continue;
        ++both;
        EXPECT_NE(front.face[i], 0U);
        EXPECT_NE(front.face[i], back.face[i]);
        EXPECT_GT(back.depth[i], front.depth[i]);
        EXPECT_EQ(third.face[i], 0U);
    }
    EXPECT_GT(both, 2000U);
}

}  // namespace
}  // namespace threefold::test
