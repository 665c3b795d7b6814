#include "engine/views/lens.h"

#include <cmath>

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

namespace threefold {
namespace {

Lens photographic() {
    return {640, 480, 500, 510, 330, 235, -0.2, 0.05, -0.01, 1e-3, -2e-3};
}

TEST(Lens, projectsAsOpenCv_whenDistorted) {
    // Formula of cv::projectPoints for (0.3, -0.2, 2) in OpenCV's axes.
    const auto pixel = LensProjection(photographic()).project({0.3, 0.2, -2});
    ASSERT_TRUE(pixel);
    const double x = 0.15, y = -0.1, r2 = x * x + y * y;
    const double radial = 1 - 0.2 * r2 + 0.05 * r2 * r2 - 0.01 * r2 * r2 * r2;
    EXPECT_NEAR(pixel->x, 500 * (x * radial + 2 * 1e-3 * x * y - 2e-3 * (r2 + 2 * x * x)) + 330,
                1e-12);
    EXPECT_NEAR(pixel->y, 510 * (y * radial + 1e-3 * (r2 + 2 * y * y) - 2 * 2e-3 * x * y) + 235,
                1e-12);
}

TEST(Lens, restoresTheRay_fromItsPixel) {
    const Lens lens = photographic();
    const LensProjection projection(lens);
    for (const glm::dvec2 pixel : {glm::dvec2(0, 0), {640, 480}, {330, 235}, {12, 400}}) {
        const glm::dvec3 ray = directionThrough(lens, pixel).value();
        EXPECT_NEAR(glm::length(ray), 1, 1e-12);
        EXPECT_LT(ray.z, 0);
        const auto again = projection.project(2.5 * ray);
        ASSERT_TRUE(again);
        EXPECT_LT(glm::length(*again - pixel), 1e-6);
    }
}

TEST(Lens, hasNoRay_whenNoPointMapsToThePixel) {
    // r (1 − r²/2) is at most 0.544, which is pixel 104.4 of the middle row.
    const Lens barrel{100, 100, 100, 100, 50, 50, -0.5, 0, 0, 0, 0};
    const auto edge = directionThrough(barrel, {104, 50});
    ASSERT_TRUE(edge);
    EXPECT_LT(-edge->x / edge->z, 0.8165);
    EXPECT_FALSE(directionThrough(barrel, {105, 50}));
    EXPECT_FALSE(directionThrough(barrel, {500, 50}));
}

TEST(Lens, restoresTheRay_atTheLargestAllowedDistortion) {
    for (const double k1 : {1e3, -1e3, 30.0, -30.0}) {
        const Lens lens{1000, 1000, 800, 800, 500, 500, k1, 0, 0, 1e-3, 0};
        const LensProjection projection(lens);
        for (const double x : {0.0, 0.005, 0.01, 0.015}) {
            const auto pixel = projection.project({x, -0.5 * x, -1});
            ASSERT_TRUE(pixel);
            const auto ray = directionThrough(lens, *pixel);
            ASSERT_TRUE(ray) << k1 << ' ' << x;
            EXPECT_NEAR(-ray->x / ray->z, x, 1e-10) << k1;
        }
    }
}

TEST(Lens, projectsNothing_behindTheCameraOrPastTheTurningPoint) {
    EXPECT_FALSE(LensProjection(photographic()).project({0, 0, 1}));
    Lens barrel{100, 100, 100, 100, 50, 50, -0.5, 0, 0, 0, 0};
    // r (1 − r²/2) has its maximum at r = 0.816; points beyond would be projected into the picture
    // again.
    EXPECT_TRUE(LensProjection(barrel).project({0.8, 0, -1}));
    EXPECT_FALSE(LensProjection(barrel).project({0.83, 0, -1}));
}

TEST(Lens, projectsNothing_pastABrieflyNegativeSlope) {
    // The slope is negative from r² = 0.5003 to 0.5007 only.
    constexpr double kMiddle = 0.5005, kHalfWidth = 2e-4;
    constexpr double kCurvature = 1 / (kMiddle * kMiddle - kHalfWidth * kHalfWidth);
    Lens lens{100, 100, 100, 100, 50, 50, 0, 0, 0, 0, 0};
    lens.k1 = -2 * kCurvature * kMiddle / 3;
    lens.k2 = kCurvature / 5;
    EXPECT_TRUE(LensProjection(lens).project({std::sqrt(0.5), 0, -1}));
    for (const double squaredRadius : {0.5005, 0.501, 0.6})
        EXPECT_FALSE(LensProjection(lens).project({std::sqrt(squaredRadius), 0, -1}))
            << squaredRadius;
}

}  // namespace
}  // namespace threefold
