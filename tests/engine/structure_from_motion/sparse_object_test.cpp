#include "engine/structure_from_motion/sparse_object.h"

#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "tests/engine/structure_from_motion/object_of_points.h"

namespace threefold::test {
namespace {

using namespace structure_from_motion;

TEST_F(ObjectOfPoints, isTheBoxOfItsPoints) {
    const auto object = sparseObject(model_, {0, 0, 0.1});
    ASSERT_TRUE(object);
    EXPECT_FALSE(object->support);
    EXPECT_NEAR(object->box.diagonal(), 2 * std::sqrt(3) * kRadius, 0.01);
}

TEST_F(ObjectOfPoints, standsOnTheTable_butDoesNotIncludeIt) {
    addTable();
    const auto object = sparseObject(model_, {0, 0, 0.1});
    ASSERT_TRUE(object);
    EXPECT_TRUE(object->support);
    EXPECT_NEAR(object->box.min.z, 0, 0.003);
    EXPECT_NEAR(object->box.min.x, -kRadius, 0.01);
    EXPECT_NEAR(object->box.max.y, kRadius, 0.01);
}

// The model's z axis is the cameras' up direction, which is off by some degrees if the cameras are
// not held level. The table's normal is exact.
TEST_F(ObjectOfPoints, hasTheTablesNormal_asUp) {
    addTable();
    for (int i = 0; i < 300; ++i)  // noise around the table
        add({0.001 * (i - 150), 0.0013 * ((i * 37) % 300 - 150), 0.002 * ((i * 11) % 5 - 2)});
    const glm::dmat3 tilt = tiltBy(7);
    turn(tilt);
    const auto object = sparseObject(model_, tilt * glm::dvec3(0, 0, 0.1));
    ASSERT_TRUE(object);
    ASSERT_TRUE(object->support);
    EXPECT_GT(glm::dot(object->support->normal, tilt * glm::dvec3(0, 0, 1)),
              std::cos(0.2 * std::numbers::pi / 180));
    EXPECT_GT(object->support->pointCount, 1000U);
}

TEST_F(ObjectOfPoints, keepsItsOwnFlatBase) {
    for (int x = -6; x <= 6; ++x)
        for (int y = -6; y <= 6; ++y) add({x * 0.01, y * 0.01, -0.03});
    const auto object = sparseObject(model_, {0, 0, 0.1});
    ASSERT_TRUE(object);
    EXPECT_FALSE(object->support);
    EXPECT_NEAR(object->box.min.z, -0.03, 0.001);
}

TEST_F(ObjectOfPoints, leavesOutTheBackground) {
    for (int i = 0; i < 150; ++i) add({0.4 + 0.0005 * i, -0.1 + 0.001 * i, 0.1});
    const auto object = sparseObject(model_, {0, 0, 0.1});
    ASSERT_TRUE(object);
    EXPECT_LT(object->box.max.x, 0.11);
}

TEST_F(ObjectOfPoints, isUnknown_whenPointsAreFew) {
    model_.points.resize(20);
    EXPECT_FALSE(sparseObject(model_, {0, 0, 0.1}));
    EXPECT_FALSE(sparseObject({}, {0, 0, 0}));
}

}  // namespace
}  // namespace threefold::test
