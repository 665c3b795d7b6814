#include "engine/structure_from_motion/sparse_object.h"

#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <gtest/gtest.h>

#include "tests/engine/turntable/scene.h"

namespace threefold::test {
namespace {

using namespace structure_from_motion;

/// Cameras of the turntable's scene around a ball of radius 0.1 on z = 0.
class ObjectOfPoints : public testing::Test {
  protected:
    static constexpr double kRadius = 0.1;

    ObjectOfPoints() {
        for (const CalibratedMask& view :
             TurntableScene::outlines({}, TurntableScene::azimuths(8, 45)))
            model_.images.push_back({model_.images.size(), view.pose, view.lens, 0});
        for (int i = 0; i < 200; ++i) {
            const double z = 1 - 2 * (i + 0.5) / 200;
            const double ring = std::sqrt(1 - z * z);
            const double angle = i * std::numbers::pi * (3 - std::sqrt(5));
            add(glm::dvec3(0, 0, kRadius) +
                kRadius * glm::dvec3(ring * std::cos(angle), ring * std::sin(angle), z));
        }
    }

    void add(glm::dvec3 point) { model_.points.push_back({point, 0.5, 4}); }
    void addTable() {
        for (int x = -20; x <= 20; ++x)
            for (int y = -20; y <= 20; ++y) add({x * 0.02, y * 0.02, 0});
    }

    SparseModel model_;
};

TEST_F(ObjectOfPoints, isTheirBox) {
    const auto object = sparseObject(model_, {0, 0, 0.1});
    ASSERT_TRUE(object);
    EXPECT_FALSE(object->hasSupport);
    EXPECT_NEAR(object->box.diagonal(), 2 * std::sqrt(3) * kRadius, 0.01);
}

TEST_F(ObjectOfPoints, standsOnTheTable_butDoesNotIncludeIt) {
    addTable();
    const auto object = sparseObject(model_, {0, 0, 0.1});
    ASSERT_TRUE(object);
    EXPECT_TRUE(object->hasSupport);
    EXPECT_NEAR(object->box.min.z, 0, 0.003);
    EXPECT_NEAR(object->box.min.x, -kRadius, 0.01);
    EXPECT_NEAR(object->box.max.y, kRadius, 0.01);
}

// The cameras' up is off by some degrees where they are not held level; the table's is not.
TEST_F(ObjectOfPoints, hasTheTablesNormal_asUp) {
    addTable();
    for (int i = 0; i < 300; ++i)  // points on the table are noisy
        add({0.001 * (i - 150), 0.0013 * ((i * 37) % 300 - 150), 0.002 * ((i * 11) % 5 - 2)});
    const double angle = 7 * std::numbers::pi / 180;
    const glm::dmat3 tilt(1, 0, 0, 0, std::cos(angle), std::sin(angle), 0, -std::sin(angle),
                          std::cos(angle));
    for (SparsePoint& point : model_.points) point.position = tilt * point.position;
    for (RegisteredImage& camera : model_.images) {
        camera.pose.centre = tilt * camera.pose.centre;
        camera.pose.rotation = camera.pose.rotation * glm::transpose(tilt);
    }
    const auto object = sparseObject(model_, tilt * glm::dvec3(0, 0, 0.1));
    ASSERT_TRUE(object);
    ASSERT_TRUE(object->hasSupport);
    EXPECT_GT(glm::dot(object->supportNormal, tilt * glm::dvec3(0, 0, 1)),
              std::cos(0.2 * std::numbers::pi / 180));
    EXPECT_GT(object->supportPointCount, 1000U);
}

TEST_F(ObjectOfPoints, keepsItsOwnFlatBase) {
    for (int x = -6; x <= 6; ++x)
        for (int y = -6; y <= 6; ++y) add({x * 0.01, y * 0.01, -0.03});
    const auto object = sparseObject(model_, {0, 0, 0.1});
    ASSERT_TRUE(object);
    EXPECT_FALSE(object->hasSupport);
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
