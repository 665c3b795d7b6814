#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_files.h"
#include "tests/engine/formats/mesh_bytes.h"
#include "tests/support/message_of.h"

namespace threefold {
namespace {

using test::read;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

TEST(XyzFile, takesNoMoreMemoryThanItsRows) {
    constexpr std::size_t kRows = 1000;
    std::string text;
    for (std::size_t i = 0; i < kRows; ++i) text += fmt::format("{} 0.25 0.5 0 0 1 9 8 7\n", i);
    const LoadedMesh cloud = read(text, "a.xyz");
    ASSERT_EQ(cloud.vertices.size(), kRows);
    for (const auto* values : {&cloud.vertices, &cloud.normals, &cloud.colours}) {
        EXPECT_EQ(values->size(), kRows);
        EXPECT_LE(values->capacity(), kRows + 1)
            << "the array grew, and two copies were held meanwhile";
    }
}

TEST(XyzFile, readsPointsWithAndWithoutNormals) {
    EXPECT_THAT(read("# cloud\n0 1 2\n\n3,4,5\n", "a.xyz").vertices,
                ElementsAre(glm::vec3(0, 1, 2), glm::vec3(3, 4, 5)));
    const LoadedMesh six = read("0 1 2 0 0 1\n3 4 5 0 1 0", "a.txt");
    EXPECT_EQ(six.format, MeshFormat::xyz);
    EXPECT_THAT(six.normals, SizeIs(2));
    EXPECT_THAT(six.faces, SizeIs(0));
}

struct Columns {
    const char* title;
    const char* text;
    bool normals;
    bool colours;
};

class XyzColumns : public testing::TestWithParam<Columns> {};

TEST_P(XyzColumns, areInterpreted_byTheirValues) {
    const LoadedMesh cloud = read(GetParam().text, "a.xyz");
    EXPECT_THAT(cloud.vertices, SizeIs(2));
    EXPECT_EQ(cloud.normals.size(), GetParam().normals ? 2U : 0U);
    ASSERT_EQ(cloud.colours.size(), GetParam().colours ? 2U : 0U);
    if (GetParam().colours) {
        EXPECT_EQ(cloud.colours[0], glm::vec3(1, 0, 0));
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, XyzColumns,
    testing::Values(
        Columns{"normals", "0 0 0 0 0 1\n1 0 0 .6 -.8 0\n", true, false},
        Columns{"roundedNormals", "0 0 0 0.58 0.58 0.57\n1 0 0 1 0 0\n", true, false},
        Columns{"bytes", "0 0 0 255 0 0\n1 0 0 12 40 7\n", false, true},
        Columns{"bytesWithAlpha", "0 0 0 255 0 0 255\n1 0 0 12 40 7 255\n", false, true},
        Columns{"fractions", "0 0 0 1.0 0 0\n1 0 0 .5 .5 .2\n", false, true},
        Columns{"both", "0 0 0 255 0 0 0 0 1\n1 0 0 1 2 3 0 1 0\n", true, true},
        Columns{"named", "//X Y Z R G B\n0 0 0 255 0 0\n1 0 0 1 1 1\n", false, true},
        Columns{"namedNormals", "x,y,z,nx,ny,nz\n0,0,0,5,0,0\n1,0,0,1,2,1\n", true, false},
        Columns{"counted", "2\n0 0 0\n1 0 0\n", false, false},
        Columns{"namedAndCounted", "//X Y Z\n2\n0 0 0\n1 0 0\n", false, false},
        Columns{"countedAndNamed", "2\nX Y Z Nx Ny Nz\n0 0 0 0 0 1\n1 0 0 0 1 0\n", true, false},
        Columns{"intensityFirst", "//X Y Z Intensity R G B\n0 0 0 .5 255 0 0\n1 0 0 .5 1 1 1\n",
                false, true},
        Columns{"scalarBetween",
                "//X Y Z R G B Scalar_field Nx Ny Nz\n0 0 0 255 0 0 7 0 0 1\n"
                "1 0 0 1 1 1 7 0 1 0\n",
                true, true},
        Columns{"positionLast", "R,G,B,X,Y,Z\n255,0,0,0,0,0\n1,1,1,1,0,0\n", false, true},
        Columns{"neitherByName", "X Y Z Time Class Return\n0 0 0 0 0 1\n1 0 0 0 1 0\n", false,
                false},
        Columns{"redAndBlack", "0 0 0 1 0 0\n1 0 0 0 0 0\n", false, true},
        Columns{"beyondBytes", "0 0 0 2550 4 7\n1 0 0 12 40 7\n", false, false}),
    [](const auto& columns) { return std::string(columns.param.title); });

TEST(XyzFile, readsBlackClouds_andPositionsAfterColours) {
    const LoadedMesh black = read("0.1 0 0 0 0 0\n1 0 0 0 0 0\n0 1 0 0 0 0\n", "a.xyz");
    EXPECT_THAT(black.normals, SizeIs(0));
    EXPECT_EQ(black.colours, std::vector<glm::vec3>(3, glm::vec3(0)));
    EXPECT_EQ(read("R G B X Y Z\n255 0 0 7 8 9\n", "a.xyz").vertices[0], glm::vec3(7, 8, 9));
    EXPECT_THROW(read("X Y Z\n2\n3\n0 0 0\n", "a.xyz"), FormatError);
    std::string wide;
    for (int i = 0; i < 5000; ++i) wide += "1 ";
    EXPECT_THROW(read(wide, "a.xyz"), FormatError);
}

TEST(XyzFile, hasFractionsAsColours_whenOneIsSlightlyAboveOne) {
    const LoadedMesh cloud = read("x y z r g b\n0 0 0 0.5 0 0\n1 0 0 1.0001 0.25 0\n", "a.xyz");
    EXPECT_THAT(cloud.colours, ElementsAre(glm::vec3(0.5, 0, 0), glm::vec3(1, 0.25, 0)));
}

TEST(XyzFile, ordersColumnsByTheirNames) {
    EXPECT_THAT(read("z y x\n1 2 3\n4 5 6\n", "a.xyz").vertices,
                ElementsAre(glm::vec3(3, 2, 1), glm::vec3(6, 5, 4)));
    const LoadedMesh mixed = read("x nx y ny z nz\n1 0 2 0 3 1\n4 0 5 1 6 0\n", "a.xyz");
    EXPECT_THAT(mixed.vertices, ElementsAre(glm::vec3(1, 2, 3), glm::vec3(4, 5, 6)));
    EXPECT_EQ(mixed.normals, (Points{{0, 0, 1}, {0, 1, 0}}));
    EXPECT_EQ(read("X Y Z B G R\n1 2 3 0 0 255\n", "a.xyz").colours,
              (std::vector<glm::vec3>{{1, 0, 0}}));
    // Columns of large coordinates are ordered by name, too. Without known names, the order x y z
    // is assumed.
    EXPECT_NEAR(read("z x\ty\n1 5000000.25 2\n1 5000000.35 2\n", "a.xyz").positionOf(1).x,
                5000000.35, 1e-6);
    EXPECT_THAT(read("east north height\n1 2 3\n", "a.xyz").vertices,
                ElementsAre(glm::vec3(1, 2, 3)));
}

TEST(XyzFile, isRefused_whenItsHeaderDoesNotTellThePositions) {
    for (const char* text :
         {"nx ny nz px py pz\n0 0 1 1 2 3\n", "y x height\n1 2 3\n", "red green blue\n1 2 3\n",
          "time x y z\n1 2 3\n", "lat lon h\n1 2 3\n", "Longitude,Latitude,Height\n1,2,3\n"})
        EXPECT_THROW(read(text, "a.xyz"), FormatError) << text;
}

TEST(XyzFile, isRefused_whenItHasDecimalCommas) {
    for (const char* text : {"0,5 1,5 0\n2,5 3,5 0\n", "0,5 1,5 2,5\n", "0 1,5\t0\n",
                             "0,5, 1,5, 0\n", "x y z\n0 0 1,5\n"})
        EXPECT_THAT(test::messageOf<FormatError>([&] { read(text, "a.xyz"); }),
                    HasSubstr("decimal commas"))
            << text;
    for (const char* text :
         {"1,2,3\n", "1, 2, 3\n", "1 ,2 ,3\n", "1,2,3 255,0,0\n", "X, Y, Z\n1 2 3\n"})
        EXPECT_THAT(read(text, "a.xyz").vertices, ElementsAre(glm::vec3(1, 2, 3))) << text;
}

TEST(XyzFile, isRefused_whenItsHeaderCountsOtherRows) {
    for (const char* text : {"5\n1 2 3\n4 5 6\n", "1\nx y z\n1 2 3\n4 5 6\n"})
        EXPECT_THAT(test::messageOf<FormatError>([&] { read(text, "a.xyz"); }),
                    HasSubstr("the file ends after 2 rows of numbers; its header says "))
            << text;
}

TEST(XyzFile, refusesDecimalCommas) {
    EXPECT_THROW(decodeMesh(asBytes("0,5 1,0 2,0\n"), "a.xyz"), FormatError);
    EXPECT_EQ(decodeMesh(asBytes("0, 5, 1\n1, 2, 3\n"), "a.xyz").vertices.size(), 2U);
    EXPECT_EQ(decodeMesh(asBytes("0,5,1\r1,2,3\r"), "a.xyz").vertices.size(), 2U);
}

TEST(XyzFile, takesColumnNamesOfAComment) {
    const LoadedMesh named = read("# nx ny nz x y z\n0 0 1 5 6 7\n0 1 0 8 9 10\n", "a.xyz");
    EXPECT_EQ(named.vertices[0], glm::vec3(5, 6, 7));
    EXPECT_EQ(named.normals[1], glm::vec3(0, 1, 0));
    // A comment is a sentence unless it names every column.
    const LoadedMesh sentence = read("# from z y x scans\n1 2 3\n4 5 7\n", "a.xyz");
    EXPECT_EQ(sentence.vertices[0], glm::vec3(1, 2, 3));
    const LoadedMesh reversedOrder = read("#z,y,x\n# made in 2020\n1 2 3\n4 5 7\n", "a.xyz");
    EXPECT_EQ(reversedOrder.vertices[0], glm::vec3(3, 2, 1));
}

}  // namespace
}  // namespace threefold
