#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/app/bundled.h"
#include "tests/app/process.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

ProcessResult figure(std::vector<std::string> arguments, const char* timeZone = "UTC") {
    arguments.insert(arguments.begin(), "figure");
    StartOptions options;
    options.unsetVariables = {"DISPLAY", "WAYLAND_DISPLAY"};
    options.environment = {{"TZ", timeZone}};
    return runThreefold(arguments, options);
}

TEST(FigureCommand, writesTheSameBytes_withoutADisplayAndInAnyTimeZone) {
    const TempFolder folder;
    const std::string sample = bundledSample("02958343").string();
    for (const std::string ending : {".pdf", ".svg", ".png"}) {
        const auto write = [&](const std::string& name, const char* timeZone) {
            const std::string file = (folder / (name + ending)).string();
            const ProcessResult result =
                figure({sample, "--columns", "photo,refined", "--dpi", "60", "-o", file}, timeZone);
            EXPECT_EQ(result.exitCode, 0) << result.errors;
            EXPECT_THAT(result.errors, IsEmpty());
            EXPECT_EQ(result.output, file + ": 1 object\n");
            return bytesOf(file);
        };
        const std::string bytes = write("one", "UTC");
        EXPECT_GT(bytes.size(), 3000U);
        // Time zones and the order of hash tables, which differs by process, change no byte.
        for (const char* name : {"two", "three", "four"})
            EXPECT_TRUE(bytes == write(name, "Asia/Kolkata")) << ending;
    }
    EXPECT_THAT(bytesOf(folder / "one.pdf"),
                AllOf(HasSubstr("%PDF-1"), Not(HasSubstr("CreationDate"))));
}

TEST(FigureCommand, refusesToReplaceAPhotographThatItShows) {
    const TempFolder folder;
    fs::copy(bundledSample("02958343"), folder / "car", fs::copy_options::recursive);
    const fs::path photograph = folder / "car/rendering/00.png";
    const std::string before = bytesOf(photograph);
    const ProcessResult result =
        figure({(folder / "car").string(), "--columns", "photo", "-o", photograph.string()}, "UTC");
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.errors, HasSubstr("is a file that the figure shows"));
    EXPECT_TRUE(bytesOf(photograph) == before);
}

TEST(FigureCommand, refusesToReplaceAPhotographThatItShows_whenTurningTheMeshes) {
    const TempFolder folder;
    fs::copy(bundledSample("02958343"), folder / "car", fs::copy_options::recursive);
    const fs::path photograph = folder / "car/rendering/00.png";
    fs::create_symlink(photograph, folder / "turn_002.png");
    const std::string before = bytesOf(photograph);
    for (const char* name : {"turn.png", "turn.mp4"}) {  // no ffmpeg: pictures in place of a video
        StartOptions options;
        options.environment = {{"PATH", ""}};
        const ProcessResult result =
            runThreefold({"figure", (folder / "car").string(), "--columns", "photo", "--dpi", "40",
                          "--turn", "2", "-o", (folder / name).string()},
                         options);
        EXPECT_EQ(result.exitCode, 2);
        EXPECT_THAT(result.errors, HasSubstr("turn_002.png: is a file that the figure shows"));
        EXPECT_TRUE(bytesOf(photograph) == before);
    }
    EXPECT_FALSE(fs::exists(folder / "turn_001.png"));
}

TEST(FigureCommand, refusesToReplaceAFileOfAnotherKind) {
    const TempFolder folder;
    for (const char* name : {"sheet.pdf", "sheet.svg", "sheet.png"}) {
        const std::string file = (folder / name).string();
        std::ofstream(file) << "notes";
        const ProcessResult result =
            figure({bundledSample("02958343").string(), "--columns", "photo", "-o", file});
        EXPECT_EQ(result.exitCode, 2);
        EXPECT_THAT(result.errors, HasSubstr("exists, and is not a"));
        EXPECT_EQ(bytesOf(file), "notes");
    }
}

TEST(FigureCommand, failsWithAMessage_whenItsAddressSpaceIsLimited) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the address sanitizer cannot start with so little";
#endif
    const TempFolder folder;
    const std::string sheet = (folder / "sheet.png").string();
    for (const rlim_t mebibytes : {700, 750, 800, 950}) {
        StartOptions options;
        options.unsetVariables = {"DISPLAY", "WAYLAND_DISPLAY"};
        options.prepare = [=] {
            const rlimit limit{mebibytes << 20U, mebibytes << 20U};
            setrlimit(RLIMIT_AS, &limit);
        };
        const ProcessResult result =
            runThreefold({"figure", bundledSample("02958343").string(), "--columns", "photo",
                          "--backend", "cpu", "-o", sheet},
                         options);
        EXPECT_EQ(result.exitCode, 1) << mebibytes;
        EXPECT_THAT(result.errors, AllOf(HasSubstr("of address space"), HasSubstr("`ulimit -v`")));
        EXPECT_FALSE(fs::exists(sheet));
    }
}

TEST(FigureCommand, takesLittleMemory_whenTheFigureIsLarge) {
    const TempFolder folder;
    const std::string sample = bundledSample("02958343").string();
    const auto large = [&](const std::string& name, const std::string& dpi) {
        return figure({sample, "--columns", "photo,refined", "--width", "300", "--dpi", dpi, "-o",
                       (folder / name).string()});
    };
    const ProcessResult png = large("large.png", "1800");  // makes a picture 21 260 pixels wide
    EXPECT_EQ(png.exitCode, 0) << png.errors;
    EXPECT_GT(bytesOf(folder / "large.png").size(), 1'000'000U);
    EXPECT_LT(png.peakBytes, std::uint64_t{1} << 30U);
    const ProcessResult svg = large("large.svg", "1800");
    EXPECT_EQ(svg.exitCode, 0) << svg.errors;
    const std::string text = bytesOf(folder / "large.svg");
    std::size_t longest = 0;
    for (std::size_t at = 0, end = 0; (at = text.find('"', end)) != text.npos; ++end) {
        end = text.find('"', at + 1);
        longest = std::max(longest, end - at);
    }
    EXPECT_GT(longest, 100'000U);
    EXPECT_LT(longest, 10'000'000U) << "browsers read attributes of at most 10 MB";
}

TEST(FigureCommand, refusesAFigureThatIsTooLarge_andNamesASizeThatFits) {
    const TempFolder folder;
    const ProcessResult result =
        figure({bundledSample("02958343").string(), "--columns", "photo", "--width", "600", "--dpi",
                "2400", "-o", (folder / "a.png").string()});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors,
                HasSubstr("more than 32000 on a side. Choose a width of 338 mm, 1354 "
                          "dots per inch"));
    EXPECT_FALSE(std::filesystem::exists(folder / "a.png"));
    EXPECT_LT(result.peakBytes, std::uint64_t{1} << 30U);
}

/// Runs `figure --turn 3` with small pictures and with `path` as PATH.
ProcessResult turned(const std::filesystem::path& file, const std::string& path) {
    StartOptions options;
    options.environment = {{"PATH", path}};
    return runThreefold({"figure", bundledSample("02958343").string(), "--columns", "photo,refined",
                         "--dpi", "40", "--turn", "3", "-o", file.string()},
                        options);
}

/// Writes a shell script as a fake ffmpeg and returns a PATH in which it comes first.
std::string fakeFfmpeg(const TempFolder& folder, const std::string& script) {
    std::filesystem::create_directory(folder / "bin");
    std::ofstream(folder / "bin/ffmpeg") << "#!/bin/sh\n" << script;
    std::filesystem::permissions(folder / "bin/ffmpeg", std::filesystem::perms::owner_all);
    return (folder / "bin").string() + ":/usr/bin:/bin";
}

/// Script for fakeFfmpeg(): writes its arguments and the size of its input into the video.
constexpr const char* kWriteArgumentsAndSize =
    "for last; do :; done\n{ echo \"$@\"; wc -c; } >\"$last\"\n";

TEST(FigureCommand, turnsTheMeshes_inPicturesOrAVideo) {
    const TempFolder folder;
    // Without ffmpeg, pictures are written in place of the video.
    for (const std::string name : {"turn.png", "clip.mp4"}) {
        const ProcessResult result = turned(folder / name, "");
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        const std::string stem = (folder / name.substr(0, 4)).string();
        EXPECT_EQ(result.output, stem + "_001.png … " + name.substr(0, 4) + "_003.png: 1 object\n");
        EXPECT_FALSE(std::filesystem::exists(folder / name));
        EXPECT_NE(bytesOf(stem + "_001.png"), bytesOf(stem + "_002.png"));
        EXPECT_NE(bytesOf(stem + "_002.png"), bytesOf(stem + "_003.png"));
    }
    EXPECT_EQ(bytesOf(folder / "turn_001.png"), bytesOf(folder / "clip_001.png"));

    const ProcessResult result =
        turned(folder / "made.webm", fakeFfmpeg(folder, kWriteArgumentsAndSize));
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_EQ(result.output, (folder / "made.webm").string() + ": 1 object\n");
    std::istringstream given(bytesOf(folder / "made.webm"));
    std::string word;
    int width = 0, height = 0, bytes = 0;
    while (given >> word && word != "-s") continue;
    char by = 0;
    given >> width >> by >> height;
    EXPECT_TRUE(width % 2 == 0 && height % 2 == 0);
    given.ignore(1000, '\n');
    given >> bytes;
    EXPECT_EQ(bytes, 3 * 4 * width * height);
}

TEST(FigureCommand, replacesAFile_onlyWhenItIsAVideo) {
    const TempFolder folder;
    for (const char* name : {"turn.mp4", "turn.webm"}) {
        std::ofstream(folder / name) << "notes";
        const ProcessResult result =
            turned(folder / name, fakeFfmpeg(folder, kWriteArgumentsAndSize));
        EXPECT_EQ(result.exitCode, 2);
        EXPECT_THAT(result.errors, HasSubstr("exists, and is not a"));
        EXPECT_EQ(bytesOf(folder / name), "notes");
    }
}

TEST(FigureCommand, quotesFfmpeg_whenItFails) {
    const TempFolder folder;
    const ProcessResult failed =
        turned(folder / "none.mp4", fakeFfmpeg(folder, "echo no such codec >&2\nexit 1\n"));
    EXPECT_EQ(failed.exitCode, 1);
    EXPECT_THAT(failed.errors, HasSubstr("ffmpeg: "));
    std::filesystem::remove_all(folder / "bin");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FigureCommand, keepsTheFilesBesideTheVideo_whenANameEndsInDotPart) {
    const TempFolder folder;
    std::ofstream(folder / "made.mp4.part") << "a file of the user's";
    const ProcessResult result =
        turned(folder / "made.mp4", fakeFfmpeg(folder, kWriteArgumentsAndSize));
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_TRUE(std::filesystem::exists(folder / "made.mp4"));
    EXPECT_EQ(bytesOf(folder / "made.mp4.part"), "a file of the user's");
}

TEST(FigureCommand, keepsTheRow_whenASampleFails) {
    const TempFolder folder;
    const std::string file = (folder / "sheet.svg").string();
    const ProcessResult result = figure({bundledSample("02958343").string(), "/no/such/sample",
                                         "--colour", "plain", "--dpi", "50", "-o", file});
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("/no/such/sample: no such sample"));
    EXPECT_THAT(bytesOf(file), AllOf(HasSubstr(">/no/such/sample<"), HasSubstr("car")));
}

TEST(FigureCommand, failsWithOneLine_whenOptionsAreWrong) {
    const TempFolder folder;
    const std::string file = (folder / "sheet.pdf").string();
    const std::string sample = bundledSample("02958343").string();
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
        {{sample, "--columns", "photo,finest", "-o", file}, "--columns: finest not in"},
        {{sample, "--colour", "blue", "-o", file}, "--colour: blue not in"},
        {{sample, "--camera", "30", "-o", file}, "--camera"},
        {{sample, "--width", "1", "-o", file}, "--width"},
        {{sample, "-o", (folder / "sheet.gif").string()},
         "Use .pdf, .svg or .png, or for a video .mp4"},
        {{sample, "--turn", "8", "-o", file}, "cannot hold an animation"},
        {{(folder / "list.txt").string(), "-o", file}, "list.txt: cannot be opened"},
        {{"/no/such/sample", "-o", file}, "no such sample"},
        {{sample, "-o", (folder / "none/sheet.pdf").string()}, "cannot be written"}};
    for (const auto& [arguments, said] : wrong) {
        const ProcessResult result = figure(arguments);
        EXPECT_NE(result.exitCode, 0);
        EXPECT_THAT(result.errors, HasSubstr(said));
        EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    }
    EXPECT_THAT(filesIn(folder.path()), IsEmpty());
}

}  // namespace
}  // namespace threefold::test
