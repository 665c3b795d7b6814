#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/bundled.h"
#include "tests/app/process.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;
using testing::Not;

std::string pageText(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(PageCommand, writesASample_belowSixHundredKilobytes) {
    const TempFolder folder;
    const fs::path file = folder / "page.html";
    const ProcessResult result =
        runThreefold({"page", bundledSample("02958343").string(), "-o", file.string()});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_EQ(result.output, file.string() + ": 1 object\n");
    const std::string text = pageText(file);
    for (const char* name : {"coarse", "refined", "truth"})
        EXPECT_THAT(text, HasSubstr("{\"name\":\"" + std::string(name) + "\""));
    EXPECT_THAT(text, Not(HasSubstr("\"fitted\"")));
    EXPECT_LT(text.size(), 600'000U);
    // An existing page is replaced without --overwrite.
    EXPECT_EQ(
        runThreefold({"page", bundledSample("02958343").string(), "-o", file.string()}).exitCode,
        0);
}

TEST(PageCommand, refusesToReplaceAFile_whenItIsNoPage) {
    const TempFolder folder;
    const fs::path file = folder / "notes.html";
    std::ofstream(file) << "my notes";
    const ProcessResult result =
        runThreefold({"page", bundledSample("02958343").string(), "-o", file.string()});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.errors, HasSubstr("exists, and is not a page of results"));
    EXPECT_EQ(pageText(file), "my notes");
}

TEST(PageCommand, leavesASampleOut_whenItFails) {
    const TempFolder folder;
    const fs::path list = folder / "list.txt";
    std::ofstream(list) << bundledSample("02958343").string() << "\n"
                        << "missing\n";
    const fs::path file = folder / "page.html";
    const ProcessResult result = runThreefold({"page", list.string(), "-o", file.string()});
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_EQ(result.output, file.string() + ": 1 object\n");
    EXPECT_THAT(result.errors, HasSubstr("missing"));
}

}  // namespace
}  // namespace threefold::test
