#include <algorithm>
#include <filesystem>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/measures/silhouette.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/engine/sample/posed_photos/scene.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

/// A bundled sample in which views 0, 6 and 7 have an opaque blue background; the background of the
/// others is transparent.
class CutoutCommand : public testing::Test {
  protected:
    CutoutCommand() : sampleFolder_(copySample("02958343", folder_.path())) {
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
        return sampleFolder_ / "rendering" / (view < 10 ? "0" : "") +=
               std::to_string(view) + ".png";
    }

    TempFolder folder_;
    fs::path sampleFolder_;
};

TEST_F(CutoutCommand, makesTheMissingMasksOfAFolder) {
    const ProcessResult result =
        runThreefold({"cutout", (sampleFolder_ / "rendering").string(), "--json"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    const json files = json::parse(result.output);
    ASSERT_EQ(files.size(), 24);
    EXPECT_FALSE(files[0]["wasCutOut"]);
    EXPECT_EQ(files[0]["mask"], (sampleFolder_ / "rendering/masks/00.png").string());
    EXPECT_TRUE(files[1]["wasCutOut"]) << "transparent";
    EXPECT_EQ(filesIn(sampleFolder_ / "rendering/masks").size(), 3);
}

TEST_F(CutoutCommand, keepsAMask_unlessToldToOverwriteIt) {
    const std::string photograph = imageOf(0).string();
    EXPECT_THAT(runThreefold({"cutout", photograph}).output, HasSubstr("% of the picture"));
    EXPECT_THAT(runThreefold({"cutout", photograph}).output, HasSubstr("is cut out already, by"));
    EXPECT_THAT(runThreefold({"cutout", photograph, "--overwrite"}).output,
                HasSubstr("% of the picture"));
}

/// Writes eight photographs of a grey ball in front of a noisy orange wall, with correct masks.
void writeBallsBeforeAWall(const fs::path& folder) {
    writeDiscScene(folder, 8);
    std::mt19937 random(3);
    std::normal_distribution<double> noise(0, 4);
    for (int view = 0; view < 8; ++view) {
        const fs::path photograph = folder / "images" / (std::to_string(view) + ".png");
        Image image = readImage(photograph);
        Image mask = image;
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
            const bool isBall = image.rgba[i] < 200;
            std::fill_n(mask.rgba.begin() + static_cast<std::ptrdiff_t>(i), 3, isBall ? 255 : 0);
            const int colour[] = {isBall ? 90 : 220, isBall ? 90 : 140, isBall ? 90 : 40};
            for (std::size_t c = 0; c < 3; ++c)
                image.rgba[i + c] = static_cast<std::uint8_t>(
                    std::clamp<double>(colour[c] + noise(random), 0, 255));
        }
        writePng(photograph, image);
        writeOwnMask(photograph, mask);
    }
}

TEST_F(CutoutCommand, repairsAMaskThatLacksAPart_andKeepsTheOldOne) {
    const fs::path scene = folder_ / "balls";
    writeBallsBeforeAWall(scene);
    const fs::path file = scene / "masks" / "3.png";
    const Image correct = readImage(file);
    Image spoilt = correct;
    for (int y = 0; y < spoilt.height; ++y)
        for (int x = spoilt.width / 2; x < spoilt.width; ++x)
            std::fill_n(spoilt.rgba.begin() + std::ptrdiff_t{4} * (y * spoilt.width + x), 3, 0);
    writePng(file, spoilt);
    const std::string images = (scene / "images").string();

    const ProcessResult named = runThreefold({"cutout", images, "--json"});
    EXPECT_THAT(json::parse(named.output)[3].value("doubt", ""), HasSubstr("3.png"));
    EXPECT_EQ(readImage(file).rgba, spoilt.rgba) << "only --repair writes";

    const ProcessResult result = runThreefold({"cutout", images, "--repair", "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json files = json::parse(result.output);
    EXPECT_TRUE(files[3].value("repaired", false)) << result.errors;
    const fs::path kept = scene / "masks" / "replaced" / "3.png";
    EXPECT_EQ(files[3].value("replaced", ""), kept.string());
    EXPECT_FALSE(files[2].contains("repaired"));
    EXPECT_EQ(readImage(kept).rgba, spoilt.rgba);
    EXPECT_THAT(result.errors, HasSubstr(kept.string()));
    const auto maskOfImage = [](const Image& image) {
        Mask mask{image.width, image.height, {}};
        for (std::size_t i = 0; i < image.rgba.size(); i += 4)
            mask.inside.push_back(image.rgba[i] > 127 ? 1 : 0);
        return mask;
    };
    EXPECT_GT(maskOverlap(maskOfImage(readImage(file)), maskOfImage(correct)), 0.95);

    EXPECT_FALSE(
        json::parse(runThreefold({"cutout", images, "--repair", "--json"}).output)[3].contains(
            "repaired"))
        << "nothing contradicts any more";
}

TEST_F(CutoutCommand, namesTheMissingCameras_whenAskedToRepair) {
    fs::create_directories(folder_ / "bare");
    fs::copy(imageOf(0), folder_ / "bare" / "a.png");
    const ProcessResult result = runThreefold({"cutout", (folder_ / "bare").string(), "--repair"});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.errors, HasSubstr("cameras"));
}

TEST_F(CutoutCommand, cutsOutTheOtherPhotographs_whenOneCannotBeRead) {
    overwrite(imageOf(6), "no picture");
    const ProcessResult result = runThreefold({"cutout", imageOf(0).string(), imageOf(6).string()});
    EXPECT_EQ(result.exitCode, 3);
    EXPECT_THAT(result.errors, HasSubstr("06.png"));
    EXPECT_FALSE(maskFileOf(imageOf(0)).empty());
    const ProcessResult none = runThreefold({"cutout", (folder_ / "gone").string()});
    EXPECT_EQ(none.exitCode, 1);
    EXPECT_EQ(runThreefold({"cutout", sampleFolder_.string()}).exitCode, 1)
        << "no photograph there";
}

TEST_F(CutoutCommand, precedesReconstruct_whenAsked) {
    const std::string views = "0,6,7";
    const auto run = [&](std::vector<std::string> more) {
        std::vector<std::string> all{"reconstruct", sampleFolder_.string(),    "--views", views,
                                     "-o",          (folder_ / "out").string()};
        all.insert(all.end(), more.begin(), more.end());
        return runThreefold(all);
    };
    EXPECT_THAT(run({}).errors, AllOf(HasSubstr("views 0, 6, 7: no mask"), HasSubstr("--cutout")));
    const ProcessResult cut = run({"--cutout", "-v"});
    EXPECT_EQ(cut.exitCode, 0) << cut.errors;
    EXPECT_THAT(cut.errors, AllOf(HasSubstr("3 of 24 photographs cut out"),
                                  testing::Not(HasSubstr("no mask"))));
    EXPECT_THAT(run({}).errors, testing::Not(HasSubstr("no mask"))) << "the masks are read again";
    EXPECT_THAT(runThreefold({"inspect", sampleFolder_.string()}).output,
                HasSubstr("for 3 of them"));
}

}  // namespace
}  // namespace threefold::test
