#include "engine/structure_from_motion/colmap.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/image_info.h"
#include "tests/engine/structure_from_motion/colmap_model.h"
#include "tests/support/exif_bytes.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using namespace structure_from_motion;
using testing::Each;
using testing::HasSubstr;

/// Three photographs, and a fake COLMAP with a model of two photographs and a model of all three.
class Colmap : public testing::Test {
  protected:
    Colmap() {
        std::filesystem::create_directory(folder_ / "run");
        const Image grey{40, 30, std::vector<std::uint8_t>(std::size_t{4} * 40 * 30, 128)};
        for (const char* name : {"a b.png", "c\nd.png", "é.png"}) {
            writePng(folder_ / name, grey);
            photographs_.push_back({folder_ / name, readImageInfo(folder_ / name), {}});
        }
        std::vector<ModelPicture> pictures = {{"000000.png", {}}, {"000001.png", {}}};
        const std::vector<glm::dvec3> points = {{0, 0, -1}};
        writeColmapModel(folder_ / "models/0", smallLens(), pictures, points, 0.5);
        pictures.push_back({"000002.png", {}});
        writeColmapModel(folder_ / "models/1", smallLens(), pictures, points, 0.25);
        writeFakeColmap(folder_ / "colmap", folder_ / "models");
    }
    ~Colmap() override { unsetenv("FAKE_COLMAP"); }

    ColmapResult run() {
        return runColmap(photographs_,
                         {folder_ / "colmap", folder_ / "run", folder_ / "kept.log",
                          [this](const char* work, std::size_t done, std::size_t count) {
                              EXPECT_LE(done, count);
                              works_.emplace_back(work);
                              done_.emplace_back(work, done);
                          }},
                         {});
    }

    TempFolder folder_;
    std::vector<ColmapInput> photographs_;
    std::vector<std::string> works_;
    std::vector<std::pair<std::string, std::size_t>> done_;
};

TEST_F(Colmap, readsTheLargestModel_whateverItsName) {
    const ColmapResult result = run();
    EXPECT_EQ(result.modelCount, 2);
    EXPECT_EQ(result.largestModel.images.size(), 3);
    EXPECT_EQ(result.largestModel.meanReprojectionError(), 0.25);
    EXPECT_THAT(result.featureCounts, Each(900));
    EXPECT_THAT(works_, testing::IsSupersetOf({"finding features", "matching", "finding cameras"}));
}

TEST_F(Colmap, countsFeatures_whenAPhotographHasNoExtension) {
    std::filesystem::rename(photographs_[1].file, folder_ / "photograph");
    photographs_[1].file = folder_ / "photograph";
    EXPECT_THAT(run().featureCounts, Each(900));
}

TEST_F(Colmap, getsMasksOfThePicturesSize_whenAPhotographHasAMask) {
    photographs_[0].mask = Mask{4, 3, {1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0}};
    run();
    const Image half = readImage(folder_ / "run/masks/000000.png.png");
    ASSERT_EQ(std::pair(half.width, half.height), std::pair(40, 30));
    EXPECT_EQ(half.rgba[0], 255);
    EXPECT_EQ(half.rgba[4 * 39], 0);
    const Image whole = readImage(folder_ / "run/masks/000001.png.png");
    ASSERT_EQ(std::pair(whole.width, whole.height), std::pair(40, 30));
    EXPECT_THAT(whole.rgba, Each(255));
}

TEST_F(Colmap, getsAnUprightCopy_whenTheStoredPictureOfAMaskIsTurned) {
    const std::filesystem::path& file = photographs_[0].file;
    const std::string png(asText(readFile(file)));
    writeFileAtomically(file, pngWithExif(png, exifBytes(6)));
    photographs_[0].info = readImageInfo(file);
    photographs_[0].mask = Mask{3, 4, std::vector<std::uint8_t>(12, 1)};
    run();
    const ImageInfo copy = readImageInfo(folder_ / "run/images/000000.png");
    EXPECT_EQ(copy.stored, (ImageSize{30, 40}));
    EXPECT_EQ(readImageInfo(folder_ / "run/masks/000000.png.png").stored, copy.stored);
}

TEST_F(Colmap, getsNoMasks_whenNoPhotographHasAMask) {
    run();
    EXPECT_FALSE(std::filesystem::exists(folder_ / "run/masks"));
}

TEST_F(Colmap, hasNoCamera_whenNothingMatches) {
    setenv("FAKE_COLMAP", "none", 1);
    const ColmapResult result = run();
    EXPECT_EQ(result.modelCount, 0);
    EXPECT_TRUE(result.largestModel.images.empty());
}

TEST_F(Colmap, keepsItsLog_whenItFails) {
    setenv("FAKE_COLMAP", "fail", 1);
    try {
        run();
        FAIL();
    } catch (const IoError& error) {
        EXPECT_THAT(error.report().problem,
                    HasSubstr("exhaustive_matcher ended with exit code 3: no more space"));
        EXPECT_EQ(error.report().remedy, "Its log is " + (folder_ / "kept.log").string() + '.');
        EXPECT_THAT(std::string(asText(readFile(folder_ / "kept.log"))),
                    HasSubstr("no more space"));
    }
}

TEST_F(Colmap, usesTheNamesOfOptions_whichItsHelpLists) {
    writeFakeColmap(folder_ / "colmap", folder_ / "models", ColmapNames::since313);
    const ColmapResult result = run();
    EXPECT_EQ(result.largestModel.images.size(), 3);
    EXPECT_THAT(result.featureCounts, Each(900));
    EXPECT_THAT(works_, testing::IsSupersetOf({"finding features", "matching", "finding cameras"}));
    EXPECT_THAT(done_, testing::IsSupersetOf({std::pair<std::string, std::size_t>("matching", 3),
                                              {"finding cameras", 2}}));
}

}  // namespace
}  // namespace threefold::test
