// Messages of the engine and of the GPU plug-in must name settings, not the options of a front end.
#include <filesystem>
#include <initializer_list>
#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/setting.h"
#include "tests/structure/modules.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::IsEmpty;

/// Returns the first group of each match of the pattern in the sources of these folders.
std::vector<std::string> matchesIn(std::initializer_list<const char*> folders,
                                   const std::regex& pattern) {
    std::vector<std::string> found;
    const fs::path root = THREEFOLD_SOURCE_ROOT;
    for (const char* folder : folders)
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string kind = entry.path().extension();
            if (kind != ".cpp" && kind != ".h" && kind != ".cu" && kind != ".cuh") continue;
            const std::string text = textOf(entry.path());
            for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
                found.push_back(at->str(1));
        }
    return found;
}

std::vector<std::string> matchesInTheEngine(const std::regex& pattern) {
    return matchesIn({"engine", "cuda"}, pattern);
}

// An error's message is one line: a line end in it is shown as the two characters "\n".
TEST(Messages, haveNoLineEnds_inErrors) {
    const std::regex pattern(
        R"re(((?:Error|banner_?\.show)\(\s*\{[^;]{0,600}?(?:\.join\('\\n'\)|[^\\]\\n")))re");
    EXPECT_THAT(matchesIn({"engine", "cuda", "app", "ui"}, pattern), IsEmpty());
}

TEST(Settings, areNamedByTheEngine_notOptions) {
    // Options in string literals and in backquotes of comments. MTL's options have only one dash.
    EXPECT_THAT(matchesInTheEngine(
                    std::regex(R"re(["`](?:(?![),;])[^"`\n]*[ '])?(--[a-z][a-z-]*)[^-(;)\]])re")),
                IsEmpty());
}

TEST(Settings, areKnown_whenAMessageNamesThem) {
    for (const std::string& name :
         matchesInTheEngine(std::regex(R"re(["(]`([a-z0-9_]+)(?:=[^`\n]*)?`[)"])re"))) {
        if (name == kMachineCheck) continue;
        EXPECT_THAT(kSettings, Contains(name));
    }
}

TEST(MachineCheck, isNamedByTheEngine_notItsCommand) {
    EXPECT_THAT(matchesInTheEngine(std::regex(R"re("[^"\n]*(threefold doctor)[^"\n]*")re")),
                IsEmpty());
}

TEST(Settings, areEachNamedByAMessage) {
    const auto named = matchesInTheEngine(std::regex(R"re(`([a-z0-9_]+)(?:=[^`\n]*)?`)re"));
    for (const std::string_view setting : kSettings)
        EXPECT_THAT(named, Contains(std::string(setting)));
}

}  // namespace
}  // namespace threefold::test
