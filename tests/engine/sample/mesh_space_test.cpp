#include "engine/sample/mesh_space.h"

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/mesh.h"

namespace threefold {
namespace {

TEST(MeshSpaces, areDetected_fromThePointsPositions) {
    EXPECT_EQ(detectSpace(Points{{0, 0, -0.6F}, {0.1F, 0, -1.0F}}), MeshSpace::camera);
    EXPECT_EQ(detectSpace(Points{{0, 0, -0.28F}, {0.1F, 0, 0.28F}}), MeshSpace::world);
    EXPECT_EQ(detectSpace(Points{}), MeshSpace::world);
}

TEST(SuspiciousSizeRatio, isGiven_whenTheSizesDifferByMoreThanAFactorOfFive) {
    const Points metres = {{0, 0, 0}, {1, 0, 0}};
    const Points millimetres = {{0, 0, 0}, {1000, 0, 0}};
    EXPECT_EQ(suspiciousSizeRatio(millimetres, metres), 1000);
    EXPECT_EQ(suspiciousSizeRatio(metres, millimetres), 0.001);
    EXPECT_FALSE(suspiciousSizeRatio(metres, Points{{0, 0, 0}, {4, 0, 0}}));
    EXPECT_FALSE(suspiciousSizeRatio(metres, Points{}));
    EXPECT_FALSE(suspiciousSizeRatio(metres, Points{{3, 3, 3}})) << "a point has no size";
}

TEST(TruthSpaceChoice, isNamedAsInOptions) {
    for (const TruthSpaceChoice space : {TruthSpaceChoice::byFormat, TruthSpaceChoice::camera,
                                         TruthSpaceChoice::world, TruthSpaceChoice::detected})
        EXPECT_EQ(truthSpaceFromName(truthSpaceName(space)), space);
    EXPECT_EQ(truthSpaceName(TruthSpaceChoice::camera), "view");
    EXPECT_THROW(truthSpaceFromName("camera"), UsageError);
}

}  // namespace
}  // namespace threefold
