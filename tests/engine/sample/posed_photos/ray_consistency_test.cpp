#include "engine/sample/posed_photos/ray_consistency.h"

#include <cmath>
#include <limits>
#include <vector>

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold {
namespace {

Ray rayTo(glm::dvec3 origin, glm::dvec3 target) {
    return {origin, glm::normalize(target - origin)};
}

/// Rays from a circle of radius 2 to `target`.
std::vector<Ray> raysTo(glm::dvec3 target, int count) {
    std::vector<Ray> rays;
    for (int i = 0; i < count; ++i)
        rays.push_back(rayTo({2 * std::cos(i), 2 * std::sin(i), 0.5}, target));
    return rays;
}

TEST(RayResidual, isAFractionOfTheDistance_infiniteBehindTheRay) {
    const Ray ray{{0, 0, 0}, {1, 0, 0}};
    EXPECT_DOUBLE_EQ(rayResidual(ray, {2, 1, 0}), 0.5);
    EXPECT_EQ(rayResidual(ray, {-2, 0, 0}), std::numeric_limits<double>::infinity());
}

TEST(RayAgreement, namesTheWorstRay_andCountsRaysWithThePointBehind) {
    std::vector<Ray> rays = raysTo({0, 0, 0}, 4);
    rays[2].direction = glm::normalize(rays[2].direction + glm::dvec3(0, 0, 0.1));
    RayAgreement meeting = rayAgreementOf(rays, {0, 0, 0});
    EXPECT_EQ(meeting.behindCount, 0U);
    EXPECT_EQ(meeting.worstRay, 2U);
    EXPECT_DOUBLE_EQ(meeting.worstResidual, rayResidual(rays[2], {0, 0, 0}));
    rays[1].direction = -rays[1].direction;
    meeting = rayAgreementOf(rays, {0, 0, 0});
    EXPECT_EQ(meeting.behindCount, 1U);
    EXPECT_FALSE(allRaysMeet(rays, {0, 0, 0}));
}

TEST(RayOutliers, areNone_whenAllRaysMeet) {
    const auto outliers = findOutlierRays(raysTo({0.1, 0.2, 0.3}, 5));
    ASSERT_TRUE(outliers);
    EXPECT_TRUE(outliers->rays.empty());
    EXPECT_LT(glm::distance(outliers->point, glm::dvec3(0.1, 0.2, 0.3)), 1e-9);
}

TEST(RayOutliers, areTheRaysThatMissThePointOfTheOthers) {
    std::vector<Ray> rays = raysTo({0, 0, 0}, 8);
    rays[5] = rayTo(rays[5].origin, rays[5].origin + glm::dvec3(0, 0, 1));
    const auto outliers = findOutlierRays(rays);
    ASSERT_TRUE(outliers);
    EXPECT_THAT(outliers->rays, testing::ElementsAre(5U));
    EXPECT_LT(glm::length(outliers->point), 1e-9);
}

TEST(RayOutliers, areUnknown_whenMoreThanAQuarterMissThePoint) {
    std::vector<Ray> rays = raysTo({0, 0, 0}, 4);
    for (const std::size_t ray : {0U, 1U})
        rays[ray] = rayTo(rays[ray].origin, rays[ray].origin + glm::dvec3(0, 0, 1));
    EXPECT_FALSE(findOutlierRays(rays));
}

}  // namespace
}  // namespace threefold
