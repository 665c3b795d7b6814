#include "engine/board/marker_families.h"

#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/board/board_layout.h"
#include "engine/board/family_search.h"
#include "engine/board/markers.h"
#include "engine/error.h"
#include "tests/engine/board/scene.h"
#include "tests/support/message_of.h"

namespace threefold::test {
namespace {

using namespace board;
using testing::HasSubstr;

constexpr int kFamilySide = 640;  // pixels of a drawn sheet
constexpr int kFamilyBit = 8;
constexpr int kFamilyPitch = 160;

/// Sheet of 16 markers with ids from `first`; each marker is rotated by 90° more than the marker
/// before it.
Image familySheet(const MarkerFamily& family, int first) {
    Image image{kFamilySide, kFamilySide,
                std::vector<std::uint8_t>(std::size_t{4} * kFamilySide * kFamilySide, 225)};
    const int bits = static_cast<int>(printedBitsPerSide(family));
    const int margin = (kFamilyPitch - bits * kFamilyBit) / 2;
    std::array<int, 16> ids{};
    std::iota(ids.begin(), ids.end(), first);
    const std::vector<MarkerBits> bitsOfMarkers = markerBits(ids, family);
    for (int i = 0; i < 16; ++i) {
        const MarkerBits& code = bitsOfMarkers[static_cast<std::size_t>(i)];
        for (int y = 0; y < bits * kFamilyBit; ++y)
            for (int x = 0; x < bits * kFamilyBit; ++x) {
                int column = x / kFamilyBit;
                int row = y / kFamilyBit;
                for (int turn = 0; turn < i % 4; ++turn) {  // clockwise on the paper
                    const int old = row;
                    row = bits - 1 - column;
                    column = old;
                }
                if (!code[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)])
                    continue;
                const int at = (i / 4 * kFamilyPitch + margin + y) * kFamilySide +
                               i % 4 * kFamilyPitch + margin + x;
                for (int channel = 0; channel < 3; ++channel)
                    image.rgba[static_cast<std::size_t>(4 * at + channel)] = 30;
            }
    }
    return image;
}

TEST(MarkerFamilies, haveTheCodesThatOpenCvPrints) {
    const auto code = [](const char* family, int id) {
        return markerFamilyFromName(family).code(id);
    };
    EXPECT_EQ(code("4X4_50", 0), 0xb532U);
    EXPECT_EQ(code("4X4_1000", 999), 0xf7bfU);
    EXPECT_EQ(code("5X5_50", 0), 0x145b2bcU);
    EXPECT_EQ(code("5X5_1000", 999), 0x1f7921dU);
    EXPECT_EQ(code("6X6_250", 0), 0x1e3dd82a6U);
    EXPECT_EQ(code("6X6_1000", 999), 0xfed63e1ffU);
    EXPECT_EQ(code("7X7_100", 0), 0x1bab8d94b9415U);
    EXPECT_EQ(code("7X7_1000", 999), 0x1cfcd2dc40d3fU);
    EXPECT_EQ(code("MIP_36h12", 0), 0xd2b63a09dU);
    EXPECT_EQ(code("MIP_36h12", 249), 0x4d58dbea0U);
    // Each row encodes two bits of the id, highest first, as one of four words.
    EXPECT_EQ(code("ORIGINAL", 0), 0b10000'10000'10000'10000'10000U);
    EXPECT_EQ(code("ORIGINAL", 1023), 0b01110'01110'01110'01110'01110U);
    EXPECT_EQ(code("ORIGINAL", 0b01'10'00'00'11), 0b10111'01001'10000'10000'01110U);
}

TEST(MarkerFamilies, areFound_byNamesOfOtherPrograms) {
    for (const char* name : {"6X6_250", "6x6_250", "DICT_6X6_250"})
        EXPECT_EQ(markerFamilyFromName(name).name, "6X6_250") << name;
    EXPECT_EQ(markerFamilyFromName("DICT_ARUCO_ORIGINAL").name, "ORIGINAL");
    EXPECT_EQ(markerFamilyFromName("DICT_APRILTAG_36h11").name, "tag36h11");
    EXPECT_THAT(messageOf<InputError>([] { markerFamilyFromName("8X8_50"); }),
                testing::AllOf(HasSubstr("'8X8_50'"), HasSubstr("7X7_1000")));
}

TEST(MarkerFamilies, areReadInAnyRotation_withCornersInOrder) {
    for (const MarkerFamily& family : markerFamilies()) {
        const int first = family.idCount - 17;
        const std::vector<Marker> markers = detectMarkers(familySheet(family, first), family);
        ASSERT_EQ(markers.size(), 16U) << family.name;
        for (int i = 0; i < 16; ++i) {
            const Marker& marker = markers[static_cast<std::size_t>(i)];
            EXPECT_EQ(marker.id, first + i) << family.name;
            const double half = static_cast<double>(printedBitsPerSide(family)) * kFamilyBit / 2;
            const glm::dvec2 centre((i % 4 + 0.5) * kFamilyPitch, (i / 4 + 0.5) * kFamilyPitch);
            for (std::size_t k = 0; k < 4; ++k) {
                glm::dvec2 offset(kUnitMarkerCorners[k].x * half,
                                  -kUnitMarkerCorners[k].y * half);  // y points down
                for (int turn = 0; turn < i % 4; ++turn) offset = {-offset.y, offset.x};
                EXPECT_LT(glm::length(marker.corners[k] - centre - offset), 1.0)
                    << family.name << ' ' << i << ' ' << k;
            }
        }
    }
}

TEST(MarkerFamilies, leaveOutAMarker_whenItsRotationIsAmbiguous) {
    const MarkerFamily& family = markerFamilyFromName("ORIGINAL");
    const std::vector<Marker> markers = detectMarkers(familySheet(family, 1008), family);
    ASSERT_FALSE(markers.empty());
    EXPECT_EQ(markers.back().id, 1022) << "1023 is the same upside down";
}

TEST(MarkerFamilies, areRecognised_fromAFewPhotographs) {
    for (const MarkerFamily& family : markerFamilies()) {
        const std::vector<Image> photographs(2, familySheet(family, family.idCount - 17));
        const auto found = findFamily(photographs);
        ASSERT_TRUE(found) << family.name;
        EXPECT_EQ(found->family->name, family.name);
        EXPECT_EQ(found->idCount, 16U);
        EXPECT_EQ(found->photographCount, 2U);
    }
}

TEST(MarkerFamilies, areNotRecognised_whenFewMarkersAreInTwoPhotographs) {
    // Fur and foliage show ten markers of 16 bits by chance, and a few of these twice.
    const MarkerFamily& family = markerFamilyFromName("4X4_1000");
    std::vector<Image> photographs;
    for (int i = 0; i < 6; ++i) photographs.push_back(familySheet(family, 100 + 14 * i));
    EXPECT_FALSE(findFamily(photographs));
    // An object may hide half of a sheet in each photograph.
    for (int i = 0; i < 6; ++i)
        photographs[static_cast<std::size_t>(i)] = familySheet(family, 100 + 4 * i);
    ASSERT_TRUE(findFamily(photographs));
    EXPECT_EQ(findFamily(photographs)->photographCount, 6U);
}

TEST(MarkerFamilies, areNotSeenInTextures) {
    std::mt19937 random(3);  // NOLINT(cert-msc*): a fixed seed
    std::vector<Image> photographs;
    for (int i = 0; i < 6; ++i) {
        Image& image = photographs.emplace_back(familySheet(boardFamily(), 0));
        // Random squares in black borders, with white around each border.
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x) {
                const bool white = (x / 8 + 1) % 8 < 2 || (y / 8 + 1) % 8 < 2;
                const bool border =
                    x / 8 % 8 == 1 || x / 8 % 8 == 6 || y / 8 % 8 == 1 || y / 8 % 8 == 6;
                const auto at = static_cast<std::size_t>(4 * (y * image.width + x));
                if (x % 8 == 0 && y % 8 == 0)
                    image.rgba[at] = white ? 225 : border || random() % 2 == 0 ? 30 : 225;
                const auto corner =
                    static_cast<std::size_t>(4 * (y / 8 * 8 * image.width + x / 8 * 8));
                for (std::size_t channel = 0; channel < 3; ++channel)
                    image.rgba[at + channel] = image.rgba[corner];
            }
    }
    const auto found = findFamily(photographs);
    EXPECT_FALSE(found) << found->family->name << ' ' << found->idCount;
}

}  // namespace
}  // namespace threefold::test
