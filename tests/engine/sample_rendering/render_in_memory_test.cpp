#include "engine/sample_rendering/render_in_memory.h"

#include <gtest/gtest.h>

#include "tests/engine/sample_rendering/shapes.h"

namespace threefold::test {
namespace {

/// Options for three small views.
RenderOptions threeSmallViews() {
    RenderOptions settings;
    settings.side = 32;
    settings.points = 500;
    settings.views.count = 3;
    return settings;
}

TEST(RenderInMemory, givesViewsCamerasAndTruth_ofTheMesh) {
    const RenderedInMemory rendered =
        renderInMemory(plain(box({1, 2, 3})), "box", threeSmallViews());
    ASSERT_EQ(rendered.input.images.size(), 3U);
    EXPECT_EQ(rendered.input.images.front().width, 32);
    EXPECT_EQ(rendered.input.cameras.size(), 3U);
    EXPECT_EQ(rendered.truth.points.size(), 500U);
    EXPECT_EQ(rendered.truth.normals.size(), 500U);
    EXPECT_TRUE(rendered.unreadable.empty());
}

TEST(RenderInMemory, dependsOnTheName_whereAnglesAreRandom) {
    const auto first = [](const char* name) {
        const RenderedInMemory rendered =
            renderInMemory(plain(box({1, 1, 1})), name, threeSmallViews());
        return rendered.input.cameras.front().centre;
    };
    EXPECT_EQ(first("a"), first("a"));
    EXPECT_NE(first("a"), first("b"));
}

}  // namespace
}  // namespace threefold::test
