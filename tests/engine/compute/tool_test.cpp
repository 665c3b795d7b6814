#include "engine/compute/tool.h"

#include <csignal>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

ProgramResult shell(const std::string& script, std::vector<std::string>& lines) {
    const TempFolder folder;
    return runTool("/bin/sh", std::vector<std::string>{"-c", script}, folder / "log.txt",
                   [&](std::string_view line) { lines.emplace_back(line); }, {});
}

TEST(Tool, keepsItsLastLineWithWords) {
    std::vector<std::string> lines;
    const ProgramResult result = shell("echo first; echo last; echo; echo ====; exit 3", lines);
    EXPECT_THAT(lines, testing::ElementsAre("first", "last", "", "===="));
    EXPECT_EQ(result.lastLine, "last");
    EXPECT_FALSE(result.status.succeeded());
    EXPECT_EQ(failureText("sh", result), "sh ended with exit code 3: last");
}

TEST(Tool, namesTheSignal_whenOneEndsIt) {
    EXPECT_EQ(failureText("mapper", {{-1, SIGKILL}, "half a line"}),
              "mapper was ended by signal 9");
}

}  // namespace
}  // namespace threefold::test
