#include "engine/views/camera.h"

#include <string>

#include <gtest/gtest.h>

#include "engine/error.h"

namespace threefold {
namespace {

std::string placeOfError(std::string_view text) {
    try {
        parseRenderingMetadata(text, "cameras.txt");
    } catch (const FormatError& error) {
        return error.report().place;
    }
    return "no error";
}

TEST(RenderingMetadata, readsRows_whenLinesVary) {
    const auto rows = parseRenderingMetadata(
        "# azimuth elevation\n\n133.65 25.5 0 0.73 25\r\n\t-1e1 +2 3 4 5  # last", "cameras.txt");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].azimuth, 133.65);
    EXPECT_EQ(rows[0].elevation, 25.5);
    EXPECT_EQ(rows[0].distance, 0.73);
    EXPECT_EQ(rows[1].azimuth, -10);
    EXPECT_EQ(rows[1].elevation, 2);
    EXPECT_EQ(rows[1].inPlaneRotation, 3);
    EXPECT_EQ(rows[1].fieldOfView, 5);
}

TEST(RenderingMetadata, isTheSame_withAByteOrderMark) {
    const std::string text = "1 2 3 4 5\r\n6 7 8 9 10\r\n";
    const auto rows = parseRenderingMetadata("\xef\xbb\xbf" + text, "cameras.txt");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].azimuth, 1);
    EXPECT_EQ(rows[1].fieldOfView, 10);
    EXPECT_EQ(placeOfError("\xef\xbb\xbf"
                           "1 2 3 4 5\n1 2 3 4\n"),
              "line 2");
}

TEST(RenderingMetadata, isRestored_whenFormattedAndParsed) {
    const std::vector<CameraRow> rows = {{0.1, 1.0 / 3, -0.0, 0.1 + 0.2, 25}, {359, -90, 7, 2, 25}};
    const auto again = parseRenderingMetadata(formatRenderingMetadata(rows), "cameras.txt");
    ASSERT_EQ(again.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(again[i].azimuth, rows[i].azimuth);
        EXPECT_EQ(again[i].elevation, rows[i].elevation);
        EXPECT_EQ(again[i].inPlaneRotation, rows[i].inPlaneRotation);
        EXPECT_EQ(again[i].distance, rows[i].distance);
        EXPECT_EQ(again[i].fieldOfView, rows[i].fieldOfView);
    }
}

TEST(RenderingMetadata, isEmpty_whenTextIs) {
    EXPECT_TRUE(parseRenderingMetadata("", "cameras.txt").empty());
    EXPECT_TRUE(parseRenderingMetadata("\n  \n#", "cameras.txt").empty());
}

TEST(RenderingMetadata, namesTheLine_whenItIsWrong) {
    EXPECT_EQ(placeOfError("1 2 3 4 5\n1 2 3 4\n"), "line 2");
    EXPECT_EQ(placeOfError("1 2 3 4 5 6"), "line 1");
    EXPECT_EQ(placeOfError("\n\n1 2 x 4 5"), "line 3");
    EXPECT_EQ(placeOfError("1 2 3 4 5e"), "line 1");
    EXPECT_EQ(placeOfError("nan 2 3 4 5"), "line 1");
    EXPECT_EQ(placeOfError("1 inf 3 4 5"), "line 1");
    EXPECT_EQ(placeOfError("1e999 2 3 4 5"), "line 1");
    EXPECT_EQ(placeOfError("1 2 3 0 5"), "line 1");
    EXPECT_EQ(placeOfError("1 2 3 -1 5"), "line 1");
    EXPECT_EQ(placeOfError("+-1 2 3 1 5"), "line 1");
}

TEST(RenderingMetadata, refusesACamera_whenImplausible) {
    EXPECT_EQ(placeOfError("1e308 2 3 1 5"), "line 1");
    EXPECT_EQ(placeOfError("1 2 3 1 5\n-36001 2 3 1 5"), "line 2");
    EXPECT_EQ(placeOfError("1 1e5 3 1 5"), "line 1");
    EXPECT_EQ(placeOfError("1 2 3 0.01 5"), "line 1");
    EXPECT_EQ(placeOfError("1 2 3 1e9 5"), "line 1");
    EXPECT_EQ(placeOfError("-36000 36000 3 0.2 5\n0 0 0 1000 25"), "no error");
}

}  // namespace
}  // namespace threefold
