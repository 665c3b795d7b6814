#include "engine/geometry/alignment.h"

#include <cmath>
#include <cstdint>

#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/mesh.h"

namespace threefold {
namespace {

/// An asymmetric body: a long arm, a short arm and an oval foot.
Points body(std::uint32_t random, std::size_t count) {
    const auto next = [&] {
        random = random * 1664525U + 1013904223U;
        return static_cast<float>(random >> 8U) / 16777216.0F;
    };
    Points points;
    for (std::size_t i = 0; i < count; ++i) {
        const float u = next(), v = next();
        const float turn = 6.2831853F * v;
        if (i % 3 == 0)
            points.emplace_back(0.6F * u, 0.03F * std::cos(turn), 0.03F * std::sin(turn));
        if (i % 3 == 1)
            points.emplace_back(0.02F * std::cos(turn), 0.3F * u, 0.02F * std::sin(turn));
        if (i % 3 == 2)
            points.emplace_back(0.1F * std::cos(turn) * u, -0.1F, 0.15F * std::sin(turn));
    }
    return points;
}

TEST(Alignment, findsScaleRotationAndTranslation_fromOtherPointsOfOneBody) {
    const Points target = body(1, 6000);
    for (const double degrees : {0.0, 12.0, 90.0, 165.0}) {
        const double half = degrees * 3.14159265358979 / 360;
        const glm::dvec3 axis = glm::normalize(glm::dvec3(degrees == 90 ? 0 : 0.4, 1, 0));
        const SimilarityTransform apart{
            glm::mat3_cast(glm::dquat(std::cos(half), std::sin(half) * axis)),
            137.0,
            {},
            {40, -7, 3}};
        Points points;
        for (const glm::vec3 point : body(2, 5000))
            points.emplace_back(apart.apply(glm::dvec3(point)));
        EXPECT_FALSE(areAligned(points, target));
        const SimilarityTransform found = alignByIcp(points, target);
        EXPECT_NEAR(found.scale * 137, 1, 0.02) << degrees;
        EXPECT_NEAR(found.rotationDegrees(), degrees, 2) << degrees;
        Points back;
        for (const glm::vec3 point : points) back.emplace_back(found.apply(glm::dvec3(point)));
        EXPECT_TRUE(areAligned(back, target));
        for (const glm::vec3 point : body(2, 300))
            EXPECT_LT(glm::distance(found.apply(apart.apply(glm::dvec3(point))), glm::dvec3(point)),
                      0.02);
    }
}

TEST(Alignment, doesNotRotate_whenRotationGainsNothing) {
    Points cube;
    for (int i = 0; i < 1000; ++i)
        cube.emplace_back(float(i % 10), float(i / 10 % 10), float(i / 100));
    EXPECT_NEAR(alignByIcp(cube, cube).rotationDegrees(), 0, 0.01);
}

TEST(Alignment, refusesPoints_withoutSizeOrNotFinite) {
    const Points one(5, glm::vec3(1.0F)), some = body(1, 30);
    EXPECT_THROW(alignByIcp(one, some), InputError);
    EXPECT_THROW(alignByIcp(some, one), InputError);
    EXPECT_THROW(alignByIcp({}, some), InputError);
    Points broken = some;
    broken[3].x = NAN;
    EXPECT_THROW(alignByIcp(broken, some), InputError);
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(alignByIcp(some, some, source.get_token()), Cancelled);
}

}  // namespace
}  // namespace threefold
