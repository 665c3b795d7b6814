#include "engine/stereo/stereo_view.h"

#include <gtest/gtest.h>

#include "tests/engine/hull/shapes.h"

namespace threefold::stereo {
namespace {

constexpr int kViewSide = 64;
constexpr double kViewDepth = 0.8;

StereoView emptyView() {
    return {test::camerasAround(1).front(), kViewSide};
}

TEST(StereoView, findsThePixel_whichAPointIsProjectedTo) {
    const StereoView view = emptyView();
    const auto pixel = view.pixelAt(view.projection.pointAt(12.3, 40.4, kViewDepth));
    ASSERT_TRUE(pixel);
    EXPECT_EQ(pixel->column, 12);
    EXPECT_EQ(pixel->row, 40);
    EXPECT_NEAR(pixel->depth, kViewDepth, 1e-9);
    EXPECT_EQ(view.pixelIndex(*pixel), 40U * kViewSide + 12U);
}

TEST(StereoView, findsNoPixel_whenAPointIsOutsideThePictureOrBehindTheCamera) {
    const StereoView view = emptyView();
    const StereoProjection& to = view.projection;
    EXPECT_TRUE(view.pixelAt(to.pointAt(kViewSide - 0.6, 0, kViewDepth)));
    EXPECT_FALSE(view.pixelAt(to.pointAt(kViewSide - 0.4, 0, kViewDepth)));
    EXPECT_FALSE(view.pixelAt(to.pointAt(-0.6, 10, kViewDepth)));
    EXPECT_FALSE(view.pixelAt(to.pointAt(10, 1e12, kViewDepth)));
    EXPECT_FALSE(view.pixelAt(to.pointAt(10, 10, -kViewDepth)));
}

}  // namespace
}  // namespace threefold::stereo
