#include "engine/measures/by_mesh.h"

#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(ByMesh, givesTheLastStageAsResult_whenNothingIsFitted) {
    const ByMesh<int> values = {{"coarse", 1}, {"refined", 2}};
    EXPECT_EQ(values.first(), 1);
    EXPECT_EQ(values.result(), 2);
    EXPECT_EQ(values.best(), 2);
    EXPECT_EQ(values.fitted(), nullptr);
}

TEST(ByMesh, givesTheFittedMeshAsBest_butNotAsResult) {
    ByMesh<int> values = {{"coarse", 1}, {"refined", 2}};
    values.add(kFittedMesh, 3);
    EXPECT_EQ(values.result(), 2);
    EXPECT_EQ(values.best(), 3);
    ASSERT_NE(values.fitted(), nullptr);
    EXPECT_EQ(*values.fitted(), 3);
    values.result() = 7;
    EXPECT_EQ(*values.find("refined"), 7);
}

TEST(ByMesh, findsNothing_whenAMeshWasNotMeasured) {
    ByMesh<int> values;
    EXPECT_TRUE(values.empty());
    EXPECT_EQ(values.find("coarse"), nullptr);
    values.add("coarse", 1);
    EXPECT_EQ(values.find("refined"), nullptr);
}

}  // namespace
}  // namespace threefold
