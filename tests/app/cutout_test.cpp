#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/photograph.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

/// A bundled sample whose first views stand before a blue wall, and are not cut out.
class CutoutCommand : public testing::Test {
  protected:
    CutoutCommand() : item_(copySample("02958343", folder_.path())) {
        for (const int view : {0, 6, 7}) {
            Image image = readImage(imageOf(view));
            for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
                const int opaque = image.rgba[i + 3];
                for (std::size_t c = 0; c < 3; ++c) {
                    const int wall = c == 2 ? 200 : 60;
                    image.rgba[i + c] = static_cast<std::uint8_t>(
                        (image.rgba[i + c] * opaque + wall * (255 - opaque)) / 255);
                }
                image.rgba[i + 3] = 255;
            }
            writePng(imageOf(view), image);
        }
    }
    fs::path imageOf(int view) const {
        return item_ / "rendering" / (view < 10 ? "0" : "") += std::to_string(view) + ".png";
    }

    TempFolder folder_;
    fs::path item_;
};

TEST_F(CutoutCommand, makesTheMasksThatAFolderLacks) {
    const Ended ended = runThreefold({"cutout", (item_ / "rendering").string(), "--json"});
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    const json files = json::parse(ended.out);
    ASSERT_EQ(files.size(), 24);
    EXPECT_FALSE(files[0]["wasCutOut"]);
    EXPECT_EQ(files[0]["mask"], (item_ / "rendering/masks/00.png").string());
    EXPECT_TRUE(files[1]["wasCutOut"]) << "transparent";
    EXPECT_EQ(filesIn(item_ / "rendering/masks").size(), 3);
}

TEST_F(CutoutCommand, keepsAMask_unlessToldToOverwriteIt) {
    const std::string photograph = imageOf(0).string();
    EXPECT_THAT(runThreefold({"cutout", photograph}).out, HasSubstr("% of the picture"));
    EXPECT_THAT(runThreefold({"cutout", photograph}).out, HasSubstr("is cut out already, by"));
    EXPECT_THAT(runThreefold({"cutout", photograph, "--overwrite"}).out,
                HasSubstr("% of the picture"));
}

TEST_F(CutoutCommand, doesTheOthers_whenOneCannotBeRead) {
    overwrite(imageOf(6), "no picture");
    const Ended ended = runThreefold({"cutout", imageOf(0).string(), imageOf(6).string()});
    EXPECT_EQ(ended.exitCode, 3);
    EXPECT_THAT(ended.err, HasSubstr("06.png"));
    EXPECT_FALSE(maskFileOf(imageOf(0)).empty());
    const Ended none = runThreefold({"cutout", (folder_ / "gone").string()});
    EXPECT_EQ(none.exitCode, 1);
    EXPECT_EQ(runThreefold({"cutout", item_.string()}).exitCode, 1) << "no photograph there";
}

TEST_F(CutoutCommand, isDoneByReconstructFirst) {
    const std::string views = "0,6,7";
    const auto run = [&](std::vector<std::string> more) {
        std::vector<std::string> all{"reconstruct", item_.string(), "--views",
                                     views,         "-o",           (folder_ / "out").string()};
        all.insert(all.end(), more.begin(), more.end());
        return runThreefold(all);
    };
    EXPECT_THAT(run({}).err, AllOf(HasSubstr("views 0, 6, 7: no mask"), HasSubstr("--cutout")));
    const Ended cut = run({"--cutout", "-v"});
    EXPECT_EQ(cut.exitCode, 0) << cut.err;
    EXPECT_THAT(cut.err, AllOf(HasSubstr("3 of 24 photographs cut out"),
                               testing::Not(HasSubstr("no mask"))));
    EXPECT_THAT(run({}).err, testing::Not(HasSubstr("no mask"))) << "the masks are read again";
    EXPECT_THAT(runThreefold({"inspect", item_.string()}).out, HasSubstr("for 3 of them"));
}

}  // namespace
}  // namespace threefold::test
