#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/bundled.h"
#include "tests/app/process.h"

namespace threefold::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

Ended figure(std::vector<std::string> arguments, const char* timeZone = "UTC") {
    arguments.insert(arguments.begin(), "figure");
    StartOptions options;
    options.unset = {"DISPLAY", "WAYLAND_DISPLAY"};
    options.set = {{"TZ", timeZone}};
    return runThreefold(arguments, options);
}

TEST(FigureCommand, writesTheSameFile_withoutADisplayAndInAnyTimeZone) {
    const TempFolder folder;
    const std::string sample = bundledSample("02958343").string();
    for (const std::string ending : {".pdf", ".svg", ".png"}) {
        const auto write = [&](const std::string& name, const char* timeZone) {
            const std::string file = (folder / (name + ending)).string();
            const Ended ended =
                figure({sample, "--columns", "photo,refined", "--dpi", "60", "-o", file}, timeZone);
            EXPECT_EQ(ended.exitCode, 0) << ended.err;
            EXPECT_THAT(ended.err, IsEmpty());
            EXPECT_EQ(ended.out, file + ": 1 objects\n");
            return bytesOf(file);
        };
        const std::string bytes = write("one", "UTC");
        EXPECT_GT(bytes.size(), 3000U);
        // Another time zone, and tables that each process orders in its own way.
        for (const char* name : {"two", "three", "four"})
            EXPECT_TRUE(bytes == write(name, "Asia/Kolkata")) << ending;
    }
    EXPECT_THAT(bytesOf(folder / "one.pdf"),
                AllOf(HasSubstr("%PDF-1"), Not(HasSubstr("CreationDate"))));
}

TEST(FigureCommand, keepsTheRowOfASampleThatFails) {
    const TempFolder folder;
    const std::string file = (folder / "sheet.svg").string();
    const Ended ended = figure({bundledSample("02958343").string(), "/no/such/sample", "--colour",
                                "plain", "--dpi", "50", "-o", file});
    EXPECT_EQ(ended.exitCode, 3) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("/no/such/sample: no such sample"));
    EXPECT_THAT(bytesOf(file), AllOf(HasSubstr(">/no/such/sample<"), HasSubstr("car")));
}

TEST(FigureCommand, saysInOneLineWhatIsWrong) {
    const TempFolder folder;
    const std::string file = (folder / "sheet.pdf").string();
    const std::string sample = bundledSample("02958343").string();
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
        {{sample, "--columns", "photo,finest", "-o", file}, "--columns: finest not in"},
        {{sample, "--colour", "blue", "-o", file}, "--colour: blue not in"},
        {{sample, "--camera", "30", "-o", file}, "--camera"},
        {{sample, "--width", "1", "-o", file}, "--width"},
        {{sample, "-o", (folder / "sheet.gif").string()}, "Use .pdf, .svg or .png."},
        {{(folder / "list.txt").string(), "-o", file}, "list.txt: cannot be opened"},
        {{"/no/such/sample", "-o", file}, "no such sample"},
        {{sample, "-o", (folder / "none/sheet.pdf").string()}, "cannot be written"}};
    for (const auto& [arguments, said] : wrong) {
        const Ended ended = figure(arguments);
        EXPECT_NE(ended.exitCode, 0);
        EXPECT_THAT(ended.err, HasSubstr(said));
        EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    }
    EXPECT_THAT(filesIn(folder.path()), IsEmpty());
}

}  // namespace
}  // namespace threefold::test
