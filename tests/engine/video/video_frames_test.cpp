#include "engine/video/video_frames.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "tests/engine/video/fake_ffmpeg.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using namespace video;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<FrameBlur> withBlurs(const std::vector<double>& blurs) {
    std::vector<FrameBlur> frames;
    for (const double blur : blurs) frames.push_back({double(frames.size()), blur});
    return frames;
}

TEST(SharpFrames, areTheSharpest_nearTheCentreOfEachPart) {
    // The sharpest frames overall are at the ends of both parts, and the ends are not searched.
    EXPECT_THAT(sharpFrames(withBlurs({1, 5, 4, 5, 6, 1, 1, 7, 6, 5, 9, 1}), 2), ElementsAre(2, 9));
}

TEST(SharpFrames, areAllFrames_whenThereAreTooFew) {
    EXPECT_THAT(sharpFrames(withBlurs({3, 1, 2}), 3), ElementsAre(0, 1, 2));
    EXPECT_THAT(sharpFrames(withBlurs({3, 1, 2}), 40), ElementsAre(0, 1, 2));
    EXPECT_THAT(sharpFrames({}, 40), ElementsAre());
}

TEST(SharpFrames, areOneOfEachPart_forAnyCount) {
    for (std::size_t count = 1; count < 40; ++count)
        for (std::size_t frames = count; frames < 3 * count + 5; ++frames) {
            const auto chosen = sharpFrames(withBlurs(std::vector<double>(frames, 2)), count);
            ASSERT_EQ(chosen.size(), count);
            ASSERT_TRUE(std::ranges::is_sorted(chosen, std::less_equal<>()) || count == 1);
            ASSERT_EQ(std::ranges::adjacent_find(chosen), chosen.end());
            ASSERT_LT(chosen.back(), frames);
        }
}

TEST(SharpFrames, haveEdges_whenAnyFrameOfThePartHas) {
    EXPECT_THAT(sharpFrames(withBlurs({kNone, kNone, kNone, 8, kNone, kNone}), 1), ElementsAre(3));
    EXPECT_EQ(sharpFrames(withBlurs(std::vector<double>(9, kNone)), 2).size(), 2);
}

class Video : public testing::Test {
  protected:
    Video() {
        writeFakeFfmpeg(folder_ / "bin/ffmpeg", {9, 3, 9, 9, 9, kNone, 9, 9, 4, 9, 9, 9});
        writeFakeVideo(video_);
        std::filesystem::create_directories(options_.scratchFolder);
        std::filesystem::create_directories(output_);
    }
    ~Video() override { unsetenv("FAKE_FFMPEG"); }

    VideoFrames write() { return writeSharpFrames(video_, output_, options_, {}); }

    TempFolder folder_;
    std::filesystem::path video_ = folder_ / "a walk.mp4";
    std::filesystem::path output_ = folder_ / "out";
    VideoOptions options_{folder_ / "bin/ffmpeg", folder_ / "run", 2, {}};
};

TEST_F(Video, isReducedToItsSharpFrames) {
    std::vector<double> fractions;
    options_.onProgress = [&](const char*, double fraction) { fractions.push_back(fraction); };
    const VideoFrames result = write();
    EXPECT_EQ(result.videoFrameCount, 12);
    ASSERT_EQ(result.frames.size(), 2);
    EXPECT_EQ(result.frames[0].file, output_ / "a walk_00001.jpg");
    EXPECT_EQ(result.frames[1].file, output_ / "a walk_00008.jpg");
    EXPECT_EQ(result.frames[1].seconds, 0.8);
    EXPECT_EQ(result.frames[1].blur, 4);
    EXPECT_EQ(asText(readFile(result.frames[1].file)), "frame 8");
    EXPECT_THAT(fractions, testing::Each(testing::AllOf(testing::Ge(0), testing::Le(1))));
    EXPECT_GT(fractions.size(), 4);
}

TEST_F(Video, isReduced_whenTheScratchFoldersNameHasAPercentSign) {
    options_.scratchFolder = folder_ / "100% run";
    std::filesystem::create_directories(options_.scratchFolder);
    EXPECT_EQ(write().frames.size(), 2U);
}

TEST_F(Video, endsEarly_whenTheFileStatesALongerDuration) {
    EXPECT_FALSE(write().endsEarly());
    std::filesystem::remove_all(output_);
    std::filesystem::create_directories(output_);
    const std::filesystem::path measured = folder_ / "bin/measured.txt";
    const std::vector<std::byte> bytes = readFile(measured);
    std::string text(asText(bytes));
    const std::string stated = "00:00:01.20";
    ASSERT_NE(text.find(stated), text.npos);
    text.replace(text.find(stated), stated.size(), "00:00:10.00");
    writeFileAtomically(measured, text);
    const VideoFrames result = write();
    EXPECT_TRUE(result.endsEarly());
    EXPECT_EQ(result.statedDurationSeconds, 10);
    EXPECT_EQ(result.lastFrameSeconds, 1.1);
}

TEST_F(Video, countsItsFramesWithoutEdges_alsoAtItsEnd) {
    std::vector<double> blurs(24, 2);
    std::fill(blurs.begin() + 5, blurs.end(), kNone);
    writeFakeFfmpeg(folder_ / "bin/ffmpeg", blurs);
    const VideoFrames result = write();
    EXPECT_EQ(result.videoFrameCount, 24U);
    EXPECT_EQ(result.lastFrameSeconds, 2.3);
    EXPECT_FALSE(result.endsEarly());
    ASSERT_EQ(result.frames.size(), 2U);
    EXPECT_EQ(result.frames[0].blur, 2);
}

TEST_F(Video, isRefused_whenItIsNoVideo) {
    writeFileAtomically(video_, std::string_view("GIF89a"));
    EXPECT_THAT(messageOf<InputError>([&] { write(); }),
                HasSubstr("is a GIF image, expected a video"));
    writeFileAtomically(video_, std::string_view("ffconcat version 1.0\nfile /etc/passwd\n"));
    EXPECT_THAT(messageOf<InputError>([&] { write(); }), HasSubstr("is no video"));
}

TEST_F(Video, isNotMixedWithOtherPhotographs) {
    writeFileAtomically(output_ / "IMG_1.jpg", std::string_view("\xff\xd8\xff"));
    EXPECT_THAT(messageOf<InputError>([&] { write(); }), HasSubstr("holds photographs already"));
}

TEST_F(Video, explainsTheFailure_whenUnreadable) {
    setenv("FAKE_FFMPEG", "fail", 1);
    EXPECT_THAT(messageOf<IoError>([&] { write(); }),
                HasSubstr("exit code 1: moov atom not found"));
    EXPECT_TRUE(std::filesystem::is_empty(output_));
}

TEST_F(Video, leavesNoFrame_whenOneCannotBeWritten) {
    // The second frame's number has one more digit, which makes its name too long for the file
    // system.
    writeFakeFfmpeg(folder_ / "bin/ffmpeg", std::vector<double>(250'000, 2));
    video_ = folder_ / (std::string(245, 'x') + ".mp4");
    writeFakeVideo(video_);
    EXPECT_THROW(write(), IoError);
    EXPECT_TRUE(std::filesystem::is_empty(output_));
}

}  // namespace
}  // namespace threefold::test
