#include "engine/formats/files/unsupported_kinds.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/write_file.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using test::TempFolder;

TEST(ForeignPictures, areRecognised_byTheirFirstOrLastBytes) {
    const TempFolder folder;
    EXPECT_EQ(unsupportedPicturesText(folder.path()), "");
    const std::string targa = std::string("TRUEVISION-XFILE.") + '\0';
    for (const std::size_t size : {0U, 20U, 500U, 520U, 100'000U})
        writeFileAtomically(folder / (std::to_string(size) + ".tga"),
                            std::string_view(std::string(size, 'x') + targa));
    EXPECT_EQ(unsupportedPicturesText(folder.path()),
              "5 files are Targa images, which are not read");
    for (int i = 0; i < 6; ++i)
        writeFileAtomically(folder / (std::to_string(i) + ".gif"), std::string_view("GIF89a"));
    EXPECT_EQ(unsupportedPicturesText(folder.path()), "6 files are GIF images, which are not read");
    EXPECT_EQ(unsupportedPicturesText(folder / "none"), "");
}

TEST(Video, isRecognisedByItsFirstBytes_andIsNoPicture) {
    using namespace std::string_view_literals;
    const auto video = [](std::string_view text) { return isVideo(asBytes(text)); };
    EXPECT_TRUE(
        video("\0\0\0\x20"
              "ftypisom\0\0\2\0"sv));
    EXPECT_TRUE(
        video("\0\0\0\x14"
              "ftypqt  \0\0\2\0"sv));
    EXPECT_TRUE(video("\0\0\0\x08wide\0\0"sv));
    EXPECT_TRUE(video("\x1a\x45\xdf\xa3\x01"sv));
    EXPECT_TRUE(video("RIFF\1\2\3\4AVI LIST"sv));
    EXPECT_FALSE(video("RIFF\1\2\3\4WEBPVP8 "sv));
    for (const std::string brand : {"heic", "heix", "hevc", "avif", "mif1", "msf1", "crx "})
        EXPECT_FALSE(video(std::string("\0\0\0\x20", 4) + "ftyp" + brand + "    ")) << brand;
    EXPECT_FALSE(video(""));
    EXPECT_FALSE(
        video("\0\0\0\x20"
              "ftyp"sv));
    EXPECT_EQ(unsupportedKind(asBytes("\0\0\0\x20"
                                      "ftypmp42\0\0"sv))
                  ->name,
              "a video");
    EXPECT_EQ(unsupportedKind(asBytes("\0\0\0\x20"
                                      "ftypavif\0\0"sv))
                  ->name,
              "an AVIF image");
}

}  // namespace
}  // namespace threefold
