// Tests of photographs that phones and cameras write: rotated, with data of the lens, or with a
// colour profile.

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/image_info.h"
#include "engine/formats/pictures/image_writers.h"
#include "tests/engine/formats/readers.h"
#include "tests/support/exif_bytes.h"
#include "tests/support/message_of.h"

namespace threefold {
namespace {

using test::exifBytes;
using test::jpegWithExif;
using testing::HasSubstr;

std::string fixture(const std::string& name) {
    return std::string(asText(readFile(test::dataFolder() / name)));
}

Image pictureOf(const std::string& bytes, PixelOrder order = PixelOrder::upright) {
    return decodeImage(asBytes(bytes), "photo", UINT64_MAX, order);
}

std::array<std::uint8_t, 4> pixelOf(const Image& image, int x, int y) {
    std::array<std::uint8_t, 4> pixel{};
    std::copy_n(image.rgba.begin() + 4 * (static_cast<std::ptrdiff_t>(y) * image.width + x), 4,
                pixel.begin());
    return pixel;
}

/// Place of the stored pixel (x, y) in the upright picture, by EXIF's definition of orientations.
std::array<int, 2> placeOf(int orientation, int x, int y, int width, int height) {
    const int right = width - 1 - x;
    const int below = height - 1 - y;
    switch (orientation) {
        case 2:
            return {right, y};
        case 3:
            return {right, below};
        case 4:
            return {x, below};
        case 5:
            return {y, x};
        case 6:
            return {below, x};
        case 7:
            return {below, right};
        case 8:
            return {y, right};
        default:
            return {x, y};
    }
}

void expectTurned(const std::string& plain, const std::string& turned, int orientation) {
    const Image stored = pictureOf(plain);
    const Image upright = pictureOf(turned);
    ASSERT_TRUE(upright.isComplete()) << orientation;
    ASSERT_EQ(upright.width, orientation > 4 ? stored.height : stored.width) << orientation;
    int wrong = 0;
    for (int y = 0; y < stored.height; ++y)
        for (int x = 0; x < stored.width; ++x) {
            const auto [u, v] = placeOf(orientation, x, y, stored.width, stored.height);
            wrong += pixelOf(stored, x, y) == pixelOf(upright, u, v) ? 0 : 1;
        }
    EXPECT_EQ(wrong, 0) << orientation;
    const ImageInfo info = decodeImageInfo(asBytes(turned), "photo");
    EXPECT_EQ(info.stored, (ImageSize{stored.width, stored.height})) << orientation;
    EXPECT_EQ(info.size(), (ImageSize{upright.width, upright.height})) << orientation;
    EXPECT_EQ(pictureOf(turned, PixelOrder::stored).rgba, stored.rgba) << orientation;
}

TEST(Orientation, turnsThePicture_inEachFormat) {
    Image wide{40, 23, {}};  // more rows than are rotated at once
    for (int i = 0; i < 40 * 23; ++i)
        wide.rgba.insert(wide.rgba.end(),
                         {static_cast<std::uint8_t>(i % 251), static_cast<std::uint8_t>(i / 40), 7,
                          static_cast<std::uint8_t>(255 - i % 3)});
    const std::string png(asText(encodePng(wide)));
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const std::string exif = exifBytes(orientation, {}, orientation % 2 == 0);
        for (const char* name :
             {"good/colour.jpg", "good/progressive.jpg", "good/grey.jpg", "good/cmyk.jpg"})
            expectTurned(fixture(name), jpegWithExif(fixture(name), exif), orientation);
        for (const std::string& picture : {png, fixture("good/grey16_interlaced.png")})
            expectTurned(picture, test::pngWithExif(picture, exif), orientation);
        for (const char* name : {"good/lossless.webp", "good/lossy.webp"})
            expectTurned(fixture(name), test::webpWithExif(fixture(name), exif), orientation);
    }
}

TEST(Orientation, isIgnored_unlessFrom1To8) {
    const std::string plain = fixture("good/colour.jpg");
    const auto orientationOf = [](const std::string& jpeg) {
        return decodeImageInfo(asBytes(jpeg), "photo").exif.orientation;
    };
    EXPECT_EQ(orientationOf(plain), 1);
    EXPECT_EQ(orientationOf(jpegWithExif(plain, exifBytes(0))), 1);
    EXPECT_EQ(orientationOf(jpegWithExif(plain, exifBytes(9))), 1);
    EXPECT_EQ(orientationOf(jpegWithExif(plain, "II*")), 1);
    EXPECT_EQ(orientationOf(jpegWithExif(plain, exifBytes(8))), 8);
}

TEST(Orientation, isThatOfTheFirstBlock_whenAJpegHasTwo) {
    const std::string once = jpegWithExif(fixture("good/colour.jpg"), exifBytes(3));
    // jpegWithExif() inserts its block before existing blocks.
    const std::string twice = jpegWithExif(once, exifBytes(6));
    EXPECT_EQ(decodeImageInfo(asBytes(twice), "photo").exif.orientation, 6);
}

TEST(Exif, givesTheFocalLength_asWrittenOrFromSensorAndLens) {
    const auto focalOf = [](const std::vector<test::ExifEntry>& camera, bool little = true) {
        return readExif(asBytes(exifBytes(1, camera, little))).focalLength35mm;
    };
    EXPECT_EQ(focalOf({{0xA405, 26}}), 26);
    EXPECT_EQ(focalOf({{0x920A, 42, 10}, {0xA405, 26}}, false), 26);
    // A sensor of 36 × 24 mm with 6000 × 4000 pixels has 6000 × 25.4 / 36 pixels per inch.
    const test::ExifEntry width{0xA002, 6000};
    const test::ExifEntry height{0xA003, 4000};
    const auto full = focalOf({width, height, {0x920A, 50, 1}, {0xA20E, 1524000, 360}});
    ASSERT_TRUE(full);
    EXPECT_NEAR(*full, 50, 1e-9);
    const auto centimetres =
        focalOf({width, height, {0x920A, 50, 1}, {0xA20E, 60000, 36}, {0xA210, 3}});
    ASSERT_TRUE(centimetres);
    EXPECT_NEAR(*centimetres, 50, 1e-9);
    EXPECT_FALSE(focalOf({{0x920A, 42, 10}}));  // the size of the sensor is unknown
    EXPECT_FALSE(focalOf({{0xA405, 0}}));
    EXPECT_FALSE(focalOf({{0xA405, 70000}}));
    EXPECT_FALSE(focalOf({width, height, {0x920A, 0, 1}, {0xA20E, 1524000, 360}}));
    // The tag of pixels per inch is missing. A ratio read at offset 0 in its place would be the
    // block's first bytes.
    for (const bool little : {true, false})
        EXPECT_FALSE(focalOf({{0x920A, 42, 10}, width, height}, little));
}

TEST(FocalLength, isInPixels_byTheDiagonal) {
    EXPECT_NEAR(focalLengthPixels({3600, 2400}, 50), 5000, 1e-9);
    EXPECT_EQ(focalLengthPixels({2400, 3600}, 50), focalLengthPixels({3600, 2400}, 50));
    EXPECT_EQ(focalLengthPixels({3600, 2400}, {}), focalLengthPixels({3600, 2400}, 26));
}

TEST(Exif, refusesAFocalLength_whenImpossible) {
    for (const std::uint32_t focal : {3U, 1300U}) {
        const Exif exif = readExif(asBytes(exifBytes(1, {{0xA405, focal}}, true)));
        EXPECT_FALSE(exif.focalLength35mm);
        EXPECT_EQ(exif.implausibleFocalLength35mm, focal);
    }
}

TEST(Exif, staysWithinItsBytes_whenTheyAreMalformed) {
    const std::string whole = exifBytes(6, {{0x920A, 42, 10}, {0xA405, 26}}, true);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto exact = std::make_unique<std::byte[]>(length);
        std::copy_n(asBytes(whole).begin(), length, exact.get());
        const Exif exif = readExif({exact.get(), length});
        EXPECT_TRUE(exif.orientation == 1 || exif.orientation == 6) << length;
    }
    // The offset of the camera's directory leads back to the picture's directory.
    std::string looped = whole;
    looped.replace(8 + 2 + 12 + 8, 4, test::numberBytes(8, 4, true));
    EXPECT_FALSE(readExif(asBytes(looped)).focalLength35mm);
    EXPECT_EQ(readExif(asBytes(looped)).orientation, 6);
    for (const std::size_t place : {std::size_t{4}, std::size_t{8 + 2 + 12 + 8}}) {
        std::string far = whole;
        far.replace(place, 4, "\xff\xff\xff\xff");
        EXPECT_FALSE(readExif(asBytes(far)).focalLength35mm) << place;
    }
}

TEST(ColourProfile, isNamed_unlessSrgb) {
    const auto profileOf = [](const std::string& icc) {
        const std::string mark("ICC_PROFILE\0\1\1", 14);
        return decodeImageInfo(
                   asBytes(test::withSegment(fixture("good/colour.jpg"), 0xE2, mark + icc)), "a")
            .profile;
    };
    EXPECT_EQ(profileOf(test::iccProfile("sRGB IEC61966-2.1", false)), "");
    EXPECT_EQ(profileOf(test::iccProfile("Display P3", true)), "Display P3");
    EXPECT_EQ(profileOf(test::iccProfile("Adobe RGB (1998)", false)), "Adobe RGB (1998)");
    EXPECT_EQ(profileOf(test::iccProfile(std::string(500, 'x'), true)).size(), 60U);
    EXPECT_EQ(profileOf("no profile"), "");
    for (const bool wide : {false, true}) {
        const std::string whole = test::iccProfile("Display P3", wide);
        for (std::size_t length = 0; length < whole.size(); ++length) {
            const auto exact = std::make_unique<std::byte[]>(length);
            std::copy_n(asBytes(whole).begin(), length, exact.get());
            EXPECT_LE(nonSrgbProfileName({exact.get(), length}).size(), 10U);
        }
    }
}

TEST(WebP, isReadUnchanged_orRefusedInOneLine) {
    EXPECT_EQ(pictureOf(fixture("good/lossless.webp")).rgba,
              pictureOf(fixture("good/rgba8.png")).rgba);
    const auto refusal = [](const std::string& bytes) {
        return test::messageOf<FormatError>([&] { pictureOf(bytes); });
    };
    EXPECT_THAT(refusal(fixture("broken/animated.webp")),
                HasSubstr("an animated WebP, which is not supported. Save one"));
    std::string cut = fixture("good/lossy.webp");
    cut.resize(cut.size() - 40);
    EXPECT_THAT(refusal(cut), HasSubstr("damaged WebP: its pixels cannot be read"));
    EXPECT_THAT(refusal(cut.substr(0, 16)), HasSubstr("an image of 0 x 0 pixels"));
}

TEST(WebP, isRefused_whenItsPixelsExceedTheFilesAllowance) {
    std::string huge = fixture("good/lossless.webp");
    // The header of 20 bytes and a signature byte precede 14 bits each of width − 1 and height − 1.
    huge.replace(21, 4, std::string("\xff\xff\xff\x0f", 4));
    EXPECT_THAT(test::messageOf<FormatError>([&] { pictureOf(huge); }),
                HasSubstr("16384 x 16384 pixels take 2052 MB of memory, but at most 512 MB"));
}

TEST(Orientation, isFound_behindThePixelsOfAPng) {
    const Image wide{3, 2, std::vector<std::uint8_t>(24, 200)};
    std::string png(asText(encodePng(wide)));
    const std::string block = exifBytes(6);
    const std::string chunk =
        test::numberBytes(block.size(), 4, false) + "eXIf" + block + std::string(4, '\0');
    png.insert(png.size() - 12, chunk);  // before IEND
    EXPECT_EQ(pictureOf(png).width, 2);
    EXPECT_EQ(decodeImageInfo(asBytes(png), "a.png").size(), (ImageSize{2, 3}));
    EXPECT_EQ(pictureOf(test::pngWithExif(png, exifBytes(1))).width, 3) << "the first chunk counts";
}

TEST(Orientation, isRefused_whenTurningExceedsTheFilesAllowance) {
    const Image white{8300, 8300, std::vector<std::uint8_t>(std::size_t{4} * 8300 * 8300, 255)};
    const std::string png(asText(encodePng(white)));
    EXPECT_EQ(pictureOf(png).width, 8300);
    EXPECT_THAT(
        test::messageOf<FormatError>([&] { pictureOf(test::pngWithExif(png, exifBytes(6))); }),
        HasSubstr("8300 x 8300 pixels take 263 MB of memory"));
}

}  // namespace
}  // namespace threefold
