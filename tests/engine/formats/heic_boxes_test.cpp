#include "engine/formats/pictures/heic_boxes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/image_info.h"
#include "tests/engine/formats/readers.h"
#include "tests/support/heic_bytes.h"
#include "tests/support/message_of.h"

namespace threefold {
namespace {

using test::HeicItem;
using testing::HasSubstr;

std::uint64_t pixels(const std::vector<HeicItem>& items, std::uint32_t main) {
    return pixelsOfHeic(asBytes(test::heicBytes(items, main)), "a.heic");
}

std::string refusal(const std::vector<HeicItem>& items, std::uint32_t main) {
    const std::string bytes = test::heicBytes(items, main);
    // The error comes before libheif is called, also in builds without libheif.
    const std::string message =
        test::messageOf<FormatError>([&] { decodeImage(asBytes(bytes), "a.heic"); });
    EXPECT_EQ(test::messageOf<FormatError>([&] { decodeImageInfo(asBytes(bytes), "a.heic"); }),
              message);
    EXPECT_THAT(message, HasSubstr("a.heic: byte "));
    return message;
}

HeicItem grid(std::vector<std::uint32_t> inputs, std::uint32_t side, std::uint32_t rows = 2) {
    return {"grid", std::move(inputs), side, side, rows, rows};
}

TEST(HeicBoxes, giveTheSize_ofOnePictureAndOfTiles) {
    EXPECT_EQ(pixels({{}}, 1), 64U * 64);
    EXPECT_EQ(pixels({{}, grid({1, 1, 1, 1}, 128)}, 2), 128U * 128);
    EXPECT_EQ(pixels({{}, grid({1, 1, 1, 1}, 100)}, 2), 128U * 128)
        << "tiles reach beyond the picture";
    EXPECT_EQ(pixels({{}, grid({1, 1, 1, 1}, 128), {"iden", {2}, 128, 128}}, 3), 128U * 128);
    const std::vector<std::byte> bytes = readFile(test::dataFolder() / "photo.heic", 1 << 20);
    EXPECT_EQ(pixelsOfHeic(bytes, "photo.heic"), 64U * 64) << "48 rows are coded as 64";
    const std::vector<std::byte> avif = readFile(test::dataFolder() / "photo.avif", 1 << 20);
    EXPECT_EQ(pixelsOfHeic(avif, "photo.avif"), 64U * 48);
    EXPECT_EQ(pixelsOfHeic({}, "a.heic"), 0U);
}

TEST(HeicBoxes, refuseGridsOfGrids) {
    const std::vector<HeicItem> two = {{}, grid({1, 1, 1, 1}, 128), grid({2, 2, 2, 2}, 256)};
    EXPECT_THAT(refusal(two, 3), HasSubstr("grids themselves"));
    // For five levels of grids, libheif would start thousands of threads.
    std::vector<HeicItem> deep = {{}};
    for (std::uint32_t i = 1; i <= 5; ++i) deep.push_back(grid({i, i, i, i}, 64U << i));
    EXPECT_THAT(refusal(deep, 6), HasSubstr("grids themselves"));
    EXPECT_THAT(
        refusal({{}, grid({1, 1, 1, 1}, 128), {"iden", {2}, 128, 128}, grid({3}, 128, 1)}, 4),
        HasSubstr("grids themselves"));
    EXPECT_THAT(refusal({{}, {"iovl", {1, 1}}, {"iovl", {2, 2}}, {"iovl", {3, 3}}}, 4),
                HasSubstr("grids themselves"));
}

TEST(HeicBoxes, refuseCirclesAndChains) {
    const std::vector<HeicItem> two = {{"iden", {2}}, {"iden", {1}}}, own = {HeicItem{"iden", {1}}};
    EXPECT_THAT(refusal(two, 1), HasSubstr("more than 3 levels"));
    EXPECT_THAT(refusal(own, 1), HasSubstr("more than 3 levels"));
    EXPECT_THAT(refusal({grid({1}, 64, 1)}, 1), HasSubstr("grids themselves"));
}

TEST(HeicBoxes, refuseTilesOutOfProportion) {
    const HeicItem large{"hvc1", {}, 8192, 8192};
    EXPECT_THAT(refusal({large, grid({1, 1, 1, 1}, 128)}, 2),
                HasSubstr("tiles of 268435456 pixels"));
    const HeicItem liar{"hvc1", {}, 64, 64, 1, 1, 0, 8192};
    EXPECT_THAT(refusal({liar, grid({1, 1, 1, 1}, 128)}, 2),
                HasSubstr("tiles of 268435456 pixels"));
    HeicItem wide = grid({1, 1, 1, 1}, 128);
    wide.canvas = 30'000;
    EXPECT_THAT(refusal({{}, wide}, 2), HasSubstr("a grid of 900000000 pixels"));
    const HeicItem many = grid(std::vector<std::uint32_t>(20'001, 1), 16384);
    EXPECT_THAT(refusal({{}, many}, 2), HasSubstr("20000 tiles"));
}

// A decoder joins the extents of an item, so their joined content must be checked.
TEST(HeicBoxes, readContent_storedInAnyPieces) {
    HeicItem inPieces = grid({1, 1, 1, 1}, 128);
    inPieces.pieces = 3;
    EXPECT_EQ(pixels({{}, inPieces}, 2), 128U * 128);
    inPieces.canvas = 30'000;
    EXPECT_THAT(refusal({{}, inPieces}, 2), HasSubstr("a grid of 900000000 pixels"));
}

TEST(HeicBoxes, giveTheLargestSize_ofAllDecoderParameters) {
    const std::string sequence = test::hevcSequence(4096);
    HeicItem inContent;
    inContent.content = test::numberBytes(sequence.size(), 4, false) + sequence;
    EXPECT_EQ(pixels({inContent}, 1), 4096U * 4096);
    inContent.pieces = 5;
    EXPECT_EQ(pixels({inContent}, 1), 4096U * 4096);

    std::string configuration(4, '\0');
    // 3840 × 2160 in a reduced sequence header, 12 bits per side.
    std::string bits = "000" + std::string("11") + "00000" + "1011" + "1011";
    for (const unsigned side : {3840U - 1, 2160U - 1})
        for (int bit = 11; bit >= 0; --bit) bits += (side >> bit & 1U) != 0 ? '1' : '0';
    bits.append(8 - bits.size() % 8, '1');
    std::string header;
    for (std::size_t i = 0; i < bits.size(); i += 8)
        header += static_cast<char>(std::stoi(bits.substr(i, 8), nullptr, 2));
    configuration += '\x0A' + std::string(1, static_cast<char>(header.size())) + header;
    HeicItem av1{"av01"};
    av1.content = "";
    av1.property = test::heicBox("av1C", configuration);
    EXPECT_EQ(pixels({av1}, 1), 3840U * 2160);
}

TEST(HeicBoxes, refuseItems_whichShareTheirBytesManyTimes) {
    HeicItem shared;
    shared.content = std::string(400, 'x');
    shared.pieces = 40;
    shared.whole = true;
    EXPECT_THAT(refusal({shared}, 1), HasSubstr("share bytes"));
}

// photo.avif is written by Pillow from the picture of photo.heic.
TEST(HeicBoxes, giveTheDecodedSize_ofAvif) {
    const std::vector<std::byte> good = readFile(test::dataFolder() / "photo.avif", 1 << 20);
    const std::size_t pixels = asText(good).find("mdat") + 4;
    testing::internal::CaptureStderr();
    bool large = false;
    for (std::size_t at = pixels; at < pixels + 24; ++at)
        for (const unsigned value : {0x00U, 0x5AU, 0xFFU}) {
            std::vector<std::byte> bytes = good;
            bytes[at] = static_cast<std::byte>(value);
            large = large || pixelsOfHeic(bytes, "a.avif") > 1'000'000;
            try {
                decodeImage(bytes, "a.avif");
            } catch (const Error& error) {
                EXPECT_THAT(error.what(), HasSubstr("a.avif"));
            }
        }
    EXPECT_TRUE(large) << "no changed byte declared a large size";
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(HeicBoxes, stayWithinTheirBytes_whenTruncatedAnywhere) {
    const std::string bytes =
        test::heicBytes({{"hvc1", {}, 64, 64, 1, 1, 0, 64}, grid({1, 1, 1, 1}, 128)}, 2);
    for (std::size_t length = 0; length < bytes.size(); ++length)
        EXPECT_LE(pixelsOfHeic(asBytes(bytes).first(length), "a.heic"), 128U * 128);
}

}  // namespace
}  // namespace threefold
