#include "ui/results/mesh_id.h"

#include <gtest/gtest.h>

namespace threefold::ui {
namespace {

TEST(MeshId, isReadFromItsName) {
    for (const MeshId id : kResultMeshes) EXPECT_EQ(MeshId::fromName(id.name()), id) << id.name();
    for (const MeshId id : kPaneOnlyIds) EXPECT_EQ(MeshId::fromName(id.name()), id) << id.name();
    for (const std::uint32_t number : {1U, 2U, 17U, 4'294'967'295U})
        EXPECT_EQ(MeshId::fromName(MeshId::opened(number).name()), MeshId::opened(number));
    EXPECT_EQ(MeshId::firstPublished.name(), "coarse");
    EXPECT_EQ(MeshId::result.name(), "refined");
    EXPECT_EQ(MeshId::textured.name(), "textured");
    EXPECT_EQ(MeshId::photograph.name(), "photograph");
    EXPECT_EQ(MeshId::opened(12).name(), "opened12");
}

TEST(MeshId, isEmpty_whenTheWordIsUnknown) {
    for (const char* word : {"", "opened", "opened0", "opened-1", "opened1x", "opened 1",
                             "opened4294967296", "Coarse", "level1"})
        EXPECT_FALSE(MeshId::fromName(word)) << word;
}

TEST(MeshId, sortsAsMenusAndTablesDo) {
    EXPECT_LT(MeshId::firstPublished, MeshId::result);
    EXPECT_LT(MeshId::truth, MeshId::opened(1));
    EXPECT_LT(MeshId::opened(2), MeshId::opened(10));
    EXPECT_TRUE(MeshId::hull.isReconstructed() && MeshId::fitted.isReconstructed());
    EXPECT_TRUE(MeshId::textured.isReconstructed());
    EXPECT_FALSE(MeshId::truth.isReconstructed() || MeshId::photograph.isReconstructed() ||
                 MeshId::opened(1).isReconstructed());
}

}  // namespace
}  // namespace threefold::ui
