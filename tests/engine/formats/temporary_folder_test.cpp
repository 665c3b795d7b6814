#include "engine/formats/files/temporary_folder.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;

class FolderOfTheSystem : public testing::Test {
  protected:
    FolderOfTheSystem() {
        const char* before = std::getenv("TMPDIR");
        before_ = before != nullptr ? before : "";
        setenv("TMPDIR", parent_.path().c_str(), 1);
    }
    ~FolderOfTheSystem() override {
        before_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before_.c_str(), 1);
    }

    TempFolder parent_;
    std::string before_;
};

TEST_F(FolderOfTheSystem, isRemovedWithItsContents_atTheEndOfItsScope) {
    {
        const TemporaryFolder folder("made");
        EXPECT_EQ(folder.path().parent_path(), parent_.path());
        fs::create_directories(folder.path() / "a/b");
        folder.remove();
        EXPECT_FALSE(fs::exists(folder.path()));
    }
    EXPECT_TRUE(fs::is_empty(parent_.path()));
}

TEST_F(FolderOfTheSystem, removesOnlyFoldersOfKilledProcesses) {
    const TemporaryFolder alive("made");
    for (const char* name :
         {"threefold-made-abcdef", "threefold-made-abc", "threefold-other-abcdef"})
        fs::create_directories(parent_ / name / "a");
    fs::create_directory_symlink(parent_ / "threefold-made-abc", parent_ / "threefold-made-ghijkl");
    const TemporaryFolder next("made");
    EXPECT_FALSE(fs::exists(parent_ / "threefold-made-abcdef"));
    EXPECT_TRUE(fs::exists(parent_ / "threefold-made-abc/a"));
    EXPECT_TRUE(fs::exists(parent_ / "threefold-made-ghijkl/a"));
    EXPECT_TRUE(fs::exists(parent_ / "threefold-other-abcdef/a"));
    EXPECT_TRUE(fs::exists(alive.path()));
}

TEST_F(FolderOfTheSystem, isMadeInAnotherFolder_whenOneIsNamed) {
    const TempFolder other;
    const TemporaryFolder folder("made", other.path(), "Choose another one.");
    EXPECT_EQ(folder.path().parent_path(), other.path());
    try {
        const TemporaryFolder none("made", other / "missing", "Choose another one.");
        ADD_FAILURE() << "made a folder in a missing one";
    } catch (const IoError& error) {
        EXPECT_EQ(error.report().remedy, "Choose another one.");
    }
}

TEST_F(FolderOfTheSystem, isRefused_whenTheSystemHasNone) {
    setenv("TMPDIR", (parent_ / "missing").c_str(), 1);
    EXPECT_THROW(TemporaryFolder("made"), IoError);
}

}  // namespace
}  // namespace threefold::test
