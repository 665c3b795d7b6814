#include "engine/structure_from_motion/upright_model.h"

#include <algorithm>
#include <span>

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <gtest/gtest.h>

#include "tests/engine/structure_from_motion/object_of_points.h"

namespace threefold::test {
namespace {

using namespace structure_from_motion;

class MakeUpright : public ObjectOfPoints {
  protected:
    static constexpr double kDistance = 2;

    /// Rotates and scales the model, since COLMAP's orientation and scale are arbitrary, and makes
    /// the model upright.
    UprightObject makeUprightAgain() {
        turn(tiltBy(60));
        for (SparsePoint& point : model_.points) point.position *= 3;
        for (RegisteredImage& image : model_.images) image.pose.centre *= 3;
        return makeUpright(model_, kDistance, "photographs");
    }
};

TEST_F(MakeUpright, laysTheTableLevel_andPutsTheObjectOverTheOrigin) {
    addTable();
    const UprightObject upright = makeUprightAgain();
    ASSERT_TRUE(upright.object);
    EXPECT_TRUE(upright.object->support);
    EXPECT_GT(upright.supportPointCount, 1000U);
    const Box3d& box = upright.object->box;
    EXPECT_NEAR(box.min.z, 0, 1e-9);
    EXPECT_LT(glm::length(glm::dvec2(box.centre())), 1e-9);
    EXPECT_NEAR(model_.meanCameraDistance(box.centre()), kDistance, 1e-9);
    const auto [lowest, highest] =
        std::ranges::minmax(std::span(model_.points).last(41 * 41), {},
                            [](const SparsePoint& point) { return point.position.z; });
    EXPECT_LT(highest.position.z - lowest.position.z, 0.02 * kDistance);
}

TEST_F(MakeUpright, takesTheCamerasAsLevel_whenThereIsNoTable) {
    const UprightObject upright = makeUprightAgain();
    ASSERT_TRUE(upright.object);
    EXPECT_FALSE(upright.object->support);
    EXPECT_EQ(upright.supportPointCount, 0U);
    EXPECT_NEAR(upright.object->box.min.z, 0, 1e-9);
    EXPECT_NEAR(model_.meanCameraDistance(upright.object->box.centre()), kDistance, 1e-9);
    for (const RegisteredImage& image : model_.images) EXPECT_GT(image.pose.centre.z, 0);
}

}  // namespace
}  // namespace threefold::test
