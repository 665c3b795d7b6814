#include "ui/files/file_kinds.h"

#include <gtest/gtest.h>

namespace threefold::ui {
namespace {

TEST(DropMeaning, isTheSession_whenATruthIsDroppedWithIt) {
    const QString session = "Drop to restore the session";
    EXPECT_EQ(dropHint({"a.dat", "b.threefold"}, FileRole::byKind, true), session);
    EXPECT_EQ(dropHint({"a.ply", "b.threefold"}, FileRole::truth, true), session);
    EXPECT_EQ(dropHint({"a.dat"}, FileRole::byKind, true), "Drop as truth");
}

TEST(DropMeaning, namesTheReference_whenMeshesAreDroppedAlone) {
    EXPECT_EQ(dropHint({"a.ply", "b.ply"}, FileRole::byKind, false),
              "Drop to compare a.ply against b.ply");
    EXPECT_EQ(dropHint({"a.ply", "b.ply", "c.ply"}, FileRole::byKind, false),
              "Drop to compare 2 meshes against c.ply");
}

TEST(DropMeaning, isTheSample_whenImagesAreDroppedWithIt) {
    EXPECT_EQ(dropHint({"a.png", "b.png"}, FileRole::byKind, false), "Drop to use these images");
    EXPECT_EQ(dropHint({"a.png", "b.png", "folder"}, FileRole::byKind, false), "Drop to open");
}

}  // namespace
}  // namespace threefold::ui
