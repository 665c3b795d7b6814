#include "engine/cutout/cutout.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/board/board_layout.h"
#include "engine/cutout/cutout_files.h"
#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image_writers.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/formats/pictures/photograph.h"
#include "tests/engine/board/scene.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;

using Inside = std::function<bool(int x, int y)>;

constexpr int kWidth = 240;
constexpr int kHeight = 180;

/// A reddish object on greenish, chequered, noisy ground.
Image photographOf(const Inside& inside) {
    std::mt19937 random(7);
    std::normal_distribution<float> noise(0, 4);
    Image image{kWidth, kHeight, {}};
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            const bool object = inside(x, y);
            const float stripe = object ? 0.0F : 25.0F * static_cast<float>((x / 20 + y / 20) % 2);
            const float base[] = {object ? 190.0F : 70.0F, object ? 80.0F : 120.0F, 60.0F};
            for (const float c : base)
                image.rgba.push_back(static_cast<std::uint8_t>(
                    std::clamp(c + stripe + noise(random), 0.0F, 255.0F)));
            image.rgba.push_back(255);
        }
    return image;
}

bool isWhite(const Image& mask, int x, int y) {
    return mask.rgba[4 * static_cast<std::size_t>(y * mask.width + x)] > 127;
}

double overlap(const Image& mask, const Inside& inside) {
    int both = 0, either = 0;
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x) {
            both += isWhite(mask, x, y) && inside(x, y) ? 1 : 0;
            either += isWhite(mask, x, y) || inside(x, y) ? 1 : 0;
        }
    return static_cast<double>(both) / either;
}

bool inRing(int x, int y) {
    const double radius = std::hypot(x - 120, y - 90);
    return radius > 25 && radius < 60;
}

bool inDisc(int x, int y) {
    return std::hypot(x - 110, y - 95) < 50;
}

TEST(Cutout, findsTheObject_withItsHoles) {
    const Cutout made = cutOut(photographOf(inRing));
    EXPECT_EQ(made.mask.width, kWidth);
    EXPECT_GT(overlap(made.mask, inRing), 0.97);
    EXPECT_FALSE(isWhite(made.mask, 120, 90));
    EXPECT_NEAR(made.fraction, 9346.0 / (kWidth * kHeight), 0.005);
    EXPECT_EQ(made.warning, "");
}

// A lens blurs an outline: the true outline lies where half of the colour is the object's.
TEST(Cutout, hasTheObjectsArea_whenTheOutlineIsBlurred) {
    constexpr double kRadius = 50, kBlur = 3;
    Image photograph = photographOf([](int, int) { return false; });
    const Image object = photographOf([](int, int) { return true; });
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            const double inside = kRadius - std::hypot(x - 110, y - 95);
            const double fraction = std::clamp(inside / kBlur + 0.5, 0.0, 1.0);
            const auto first = 4 * static_cast<std::size_t>(y * kWidth + x);
            for (std::size_t i = first; i < first + 3; ++i)
                photograph.rgba[i] = static_cast<std::uint8_t>(
                    std::lerp(photograph.rgba[i], object.rgba[i], fraction));
        }
    const double area = std::numbers::pi * kRadius * kRadius;
    EXPECT_NEAR(cutOut(photograph).fraction * kWidth * kHeight / area, 1, 0.01);
}

TEST(Cutout, leavesOutMarkers_whenTheObjectHidesAPartOfThem) {
    for (const Pose& camera : BoardScene::cameras(4)) {
        const Image known = BoardScene::mask(camera);
        EXPECT_GT(overlap(cutOut(BoardScene::photograph(camera)).mask,
                          [&](int x, int y) { return isWhite(known, x, y); }),
                  0.985);
    }
}

/// The printed board's layout with markers of another family.
board::SheetLayout otherSheet(const board::MarkerFamily& family) {
    std::vector<board::SheetMarker> markers = board::printedBoard().markers;
    for (board::SheetMarker& marker : markers) marker.id -= board::kFirstMarkerId;
    return board::makeSheetLayout(family, markers);
}

TEST(Cutout, leavesOutMarkersOfOtherFamilies_whenTheBoardIsKnown) {
    const board::MarkerFamily& family = board::markerFamilyFromName("5X5_50");
    for (const Pose& camera : BoardScene::cameras(3)) {
        const Image known = BoardScene::mask(camera);
        EXPECT_GT(
            overlap(cutOut(BoardScene::photograph(camera, true, family), otherSheet(family)).mask,
                    [&](int x, int y) { return isWhite(known, x, y); }),
            0.985);
    }
}

TEST(Cutout, findsTheObjectOnTheBoard_notABrightSpotBesideIt) {
    const Pose camera = BoardScene::cameras(4).front();
    Image photograph = BoardScene::photograph(camera);
    for (int y = 0; y < photograph.height; ++y)
        for (int x = 0; x < photograph.width; ++x) {
            const auto at = static_cast<std::size_t>(4 * (y * photograph.width + x));
            if (photograph.rgba[at] != 110 || std::hypot(x - 100, y - 330) > 130) continue;
            photograph.rgba[at] = 235;
            photograph.rgba[at + 1] = 205;
            photograph.rgba[at + 2] = 150;
        }
    const Image known = BoardScene::mask(camera);
    EXPECT_GT(overlap(cutOut(photograph).mask, [&](int x, int y) { return isWhite(known, x, y); }),
              0.97);
}

TEST(Cutout, distinguishesAGreyObject_fromShadedPaper) {
    const Pose camera = BoardScene::cameras(4).front();
    const Image known = BoardScene::mask(camera);
    Image photograph = BoardScene::photograph(camera);
    for (int y = 0; y < photograph.height; ++y)
        for (int x = 0; x < photograph.width; ++x) {
            if (!isWhite(known, x, y)) continue;
            const auto at = static_cast<std::size_t>(4 * (y * photograph.width + x));
            for (std::size_t channel = 0; channel < 3; ++channel)
                photograph.rgba[at + channel] = 125;
        }
    EXPECT_GT(overlap(cutOut(photograph).mask, [&](int x, int y) { return isWhite(known, x, y); }),
              0.95);
}

TEST(Cutout, isTheSame_forTheSamePhotograph) {
    const Image photograph = photographOf(inDisc);
    EXPECT_EQ(cutOut(photograph).mask.rgba, cutOut(photograph).mask.rgba);
}

TEST(Cutout, keepsThinParts) {
    const Inside withLegs = [](int x, int y) {
        return inDisc(x, y) ||
               (y > 100 && y < 165 && (std::abs(x - 85) < 3 || std::abs(x - 135) < 3));
    };
    const Cutout made = cutOut(photographOf(withLegs));
    EXPECT_TRUE(isWhite(made.mask, 85, 155));
    EXPECT_TRUE(isWhite(made.mask, 135, 155));
}

TEST(Cutout, leavesOutALine_whenItCrossesThePicture) {
    Image photograph = photographOf(inDisc);
    for (std::size_t i = 0; i < std::size_t{3} * 4 * kWidth; ++i)
        photograph.rgba[std::size_t{4} * kWidth * 70 + i] = i % 4 == 3 ? 255 : 20;
    const Cutout made = cutOut(photograph);
    EXPECT_FALSE(isWhite(made.mask, 25, 71));
    EXPECT_FALSE(isWhite(made.mask, 215, 71));
}

TEST(Cutout, warns_whenTheObjectReachesTheEdge) {
    const Inside high = [](int x, int y) {
        return inDisc(x, y) || (std::abs(x - 110) < 6 && y < 90);
    };
    EXPECT_THAT(cutOut(photographOf(high)).warning, HasSubstr("reaches the picture's edge"));
}

TEST(Cutout, refusesAPhotograph_withoutAnObject) {
    Image plain{64, 64, std::vector<std::uint8_t>(std::size_t{4} * 64 * 64, 200)};
    EXPECT_THROW(cutOut(plain), InputError);
    const Image tiny{31, 200, std::vector<std::uint8_t>(std::size_t{4} * 31 * 200, 90)};
    EXPECT_THROW(cutOut(tiny), InputError);
}

class CutoutFiles : public testing::Test {
  protected:
    std::filesystem::path written(const std::string& name, const Image& image) {
        writePng(folder_ / name, image);
        return folder_ / name;
    }
    static CutoutFile cutOutOneFile(const std::filesystem::path& file, bool overwrite = false) {
        return cutOutFiles({&file, 1}, {.overwrite = overwrite}).front();
    }

    TempFolder folder_;
};

TEST_F(CutoutFiles, lieBesideThePhotograph_andAreReadWithIt) {
    const std::filesystem::path photograph = written("a.png", photographOf(inDisc));
    const std::vector<std::uint8_t> before = readImage(photograph).rgba;
    const CutoutFile file = cutOutOneFile(photograph);
    EXPECT_EQ(file.error, "");
    EXPECT_EQ(file.mask, folder_ / "masks/a.png");
    EXPECT_EQ(readImage(photograph).rgba, before);
    const Image read = readPhotograph(photograph);
    EXPECT_EQ(read.rgba[3], 0);
    EXPECT_EQ(read.rgba[4 * (95 * kWidth + 110) + 3], 255);
}

TEST_F(CutoutFiles, areMadeOnce_unlessOverwritten) {
    const std::filesystem::path photograph = written("a.png", photographOf(inDisc));
    EXPECT_FALSE(cutOutOneFile(photograph).wasCutOutBefore);
    EXPECT_TRUE(cutOutOneFile(photograph).wasCutOutBefore);
    EXPECT_FALSE(cutOutOneFile(photograph, true).wasCutOutBefore);
}

TEST_F(CutoutFiles, areNotNeeded_whenThePhotographIsTransparent) {
    Image image = photographOf(inDisc);
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            if (!inDisc(x, y)) image.rgba[4 * static_cast<std::size_t>(y * kWidth + x) + 3] = 0;
    const CutoutFile file = cutOutOneFile(written("a.png", image));
    EXPECT_TRUE(file.wasCutOutBefore);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "masks"));
}

TEST_F(CutoutFiles, nameTinyPhotographs_andCutOutTheOthers) {
    std::vector<std::filesystem::path> files{written("good.png", photographOf(inDisc))};
    const std::vector<std::pair<int, int>> sizes{
        {1, 1}, {2, 2}, {100, 2}, {4000, 4}, {16384, 16}, {16384, 40}, {40, 16384}, {33, 16000}};
    for (const auto& [width, height] : sizes) {
        Image image{width, height, {}};
        for (int i = 0; i < width * height; ++i)
            image.rgba.insert(image.rgba.end(), {static_cast<std::uint8_t>(i), 90, 40, 255});
        files.push_back(
            written(std::to_string(width) + "_" + std::to_string(height) + ".png", image));
    }
    const std::vector<CutoutFile> made = cutOutFiles(files);
    EXPECT_EQ(made[0].error, "");
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto [width, height] = sizes[i];
        const std::string size =
            std::to_string(width) + " × " + std::to_string(height) + " pixels, ";
        EXPECT_THAT(made[i + 1].error, HasSubstr(files[i + 1].string() + ": is " + size));
        EXPECT_THAT(made[i + 1].error,
                    HasSubstr(std::min(width, height) < 32 ? "at least 32 a side" : "too narrow"));
    }
}

TEST_F(CutoutFiles, differ_whenTwoPhotographsHaveOneName) {
    const std::vector<std::filesystem::path> files{written("A.jpeg", photographOf(inDisc)),
                                                   written("A.png", photographOf(inRing))};
    std::vector<CutoutFile> made = cutOutFiles(files);
    EXPECT_EQ(made[0].mask, folder_ / "masks/A.jpeg.png");
    EXPECT_EQ(made[1].mask, folder_ / "masks/A.png.png");
    EXPECT_GT(overlap(readImage(made[0].mask), inDisc), 0.9);
    EXPECT_GT(overlap(readImage(made[1].mask), inRing), 0.9);
    EXPECT_EQ(maskFileOf(files[0]), made[0].mask);
    EXPECT_EQ(maskFileOf(files[1]), made[1].mask);
    // A mask whose name fits both photographs is refused.
    std::filesystem::remove_all(folder_ / "masks");
    std::filesystem::create_directories(folder_ / "masks");
    written("masks/A.png", photographOf(inDisc));
    made = cutOutFiles(files);
    EXPECT_THAT(made[0].error, testing::AllOf(HasSubstr("A.jpeg: shares the mask"),
                                              HasSubstr("masks/A.png with A.png")));
    EXPECT_THAT(made[1].error, HasSubstr("A.png: shares the mask"));
    made = cutOutFiles(files, {.overwrite = true});
    EXPECT_EQ(made[0].mask, folder_ / "masks/A.jpeg.png");
    EXPECT_EQ(made[1].mask, folder_ / "masks/A.png.png");
}

TEST_F(CutoutFiles, differ_whenOnePhotographIsNamedAsTheMaskOfAnother) {
    const std::vector<std::filesystem::path> files{written("a.jpeg", photographOf(inDisc)),
                                                   written("a.png", photographOf(inRing)),
                                                   written("a.png.png", photographOf(inDisc))};
    const std::vector<CutoutFile> made = cutOutFiles(files);
    EXPECT_EQ(made[1].mask, folder_ / "masks/a.png.png");
    EXPECT_EQ(made[2].mask, folder_ / "masks/a.png.png.png");
    EXPECT_GT(overlap(readImage(made[1].mask), inRing), 0.9);
    EXPECT_GT(overlap(readImage(made[2].mask), inDisc), 0.9);
    for (std::size_t i = 0; i < files.size(); ++i) {
        EXPECT_EQ(made[i].error, "");
        EXPECT_EQ(maskFileOf(files[i]), made[i].mask);
        EXPECT_TRUE(cutOutFiles(files)[i].wasCutOutBefore);
    }
}

TEST_F(CutoutFiles, areNotMade_whenACameraFileNamesTheMask) {
    std::filesystem::create_directories(folder_ / "images");
    std::filesystem::create_directories(folder_ / "other");
    const std::vector<std::filesystem::path> files{written("images/a.png", photographOf(inDisc)),
                                                   written("images/b.png", photographOf(inRing))};
    const std::filesystem::path mask = written("other/first.png", photographOf(inDisc));
    constexpr const char* kCameras =
        R"({"fl_x": 100, "frames": [
  {"file_path": "images/a.png", "mask_path": "other/first.png",
   "transform_matrix": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 2], [0, 0, 0, 1]]},
  {"file_path": "images/b.png",
   "transform_matrix": [[0, 0, 1, 2], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]]}]})";
    writeFileAtomically(folder_ / "transforms.json", std::string(kCameras));
    const std::vector<CutoutFile> made =
        cutOutFiles(files, {.cameraFileMasks = masksNamedByCameras(files)});
    EXPECT_TRUE(made[0].wasCutOutBefore) << made[0].error;
    EXPECT_EQ(made[0].mask, mask);
    EXPECT_FALSE(made[1].wasCutOutBefore);
    EXPECT_EQ(made[1].mask, folder_ / "masks/b.png");
}

TEST_F(CutoutFiles, areNotMade_whenABrokenMaskExists) {
    const std::filesystem::path photograph = written("a.png", photographOf(inDisc));
    std::filesystem::create_directories(folder_ / "masks");
    const auto errorWith = [&](const std::string& bytes) {
        writeFileAtomically(folder_ / "masks/a.png", bytes);
        const CutoutFile file = cutOutOneFile(photograph);
        EXPECT_FALSE(file.wasCutOutBefore);
        EXPECT_EQ(asText(readFile(folder_ / "masks/a.png")), bytes) << "nothing is replaced";
        return file.error;
    };
    const auto pngOf = [](Image image) {
        const std::vector<std::byte> bytes = encodePng(image);
        return std::string(asText(bytes));
    };
    const std::string whole =
        pngOf({kWidth, kHeight, std::vector<std::uint8_t>(4 * kWidth * kHeight, 255)});
    EXPECT_THAT(errorWith(""), HasSubstr("masks/a.png: the mask of a.png is empty"));
    EXPECT_THAT(errorWith("no picture"), HasSubstr("the mask of a.png is no PNG"));
    EXPECT_THAT(errorWith(whole.substr(0, whole.size() / 2)), HasSubstr("the mask of a.png"));
    EXPECT_THAT(errorWith(pngOf({2, 2, std::vector<std::uint8_t>(16, 255)})),
                HasSubstr("has 2 × 2 pixels, but its photograph has 240 × 180"));
    EXPECT_THAT(
        errorWith(pngOf({kWidth, kHeight, std::vector<std::uint8_t>(4 * kWidth * kHeight)})),
        HasSubstr("shows no object"));
    const CutoutFile again = cutOutOneFile(photograph, true);
    EXPECT_EQ(again.error, "");
    EXPECT_GT(overlap(readImage(again.mask), inDisc), 0.9);
}

TEST_F(CutoutFiles, areNotWritten_throughLinksOrOverFiles) {
    const std::filesystem::path photograph = written("a.png", photographOf(inDisc));
    std::filesystem::create_directories(folder_ / "others");
    std::filesystem::create_directory_symlink("others", folder_ / "masks");
    EXPECT_THAT(cutOutOneFile(photograph).error, HasSubstr("masks: is a symbolic link"));
    std::filesystem::remove(folder_ / "masks");
    std::filesystem::create_directories(folder_ / "masks");
    std::filesystem::create_symlink("../others/a.png", folder_ / "masks/a.png");
    EXPECT_THAT(cutOutOneFile(photograph).error, HasSubstr("masks/a.png: is a symbolic link"));
    EXPECT_TRUE(std::filesystem::is_empty(folder_ / "others"));
    std::filesystem::remove_all(folder_ / "masks");
    writeFileAtomically(folder_ / "masks", std::string("a file"));
    EXPECT_THAT(cutOutOneFile(photograph).error, HasSubstr("masks: is a file, where the folder"));
    EXPECT_EQ(asText(readFile(folder_ / "masks")), "a file");
}

TEST_F(CutoutFiles, nameUnreadablePhotographs_andCutOutTheOthers) {
    const std::vector<std::filesystem::path> files{folder_ / "none.jpg",
                                                   written("a.png", photographOf(inDisc))};
    const std::vector<CutoutFile> made = cutOutFiles(files);
    EXPECT_THAT(made[0].error, HasSubstr("none.jpg: cannot be opened"));
    EXPECT_EQ(made[1].error, "");
}

TEST_F(CutoutFiles, areRead_fromFoldersOfOtherPrograms) {
    const std::filesystem::path photograph = folder_ / "images/a.jpg";
    std::filesystem::create_directories(folder_ / "images");
    std::filesystem::create_directories(folder_ / "masks");
    EXPECT_EQ(maskFileOf(photograph), "");
    written("images/a_mask.png", photographOf(inDisc));
    EXPECT_EQ(maskFileOf(photograph), folder_ / "images/a_mask.png");
    written("masks/a.jpg.png", photographOf(inDisc));  // COLMAP
    EXPECT_EQ(maskFileOf(photograph), folder_ / "masks/a.jpg.png");
    written("masks/a.png", photographOf(inDisc));  // nerfstudio
    EXPECT_EQ(maskFileOf(photograph), folder_ / "masks/a.png");
    EXPECT_EQ(maskFileOf(folder_ / "masks/a.png"), "");
    EXPECT_EQ(maskFileOf(folder_ / "image/000012.png"), "");
    std::filesystem::create_directories(folder_ / "mask");
    written("mask/012.png", photographOf(inDisc));  // IDR
    EXPECT_EQ(maskFileOf(folder_ / "image/000012.png"), folder_ / "mask/012.png");
    EXPECT_EQ(maskFileOf(folder_ / "image/000120.png"), "");
    EXPECT_TRUE(isMaskName("b/a_mask.png"));
    EXPECT_FALSE(isMaskName("b/mask.png"));
}

TEST_F(CutoutFiles, areRefused_whenTheirAspectRatioDiffers) {
    const std::filesystem::path photograph = written("a.png", photographOf(inDisc));
    written("a_mask.png", {2, 2, std::vector<std::uint8_t>(16, 255)});
    EXPECT_THROW(readPhotograph(photograph), InputError);
}

}  // namespace
}  // namespace threefold::test
