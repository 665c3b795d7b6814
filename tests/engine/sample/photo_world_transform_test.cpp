#include "engine/sample/photo_world_transform.h"

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace threefold {
namespace {

/// Transform from a world with z up to object space, which has y up.
SimilarityTransform fromZUp() {
    SimilarityTransform transform;
    transform.rotation = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    transform.scale = 0.2;
    transform.sourceOrigin = {3, 2, 1};
    return transform;
}

TEST(PhotoWorldTransform, isTheIdentity_forCameraRows) {
    const PhotoWorldTransform world;
    EXPECT_EQ(world.fromObject({0.1, -0.2, 0.3}), glm::dvec3(0.1, -0.2, 0.3));
    EXPECT_EQ(world.toObject({0.1, -0.2, 0.3}), glm::dvec3(0.1, -0.2, 0.3));
    EXPECT_EQ(world.origin(), glm::dvec3(0.0));
    EXPECT_FALSE(world.isZUp());
}

TEST(PhotoWorldTransform, transformsThereAndBack) {
    const PhotoWorldTransform world(fromZUp());
    EXPECT_LT(glm::distance(world.toObject({3, 2, 2}), glm::dvec3(0, 0.2, 0)), 1e-12);
    EXPECT_LT(glm::distance(world.fromObject({0, 0.2, 0}), glm::dvec3(3, 2, 2)), 1e-12);
}

TEST(PhotoWorldTransform, isZUp_whenItsZIsObjectSpacesY) {
    EXPECT_TRUE(PhotoWorldTransform(fromZUp()).isZUp());
    EXPECT_FALSE(PhotoWorldTransform(SimilarityTransform{}).isZUp());
}

}  // namespace
}  // namespace threefold
