#include "engine/formats/pictures/photograph.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/formats/pictures/picture_listing.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/pictures/image.h"
#include "engine/sample/view_files.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;
using test::TempFolder;

/// Mask of 4×2 pixels (times `times`) with the object in the left half.
Image halfMask(std::uint8_t object, int times = 1) {
    Image mask{4 * times, 2 * times, {}};
    for (int i = 0; i < 8 * times * times; ++i) {
        const std::uint8_t value = i % (4 * times) < 2 * times ? object : 0;
        for (const std::uint8_t channel : {value, value, value, std::uint8_t{255}})
            mask.rgba.push_back(channel);
    }
    return mask;
}

TEST(Photograph, findsItsMask_inEachKnownPlace) {
    const Image picture{4, 2, std::vector<std::uint8_t>(32, 255)};
    for (const char* place :
         {"p/masks/1.png", "p/mask/1.png", "masks/1.webp.png", "segmentation/1.png",
          "p/silhouettes/1.png", "p/1_mask.png", "p/1.mask.png", "mask/1_mask.png"}) {
        SCOPED_TRACE(place);
        const TempFolder folder;
        std::filesystem::create_directories(folder / "p");
        writePng(folder / "p/1.webp", picture);  // a PNG by its content
        std::filesystem::create_directories((folder / place).parent_path());
        writePng(folder / place, halfMask(255));
        const Image read = readPhotograph(folder / "p/1.webp");
        EXPECT_EQ(read.rgba[3], 255);
        EXPECT_EQ(read.rgba[4 * 3 + 3], 0);
    }
}

TEST(Photographs, areNotTheTexturesOfMeshesBesideThem) {
    const TempFolder folder;
    const Image picture{4, 2, std::vector<std::uint8_t>(32, 255)};
    for (const char* name : {"1.png", "2.png", "3_seen.png", "m_predict.png", "m_predict_seen.png"})
        writePng(folder / name, picture);
    std::ofstream(folder / "m_predict.mtl") << "newmtl photographs\nmap_Kd m_predict.png\n";
    std::ofstream(folder / "2.mtl") << "newmtl plain\nKd 1 1 1\n";
    const std::vector<Path> expected = {folder / "1.png", folder / "2.png", folder / "3_seen.png"};
    EXPECT_EQ(tryListPictures(folder.path()), expected);
    EXPECT_EQ(listPictures(folder.path()), expected);
}

TEST(Photographs, areNoTextures_whenATexturesNameOnlyEndsWithTheirs) {
    const TempFolder folder;
    const Image picture{4, 2, std::vector<std::uint8_t>(32, 255)};
    for (const char* name : {"1.png", "2.png", "a 3.png"}) writePng(folder / name, picture);
    std::ofstream(folder / "1.mtl") << "map_Kd wood11.png\n";
    std::ofstream(folder / "2.mtl") << "map_Kd textures\\2.png \r\n";
    std::ofstream(folder / "a 3.mtl") << "map_Kd -s 1 1 1 a 3.png\n";
    const std::vector<Path> expected = {folder / "1.png"};
    EXPECT_EQ(tryListPictures(folder.path()), expected);
}

TEST(Photograph, usesTheNamedMask_unlessANewerOneExists) {
    const TempFolder folder;
    std::filesystem::create_directories(folder / "mask");
    std::filesystem::create_directories(folder / "elsewhere");
    writePng(folder / "1.png", {4, 2, std::vector<std::uint8_t>(32, 255)});
    writePng(folder / "mask/1.png", halfMask(0));
    const Path named = folder / "elsewhere/first.png";
    writePng(named, halfMask(255));
    EXPECT_EQ(maskFileOf(folder / "1.png", named), named);
    EXPECT_EQ(readPhotograph(folder / "1.png", named).rgba[3], 255);
    EXPECT_EQ(readPhotograph(folder / "1.png").rgba[3], 0);
    writeOwnMask(folder / "1.png", halfMask(0));
    EXPECT_EQ(maskFileOf(folder / "1.png", named), folder / "masks/1.png");
    EXPECT_EQ(readPhotograph(folder / "1.png", named).rgba[3], 0);
}

TEST(Photograph, isFoundInTheImagesFolder_andItsMaskIsWrittenBesideTheFolder) {
    const TempFolder folder;
    std::filesystem::create_directories(folder / "fox/images");
    const Image picture{4, 2, std::vector<std::uint8_t>(32, 255)};
    writePng(folder / "fox/images/2.png", picture);
    writePng(folder / "fox/images/10.png", picture);
    const std::vector<Path> found = listPhotographs(folder / "fox");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0], folder / "fox/images/2.png");
    EXPECT_EQ(ownMaskFile(found[0]), folder / "fox/masks/2.png");
    EXPECT_EQ(ownMaskFile(folder / "fox/2.png"), folder / "fox/masks/2.png");
    writeOwnMask(found[0], halfMask(255));
    EXPECT_EQ(maskFileOf(found[0]), folder / "fox/masks/2.png");
    EXPECT_EQ(listPhotographs(folder / "fox/images").size(), 2U);
}

TEST(Photograph, readsMasks_ofZeroAndOneOrAnotherSize) {
    const TempFolder folder;
    std::filesystem::create_directories(folder / "masks");
    writePng(folder / "1.png", {4, 2, std::vector<std::uint8_t>(32, 255)});
    for (const Image& mask : {halfMask(1), halfMask(255, 3), halfMask(1, 2)}) {
        writePng(folder / "masks/1.png", mask);
        const Image read = readPhotograph(folder / "1.png");
        for (std::size_t i = 0; i < 8; ++i)
            EXPECT_EQ(read.rgba[4 * i + 3], i % 4 < 2 ? 255 : 0) << mask.width;
    }
    writePng(folder / "masks/1.png", {2, 2, std::vector<std::uint8_t>(16, 255)});
    EXPECT_THROW(readPhotograph(folder / "1.png"), InputError);
}

TEST(Photograph, keepsPartialCoverage_whenTheMasksExtensionIsInCapitals) {
    const TempFolder folder;
    writePng(folder / "1.png", {4, 2, std::vector<std::uint8_t>(32, 255)});
    writePng(folder / "MASK.PNG", halfMask(200));
    EXPECT_EQ(readPhotograph(folder / "1.png", folder / "MASK.PNG").rgba[3], 200);
}

}  // namespace
}  // namespace threefold
