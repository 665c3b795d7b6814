
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/sample_rendering/list_files.h"
#include "engine/sample_rendering/source_mesh.h"
#include "tests/engine/sample_rendering/shapes.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string nameOf(const std::filesystem::path& file, const std::string& category = {}) {
    const SourceMesh mesh = nameMesh(file, category);
    return mesh.category + '/' + mesh.id;
}

TEST(MeshFolder, namesMeshesByFileAndFolder) {
    EXPECT_EQ(nameOf("/data/chairs/red.one.obj"), "chairs/red.one");
    EXPECT_EQ(nameOf("/data/chairs/red.obj", "03001627"), "03001627/red");
    EXPECT_EQ(nameOf("/core/03001627/1a2b/model.obj"), "03001627/1a2b");
    EXPECT_EQ(nameOf("/core/03001627/1a2b/models/model_normalized.obj"), "03001627/1a2b");
    EXPECT_EQ(nameOf("/my_data/a_b.ply"), "my-data/a_b");
    EXPECT_EQ(nameOf("/d/#x\n.ply"), "d/-x-");
    EXPECT_EQ(nameOf("/x.ply"), "mesh/x");
    EXPECT_EQ(nameOf("/model.obj"), "mesh/model");
}

TEST(MeshFolder, findsMeshesBelow_sorted) {
    const TempFolder folder;
    for (const char* name : {"b/two.STL", "b/one.obj", "a/x/three.ply", "a/.hidden/no.obj",
                             "b/cloud.xyz", "b/one.mtl", "c.glb"})
        writeText(folder / name, "");
    std::vector<std::string> found;
    for (const SourceMesh& mesh : findMeshes(folder.path()))
        if (mesh.id != "c") found.push_back(mesh.category + '/' + mesh.id);
    EXPECT_THAT(found, ElementsAre("b/one", "b/two", "x/three"));
    EXPECT_EQ(findMeshes(folder.path()).size(), 4U);
    EXPECT_EQ(findMeshes(folder.path(), "", folder / "b").size(), 2U);
    EXPECT_EQ(findMeshes(folder.path(), "", folder / "nowhere").size(), 4U);
    EXPECT_THAT(messageOf<InputError>([&] { findMeshes(folder / "nowhere"); }),
                HasSubstr("cannot be listed"));
    std::filesystem::create_directory(folder / "empty");
    EXPECT_THAT(messageOf<InputError>([&] { findMeshes(folder / "empty"); }),
                HasSubstr("holds no mesh"));
}

TEST(MeshFolder, followsLinks_butNotCycles) {
    const TempFolder folder;
    writeText(folder / "elsewhere/chairs/one.obj", "");
    writeText(folder / "in/tables/two.obj", "");
    std::filesystem::create_directory_symlink(folder / "elsewhere/chairs", folder / "in/chairs");
    std::filesystem::create_directory_symlink(folder / "in", folder / "in/tables/circle");
    std::filesystem::create_directory_symlink("..", folder / "in/up");
    std::filesystem::create_directory_symlink("nowhere", folder / "in/broken");
    std::set<std::string> found;
    for (const SourceMesh& mesh : findMeshes(folder / "in"))
        found.insert(mesh.category + '/' + mesh.id);
    EXPECT_THAT(found, ElementsAre("chairs/one", "tables/two"));
    std::filesystem::remove(folder / "in/up");
    EXPECT_EQ(findMeshes(folder / "in").size(), 2U);
    EXPECT_EQ(findMeshes(folder / "in/").size(), 2U);
}

TEST(ListFiles, areSplit_byNameOnly) {
    std::size_t tests = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::string id = "item" + std::to_string(i);
        EXPECT_FALSE(isInTestSplit(id, 0));
        EXPECT_TRUE(isInTestSplit(id, 1));
        if (isInTestSplit(id, 0.2)) {
            ++tests;
            EXPECT_TRUE(isInTestSplit(id, 0.5))
                << "a larger fraction keeps the samples of a smaller one";
        }
    }
    EXPECT_NEAR(static_cast<double>(tests), 400, 60);
}

}  // namespace
}  // namespace threefold::test
