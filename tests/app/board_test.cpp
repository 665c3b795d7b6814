#include <cmath>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/image.h"
#include "engine/measures/silhouette.h"
#include "engine/views/mask.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/engine/board/scene.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

/// Folder with four photographs of a ball on the board, and a uniformly grey one.
class BoardCommand : public testing::Test {
  protected:
    BoardCommand() {
        fs::create_directories(mug_);
        int number = 0;
        for (const Pose& camera : BoardScene::cameras(4))
            writePng(mug_ / fmt::format("IMG_{}.png", ++number), BoardScene::photograph(camera));
        Image grey{320, 240, std::vector<std::uint8_t>(std::size_t{4} * 320 * 240, 128)};
        writePng(mug_ / "IMG_5.png", grey);
    }

    TempFolder folder_;
    fs::path mug_ = folder_ / "mug";
};

/// Converts a mask's file, in which values above 127 are the object.
Mask maskOf(const Image& image) {
    Mask mask{image.width, image.height, {}};
    for (std::size_t i = 0; i < image.rgba.size(); i += 4)
        mask.inside.push_back(image.rgba[i] > 127 ? 1 : 0);
    return mask;
}

TEST_F(BoardCommand, writesTheBoard) {
    const fs::path pdf = folder_ / "board.pdf";
    EXPECT_EQ(runThreefold({"board", "-o", pdf.string(), "--paper", "letter"}).exitCode, 0);
    EXPECT_GT(fs::file_size(pdf), 5000);
}

TEST_F(BoardCommand, refusesABoardOfAnotherFormat) {
    EXPECT_EQ(runThreefold({"board", "-o", (folder_ / "board.doc").string()}).exitCode, 2);
}

TEST_F(BoardCommand, isWrongUsage_whenNeitherABoardNorPhotographsAreNamed) {
    EXPECT_EQ(runThreefold({"board"}).exitCode, 2);
}

TEST_F(BoardCommand, writesCamerasAndMasks_besideThePhotographs) {
    const ProcessResult result = runThreefold({"board", mug_.string(), "--json"});
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("IMG_5.png: shows no marker"));
    const json document = json::parse(result.output);
    EXPECT_LT(document["reprojectionErrorPx"], 0.6);
    EXPECT_EQ(document["photographs"].size(), 5);
    EXPECT_GT(document["photographs"][0]["markers"].get<int>(), 12);
    const std::vector<std::byte> bytes = readFile(mug_ / "cameras.json");
    const json file = json::parse(bytes);
    EXPECT_EQ(file["unit"], "mm");
    EXPECT_NEAR(file["object_centre"][2], BoardScene::kRadius, 3);
    EXPECT_NEAR(file["object_size"], 2 * std::sqrt(3) * BoardScene::kRadius, 8);
    const Mask mask = maskOf(readImage(mug_ / "masks" / "IMG_1.png"));
    EXPECT_GT(maskOverlap(mask, maskOf(BoardScene::mask(BoardScene::cameras(4).front()))), 0.93);
    const ProcessResult inspected = runThreefold({"inspect", mug_.string()});
    EXPECT_EQ(inspected.exitCode, 0) << inspected.errors;
    EXPECT_THAT(inspected.output, HasSubstr("cameras.json"));
}

TEST_F(BoardCommand, keepsCamerasOfOtherPrograms_unlessToldToOverwriteThem) {
    overwrite(mug_ / "cameras.json", R"({"convention": "opencv"})");
    const ProcessResult kept = runThreefold({"board", mug_.string()});
    EXPECT_EQ(kept.exitCode, 1);
    EXPECT_THAT(kept.errors, AllOf(HasSubstr("cameras.json"), HasSubstr("--overwrite")));
    EXPECT_EQ(runThreefold({"board", mug_.string(), "--overwrite"}).exitCode, 3);
    EXPECT_EQ(runThreefold({"board", mug_.string(), "--metres"}).exitCode, 3)
        << "the command must replace its own cameras.json";
    const std::vector<std::byte> bytes = readFile(mug_ / "cameras.json");
    const json file = json::parse(bytes);
    EXPECT_EQ(file["unit"], "m");
    EXPECT_NEAR(file["object_centre"][2], BoardScene::kRadius / 1000, 3e-3);
}

/// Folder with four photographs of the ball on a board of the marker family 6X6_50.
class BoardOfAnotherFamily : public BoardCommand {
  protected:
    BoardOfAnotherFamily() {
        fs::create_directories(cup_);
        const board::MarkerFamily& family = board::markerFamilyFromName("6X6_50");
        int number = 0;
        for (const Pose& camera : BoardScene::cameras(4))
            writePng(cup_ / fmt::format("IMG_{}.png", ++number),
                     BoardScene::photograph(camera, true, family));
    }

    fs::path cup_ = folder_ / "cup";
};

TEST_F(BoardOfAnotherFamily, isMeasured) {
    const ProcessResult result = runThreefold({"board", cup_.string(), "--json"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document["family"], "6X6_50");
    EXPECT_EQ(document["printedBoard"], false);
    EXPECT_LT(document["reprojectionErrorPx"], 0.6);
    const json file = json::parse(readFile(cup_ / "cameras.json"));
    EXPECT_EQ(file["sheet"]["markers"].size(), 24);
    EXPECT_NEAR(file["object_size"], 2 * std::sqrt(3) * BoardScene::kRadius, 8);
}

TEST_F(BoardOfAnotherFamily, isFound_whenALargerFamilyWithItsMarkersIsGiven) {
    // 6X6_250 begins with the 50 markers of 6X6_50.
    const ProcessResult text = runThreefold({"board", cup_.string(), "--family", "6x6_250"});
    EXPECT_THAT(text.output, HasSubstr("24 6X6_250 markers in one plane"));
}

TEST_F(BoardOfAnotherFamily, isNotFound_whenAWrongFamilyIsGiven) {
    const ProcessResult other = runThreefold({"board", cup_.string(), "--family", "4X4_50"});
    EXPECT_EQ(other.exitCode, 1);
}

TEST_F(BoardOfAnotherFamily, needsAKnownFamily) {
    const ProcessResult unknown = runThreefold({"board", cup_.string(), "--family", "4X4"});
    EXPECT_THAT(unknown.errors, AllOf(HasSubstr("'4X4'"), HasSubstr("4X4_50, 4X4_100")));
}

TEST_F(BoardCommand, namesTheFamilyThatWasSeen_whenTooFewMarkersAreVisible) {
    const fs::path cup = folder_ / "cup";
    fs::create_directories(cup);
    const board::MarkerFamily& family = board::markerFamilyFromName("5X5_50");
    const Image photograph = BoardScene::photograph(BoardScene::cameras(4).front(), true, family);
    writePng(cup / "IMG_1.png", photograph);
    writePng(cup / "IMG_2.png", readImage(mug_ / "IMG_5.png"));
    const ProcessResult result = runThreefold({"board", cup.string(), "--family", "5X5_50"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("of the family 5X5_50"));
}

TEST_F(BoardCommand, failsOnlyForTheSampleWithoutABoard_whenReconstructCalibrates) {
    const fs::path without = folder_ / "without";
    fs::create_directories(without);
    fs::copy_file(mug_ / "IMG_5.png", without / "IMG_5.png");
    const std::string out = (folder_ / "out").string();
    const ProcessResult result = runThreefold(
        {"reconstruct", without.string(), (bundledSample("02691156") / "rendering/00.png").string(),
         "--board", "-o", out});
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("two markers"));
    EXPECT_THAT(filesIn(out), testing::SizeIs(2));
}

TEST_F(BoardCommand, refusesPhotographs_whenNoneShowsTheBoard) {
    const ProcessResult result = runThreefold({"board", (mug_ / "IMG_5.png").string()});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors,
                AllOf(HasSubstr("two markers"), HasSubstr("'threefold board' draws it")));
}

}  // namespace
}  // namespace threefold::test
