#include "engine/formats/files/folders.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Folders, areMadeWithTheirParents_andMayExist) {
    const TempFolder folder;
    makeFolder(folder / "a/b/c");
    makeFolder(folder / "a/b/c");
    EXPECT_TRUE(isFolder(folder / "a/b/c"));
}

TEST(Folders, areNamedWithTheReason_whenTheyCannotBeMade) {
    const TempFolder folder;
    writeFileAtomically(folder / "file", std::string_view("in the way"));
    for (const fs::path& made : {folder / "file", folder / "file/below", folder / "file/a/b"})
        EXPECT_THAT(
            messageOf<IoError>([&] { makeFolder(made, "Do something."); }),
            AllOf(StartsWith(made.string() + ": cannot be made: "), HasSubstr("Do something.")));
    EXPECT_THAT(messageOf<IoError>([&] { makeFolder(folder / std::string(300, 'x')); }),
                AllOf(HasSubstr("File name too long"), HasSubstr("Choose a shorter name")));
}

/// Runs in a child process: removes the current folder, and exits with 0 if errors name it.
[[noreturn]] void expectCurrentFolderNamed() {
    {
        const TempFolder folder;
        fs::current_path(folder.path());
    }
    std::string told;
    try {
        absolutePath("below");
    } catch (const IoError& error) {
        told = error.what();
    }
    std::_Exit(told.starts_with("the current folder: cannot be found: ") &&
                       absolutePath("/above") == "/above"
                   ? 0
                   : 1);
}

/// Runs in a child process: sets TMPDIR to a file, and exits with 0 if errors name this file.
[[noreturn]] void expectTemporaryFolderNamed() {
    ::setenv("TMPDIR", "/proc/self/cmdline", 1);
    std::string told;
    try {
        systemTemporaryFolder();
    } catch (const IoError& error) {
        told = error.what();
    }
    std::_Exit(told.starts_with("/proc/self/cmdline: cannot hold temporary files: ") ? 0 : 1);
}

TEST(FoldersDeathTest, namesTheProcessFolders_whenMissing) {
    EXPECT_EXIT(expectCurrentFolderNamed(), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(expectTemporaryFolderNamed(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace threefold::test
