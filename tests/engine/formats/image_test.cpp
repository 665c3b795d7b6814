#include "engine/formats/pictures/image.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <span>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <glm/vec3.hpp>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/image_info.h"
#include "tests/engine/formats/readers.h"
#include "tests/support/decode_all.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

/// Calls `check` for every file of data/good that has this extension, with the file's path, its
/// decoded image and its expected pixels from data/images.npz. The expected pixels were computed
/// from the format's definition for PNG, and by another decoder for JPEG.
void forEachImage(const std::string& extension,
                  const std::function<void(const test::Path&, const Image&,
                                           std::span<const std::uint8_t>)>& check) {
    const ArrayMap expected = test::readNpz(test::dataFolder() / "images.npz");
    const Array& stack = expected.at(extension);  // (files, height, width, 4)
    const std::size_t step = stack.shape[1] * stack.shape[2] * stack.shape[3];
    const auto* pixels = reinterpret_cast<const std::uint8_t*>(stack.data.data());
    const std::string interlaced = "_interlaced";
    std::map<std::string, std::size_t> places;
    for (const test::Path& file : test::filesOf("good")) {
        std::string name = file.stem().string();
        if (file.extension() != extension || name.ends_with(interlaced)) continue;
        const std::size_t next = places.size();
        places.emplace(name, next);
    }
    ASSERT_EQ(places.size(), stack.shape[0]);
    for (const test::Path& file : test::filesOf("good")) {
        if (file.extension() != extension) continue;
        std::string name = file.stem().string();
        if (name.ends_with(interlaced)) name.resize(name.size() - interlaced.size());
        const Image image = readImage(file);
        ASSERT_EQ(static_cast<std::size_t>(image.height), stack.shape[1]) << file;
        ASSERT_EQ(static_cast<std::size_t>(image.width), stack.shape[2]) << file;
        ASSERT_EQ(image.rgba.size(), step) << file;
        check(file, image, {pixels + places.at(name) * step, step});
    }
}

TEST(Image, readsEveryKindOfPng) {
    forEachImage(".png", [](const auto& file, const Image& image, auto expected) {
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), image.rgba.begin())) << file;
    });
}

TEST(Image, readsEveryKindOfJpeg) {
    forEachImage(".jpg", [](const auto& file, const Image& image, auto expected) {
        int worst = 0;
        for (std::size_t i = 0; i < expected.size(); ++i)
            worst = std::max(worst, std::abs(expected[i] - image.rgba[i]));
        EXPECT_LE(worst, 1) << file;  // decoders may round differently
    });
}

TEST(Image, isRestored_whenWrittenAndRead) {
    const test::TempFolder folder;
    Image image{3, 2, {}};
    for (int i = 0; i < 24; ++i) image.rgba.push_back(static_cast<std::uint8_t>(i * 10));
    writePng(folder / "a.png", image);
    const Image again = readImage(folder / "a.png");
    EXPECT_EQ(again.width, 3);
    EXPECT_EQ(again.height, 2);
    EXPECT_EQ(again.rgba, image.rgba);
}

// zlib compresses 1 GB of zeros to 1 MB, and libpng decompresses all data after the last row.
TEST(Image, isRefused_whenFarMorePixelsFollowThanItHas) {
    const auto withRows = [](std::size_t rows) {
        constexpr std::size_t kRow = 41;  // filter byte and ten pixels of RGBA
        std::vector<Bytef> pixels(kRow * rows);
        uLongf size = compressBound(pixels.size());
        std::string packed(size, '\0');
        compress2(reinterpret_cast<Bytef*>(packed.data()), &size, pixels.data(), pixels.size(),
                  Z_BEST_SPEED);
        packed.resize(size);
        const auto bigEndian = [](std::size_t value) {
            std::string bytes;
            for (int shift = 24; shift >= 0; shift -= 8)
                bytes += static_cast<char>(value >> shift & 0xffU);
            return bytes;
        };
        const auto chunk = [&](const std::string& kind, const std::string& data) {
            const std::string checked = kind + data;
            return bigEndian(data.size()) + checked +
                   bigEndian(crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                                   static_cast<uInt>(checked.size())));
        };
        return "\x89PNG\r\n\x1a\n" +
               chunk("IHDR", bigEndian(10) + bigEndian(10) + std::string("\x08\x06\0\0\0", 5)) +
               chunk("IDAT", packed) + chunk("IEND", "");
    };
    EXPECT_EQ(decodeImage(asBytes(withRows(10)), "a.png").height, 10);
    EXPECT_THAT(
        test::messageOf<FormatError>([&] { decodeImage(asBytes(withRows(1'000'000)), "a.png"); }),
        testing::HasSubstr("damaged PNG: more pixels follow the last row"));
}

TEST(Image, writesNothing_whenPixelsDoNotFit) {
    const test::TempFolder folder;
    EXPECT_THROW(writePng(folder / "a.png", Image{2, 2, std::vector<std::uint8_t>(15)}),
                 InputError);
    EXPECT_THROW(writePng(folder / "a.png", Image{}), InputError);
    EXPECT_THROW(writePng(folder / "a.png", Image{-1, -1, std::vector<std::uint8_t>(4)}),
                 InputError);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Image, isRefusedInOneLine_whenItIsNoPicture) {
    const auto refusal = [](std::string_view bytes) {
        return test::messageOf<NotThisFormat>([&] { decodeImage(asBytes(bytes), "photo.jpg"); });
    };
    EXPECT_EQ(refusal("no picture"),
              "photo.jpg: byte 0: is no PNG, JPEG, WebP, HEIC or AVIF image. Save the image as PNG "
              "or JPEG.");
    EXPECT_EQ(refusal("GIF89a"),
              "photo.jpg: is a GIF image, which is not supported. Convert it to PNG or JPEG.");
    EXPECT_EQ(refusal(""), "photo.jpg: is empty, no picture. Copy or save the picture again.");
    EXPECT_THAT(refusal(std::string_view("\0\0\0\x18"
                                         "ftypisom",
                                         12)),
                testing::HasSubstr("is a video"));
}

// photo.heic shows a blue upper left quarter on red. It has 64 × 48 pixels and EXIF's focal length
// of 26 mm, and is written by heif-enc.
TEST(Image, isReadFromHeic_whenLibheifIsInstalled) {
    const std::vector<std::byte> bytes = readFile(test::dataFolder() / "photo.heic", 1 << 20);
    ImageInfo info;
    try {
        info = decodeImageInfo(bytes, "photo.heic");
    } catch (const NotThisFormat& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("Install libheif1"));
        GTEST_SKIP() << error.what();
    }
    EXPECT_EQ(info.size(), (ImageSize{64, 48}));
    EXPECT_EQ(info.exif.focalLength35mm, 26);
    const Image image = decodeImage(bytes, "photo.heic");
    ASSERT_TRUE(image.width == 64 && image.height == 48 && image.isComplete());
    const auto near = [&](std::size_t x, std::size_t y, glm::ivec3 colour) {
        for (int c = 0; c < 3; ++c)
            EXPECT_NEAR(image.rgba[4 * (64 * y + x) + static_cast<std::size_t>(c)], colour[c], 12);
        EXPECT_EQ(image.rgba[4 * (64 * y + x) + 3], 255);
    };
    near(8, 8, {30, 60, 210});
    near(50, 8, {200, 40, 30});
    near(8, 40, {200, 40, 30});
    for (std::size_t length = 12; length < bytes.size(); length += 7)
        EXPECT_THROW(decodeImage(std::span(bytes).first(length), "cut.heic"), FormatError)
            << length;
    EXPECT_THROW(decodeImage(bytes, "photo.heic", 10'000), FormatError);
}

TEST(Image, isIoError_whenMissing) {
    EXPECT_THROW(readImage("no/such.png"), IoError);
}

}  // namespace
}  // namespace threefold
