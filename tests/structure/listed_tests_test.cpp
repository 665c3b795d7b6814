#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/structure/modules.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;

/// Whether the CMakeLists.txt of the file's folder, or of a folder above it up to `root`, names the
/// file.
bool isListed(const fs::path& file, const fs::path& root) {
    for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
        const std::string list = textOf(folder / "CMakeLists.txt");
        if (list.find(file.filename().string()) != std::string::npos) return true;
        if (folder == root || !folder.has_relative_path()) return false;
    }
}

/// Paths, relative to `root` and sorted, of the files "…_test.cpp" below `root` that isListed()
/// does not find.
std::vector<std::string> unlistedTests(const fs::path& root) {
    std::vector<std::string> unlisted;
    for (const auto& entry : fs::recursive_directory_iterator(root))
        if (entry.path().filename().string().ends_with("_test.cpp") &&
            !isListed(entry.path(), root))
            unlisted.push_back(fs::relative(entry.path(), root).generic_string());
    std::ranges::sort(unlisted);
    return unlisted;
}

TEST(TestFiles, areListed) {
    EXPECT_THAT(unlistedTests(fs::path(THREEFOLD_SOURCE_ROOT) / "tests"), testing::IsEmpty());
}

TEST(TestFiles, areNamed_whenNoProgramBuildsThem) {
    const TempFolder folder;
    fs::create_directory(folder.path() / "a");
    std::ofstream(folder.path() / "CMakeLists.txt") << "threefold_test(x engine a/x_test.cpp)\n";
    for (const char* file : {"a/x_test.cpp", "a/y_test.cpp", "y_test.cpp", "a/z.cpp"})
        std::ofstream(folder.path() / file) << "\n";
    EXPECT_THAT(unlistedTests(folder.path()), testing::ElementsAre("a/y_test.cpp", "y_test.cpp"));
}

}  // namespace
}  // namespace threefold::test
