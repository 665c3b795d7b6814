#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/process.h"
#include "tests/engine/video/fake_ffmpeg.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Folder with a fake video, and a fake ffmpeg that extracts six frames from it.
class FramesCommand : public testing::Test {
  protected:
    FramesCommand() {
        writeFakeFfmpeg(folder_ / "bin/ffmpeg", {3, 3, 3, 9, 3, 3});
        writeFakeVideo(video_);
        fs::create_directories(temporary_);
    }
    StartOptions options(const char* behaviour = "") const {
        StartOptions options;
        options.environment = {{"PATH", (folder_ / "bin").string() + ":/usr/bin:/bin"},
                               {"FAKE_FFMPEG", behaviour},
                               {"FAKE_FFMPEG_STARTED", (folder_ / "started").string()},
                               {"TMPDIR", temporary_.string()}};
        return options;
    }

    TempFolder folder_;
    fs::path video_ = folder_ / "walk.mp4";
    fs::path temporary_ = folder_ / "tmp";
};

TEST_F(FramesCommand, writesFramesBesideTheVideo_andNamesBlurredOnes) {
    const ProcessResult result = runThreefold({"frames", video_.string(), "--json"}, options());
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document["framesOfVideo"], 6);
    ASSERT_EQ(document["photographs"].size(), 6);
    EXPECT_EQ(document["photographs"][3]["blurPx"], 9);
    EXPECT_TRUE(fs::exists(folder_ / "walk/walk_00003.jpg"));
    EXPECT_THAT(result.errors,
                AllOf(HasSubstr("walk_00003.jpg: is blurred"), Not(HasSubstr("walk_00002.jpg"))));
    EXPECT_TRUE(fs::is_empty(temporary_));
}

TEST_F(FramesCommand, namesThePackageToInstall_whenFfmpegIsMissing) {
    StartOptions without = options();
    without.environment["PATH"] = folder_.path().string();
    const ProcessResult result = runThreefold({"frames", video_.string()}, without);
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors,
                AllOf(HasSubstr("ffmpeg: is not installed"), HasSubstr("apt install")));
    EXPECT_FALSE(fs::exists(folder_ / "walk"));
}

TEST_F(FramesCommand, leavesNoFiles_whenInterrupted) {
    Process process({"frames", video_.string()}, options("hang"));
    while (!fs::exists(folder_ / "started")) std::this_thread::yield();
    process.send(SIGINT);
    const ProcessResult result = process.wait();
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("cancelled"));
    EXPECT_FALSE(fs::exists(folder_ / "walk"));
    EXPECT_TRUE(fs::is_empty(temporary_));
}

TEST_F(FramesCommand, isSuggested_whenAVideoIsGivenAsPhotographs) {
    for (const std::string command : {"cameras", "board", "turntable", "cutout"})
        for (const fs::path& given : {video_, video_.parent_path()}) {
            const ProcessResult result = runThreefold({command, given.string()}, options());
            EXPECT_NE(result.exitCode, 0);
            EXPECT_THAT(result.errors,
                        AllOf(HasSubstr("walk.mp4: is a video"), HasSubstr("threefold frames")))
                << command;
        }
}

}  // namespace
}  // namespace threefold::test
