// OBJ files of many programs: a quad, or its triangles, in each dialect; faces, normals and
// colours.
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/referenced_files.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"

namespace threefold {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

const std::string kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
const Points kCorners = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
const Faces kTriangles = {{0, 1, 2}, {0, 2, 3}};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

std::string utf16(std::string_view ascii, bool big, bool mark = true) {
    std::string text = mark ? (big ? "\xfe\xff" : "\xff\xfe") : "";
    for (const char c : ascii) {
        if (big) text += '\0';
        text += c;
        if (!big) text += '\0';
    }
    return text;
}

struct Dialect {
    const char* title;
    std::string text;
    std::map<std::string, std::size_t> unreadContent{};
};

std::vector<Dialect> dialects() {
    const std::string plain = kSquare + "f 1 2 3 4\n";
    const std::string surrogates("# \xd8\x3d\xde\x00", 6);  // a comment with a surrogate pair
    return {
        {"quad", plain},
        {"triangles", kSquare + "f 1 2 3\nf 1 3 4\n"},
        {"negative", kSquare + "f -4 -3 -2 -1\n"},
        {"negativeAndPositive", kSquare + "f 1 -3 3 -1\n"},
        {"windowsLines", replaced(plain, "\n", "\r\n")},
        {"macLines", replaced(plain, "\n", "\r")},
        {"noLastNewline", kSquare + "f 1 2 3 4"},
        {"noLastNewlineOnWindows", replaced(kSquare, "\n", "\r\n") + "f 1 2 3 4\r"},
        {"tabs", replaced(plain, " ", "\t")},
        {"manyBlanks", replaced(plain, " ", "   ") + "  \n\t\n\n"},
        {"indented", replaced("\n" + plain, "\n", "\n  ")},
        {"exponents", "v 0e0 0 0\nv 1E+00 0 -0\nv 100e-2 +1 1e-60\nv .0 1. 0\nf 1 2 3 4\n"},
        {"weights", replaced(kSquare, "0\n", "0 1.0\n") + "f 1 2 3 4\n"},
        {"utf8Mark", "\xef\xbb\xbf" + plain},
        {"utf8Names", "o \xc3\xbc\xe2\x82\xac\n" + plain},
        {"latin1Names", "o \xfc\n" + plain},
        {"utf16Little", utf16(plain, false)},
        {"utf16Big", utf16(plain, true)},
        {"utf16WindowsLines", utf16(replaced(plain, "\n", "\r\n"), false)},
        {"utf16MacLines", utf16(replaced(plain, "\n", "\r"), true)},
        {"utf16Surrogates", "\xfe\xff" + utf16("# ", true, false) + surrogates.substr(2) +
                                utf16("\n" + plain, true, false)},
        {"continuedLines", kSquare + "f 1 2 \\\n3 \\\n 4\n"},
        {"continuedLinesOnWindows", kSquare + "f 1 2\\\r\n 3 4\r\n"},
        {"continuedLinesOnMac", replaced(kSquare + "f 1 2 \\\n 3 4\n", "\n", "\r")},
        {"continuedLinesLeftOut",
         "vt\\\n0 0\nl 1\\\r\n2 \\\n 3\nparm u\\\nv 9 9 9\n" + plain + "vt 0 \\",
         {{"texture coordinates", 2}, {"lines", 1}, {"other statements", 1}}},
        {"namesThatEndInABackslash", "# C:\\\nmtllib C:\\\no D:\\\nusemtl \\\n" + plain},
        {"facesFirst", "f 1 2 3 4\n" + kSquare},
        {"facesBetween", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 0 1 0\nf -4 -2 -1\n"},
        {"groups",
         "mtllib a b.mtl\no thing\n" + kSquare + "g a b\ns off\nusemtl x\nf 1 2 3 4\ns 1\n"},
        {"comments", "# made by\n#\n" + replaced(plain, "\n", " # so\n") + "#end"},
        {"textures",
         kSquare + "vt 0 0\nvt 1 1 0\nf 1/1 2/2 3/1 4/2\n",
         {{"texture coordinates", 2}}},
        {"emptyParts", kSquare + "f 1// 2// 3/ 4//\n"},
        {"emptyNormal", kSquare + "vt 0 0\nf 1/1/ 2/1/ 3/1/ 4/1/\n", {{"texture coordinates", 1}}},
        {"oneNormal", kSquare + "vn 0 0 1\nf 1//1 2//1 3//1 4//1\n", {{"normals", 1}}},
        {"negativeNormal",
         kSquare + "vt 0 0\nvn 0 0 1\nf -4/-1/-1 -3/-1/-1 -2/-1/-1 -1/-1/-1\n",
         {{"texture coordinates", 1}, {"normals", 1}}},
        {"normalOfNothing",
         kSquare + "vn nan -nan(ind) 1\nf 1//1 2//1 3//1 4//1\n",
         {{"normals", 1}}},
        {"windowsNormalOfNothing",
         kSquare + "vn -1.#IND -1.#IND 1\nf 1//1 2//1 3//1 4//1\n",
         {{"normals", 1}}},
        {"textureOfNothing",
         kSquare + "vt nan nan\nf 1/1 2/1 3/1 4/1\n",
         {{"texture coordinates", 1}}},
        {"pointsAndLines",
         kSquare + "p 1 2\nl 1 2 3\nl 1/1 2/1\nf 1 2 3 4\n",
         {{"points", 1}, {"lines", 2}}},
        {"curves", kSquare + "vp 0.1 0.2\ncstype bezier\nf 1 2 3 4\n", {{"other statements", 2}}},
        {"noArea", kSquare + "f 1 2 2\nf 1 2 3 4\nf 3 3 3 3\n", {{"triangles without area", 3}}},
        {"someColours", replaced(kSquare, "1 0 0\n", "1 0 0 0.5 0.5 0.5\n") + "f 1 2 3 4\n"},
    };
}

class ObjDialect : public testing::TestWithParam<Dialect> {};

TEST_P(ObjDialect, givesTheSameSquare) {
    const LoadedMesh mesh = decodeMesh(asBytes(GetParam().text), "square.obj");
    EXPECT_EQ(mesh.format, MeshFormat::obj);
    EXPECT_EQ(mesh.vertices, kCorners);
    EXPECT_EQ(mesh.faces, kTriangles);
    EXPECT_EQ(mesh.unreadContent, GetParam().unreadContent);
    EXPECT_TRUE(mesh.normals.empty());
    EXPECT_TRUE(mesh.colours.empty());
}

TEST_P(ObjDialect, givesTheSameSquare_withColours) {
    const TexturedMesh mesh =
        decodeTexturedMesh(asBytes(GetParam().text), "square.obj", {}, ReferencedFilesOnDisk());
    EXPECT_EQ(mesh.mesh.vertices, kCorners);
    EXPECT_EQ(mesh.mesh.faces, kTriangles);
}

INSTANTIATE_TEST_SUITE_P(All, ObjDialect, testing::ValuesIn(dialects()),
                         [](const auto& dialect) { return std::string(dialect.param.title); });

LoadedMesh objOf(std::string_view text) {
    return decodeMesh(asBytes(text), "a.obj");
}

/// Area of the faces, which a triangulation must keep.
double areaOf(const LoadedMesh& mesh) {
    double area = 0;
    for (const glm::u32vec3& f : mesh.faces)
        area += 0.5 * glm::length(glm::cross(mesh.vertices[f.y] - mesh.vertices[f.x],
                                             mesh.vertices[f.z] - mesh.vertices[f.x]));
    return area;
}

TEST(ObjFile, readsFilesOfCommonPrograms) {
    const LoadedMesh mesh = objOf(
        "# made by hand\r\nmtllib a.mtl\r\no thing\r\nv 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\n"
        "v 0 1 0\r\nvt 0 0\r\nvn 0 0 1\r\ng part\r\nusemtl red\r\ns 1\r\n"
        "f 1/1/1 2/1/1 3/1/1 4/1/1\r\nl 1 2\r\nf -4//1 -3//1 \\\r\n -2//1");
    EXPECT_EQ(mesh.format, MeshFormat::obj);
    EXPECT_THAT(mesh.vertices, SizeIs(4));
    EXPECT_THAT(mesh.faces,
                ElementsAre(glm::u32vec3(0, 1, 2), glm::u32vec3(0, 2, 3), glm::u32vec3(0, 1, 2)));
    EXPECT_THAT(mesh.normals, SizeIs(0)) << "one normal for four vertices";
    const std::map<std::string, std::size_t> ignored = {
        {"lines", 1}, {"normals", 1}, {"texture coordinates", 1}};
    EXPECT_EQ(mesh.unreadContent, ignored);
}

TEST(ObjFile, keepsColoursAndNormals_whenEachVertexHasThem) {
    const LoadedMesh mesh = objOf(
        "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nvn 0 0 1\nvn 0 1 0\nvn 1 0 0\n"
        "f 1//1 2//2 3//3\n");
    EXPECT_THAT(mesh.colours,
                ElementsAre(glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1)));
    EXPECT_THAT(mesh.normals, SizeIs(3));
}

TEST(ObjFile, readsFaces_beforeTheirVertices) {
    EXPECT_THAT(objOf("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").faces, SizeIs(1));
}

TEST(ObjFile, triangulatesConcavePolygons_insideTheirOutline) {
    // Each face is an L of area 3. A fan from the first corner of the first face would cover 4.
    const std::string text =
        "v 2 1 0\nv 2 0 0\nv 0 0 0\nv 0 2 0\nv 1 2 0\nv 1 1 0\nf 5 6 1 2 3 4\nf 6 5 4 3 2 1\n";
    const LoadedMesh mesh = objOf(text);
    EXPECT_THAT(mesh.faces, SizeIs(8));
    EXPECT_NEAR(areaOf(mesh), 6, 1e-6);
}

TEST(ObjColours, areTheSame_inFractionsAndInBytes) {
    const Points red = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    for (const char* colour : {" 1 0 0\n", " 1.0 1 0 0\n", " 255 0 0\n"}) {
        SCOPED_TRACE(colour);
        const std::string text = replaced(kSquare, "0\n", std::string("0") + colour);
        EXPECT_EQ(decodeMesh(asBytes(text), "a.obj").colours, red);
    }
}

TEST(ObjColours, areFractions_whenOneIsSlightlyAboveOne) {
    const std::string text = "v 0 0 0 0.5 0 0\nv 1 0 0 1.0001 0.25 0\nv 0 1 0 0 0 1\nf 1 2 3\n";
    const Points expected = {{0.5, 0, 0}, {1, 0.25, 0}, {0, 0, 1}};
    EXPECT_EQ(decodeMesh(asBytes(text), "a.obj").colours, expected);
}

TEST(ObjColours, areBytes_whenOnlyTheLastVertexExceedsOne) {
    const std::string text = "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 255 51 0\nf 1 2 3\n";
    const Points expected = {{1 / 255.0F, 0, 0}, {0, 1 / 255.0F, 0}, {1, 51 / 255.0F, 0}};
    EXPECT_EQ(decodeMesh(asBytes(text), "a.obj").colours, expected);
}

TEST(ObjColours, areRgba_whenEveryVertexHasSevenNumbers) {
    EXPECT_EQ(objOf("v 0 0 0 1 0 0 1\nv 1 0 0 0 1 0 1\n").colours,
              (std::vector<glm::vec3>{{1, 0, 0}, {0, 1, 0}}));
    // The fourth number is 1 in all vertices, but the seventh is not: the fourth is a weight, and
    // the seventh is blue, not alpha.
    EXPECT_EQ(objOf("v 0 0 0 1 1 0 0\nv 1 0 0 1 0 0 .5\n").colours,
              (std::vector<glm::vec3>{{1, 0, 0}, {0, 0, .5}}));
}

struct Refused {
    const char* title;
    std::string text;
    const char* words;
};

class ObjRefusal : public testing::TestWithParam<Refused> {};

TEST_P(ObjRefusal, givesLineAndReason) {
    try {
        decodeMesh(asBytes(GetParam().text), "a.obj");
        FAIL() << "was read";
    } catch (const FormatError& error) {
        EXPECT_THAT(error.what(), HasSubstr(GetParam().words));
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, ObjRefusal,
    testing::Values(
        Refused{"commas", "v 0 0 0\nv 0,5 1,0 2,0\n",
                "line 2: '0,5' is not a number (decimals stand behind a point, not a comma)"},
        Refused{"macLines", "v 0 0 0\rv 1 0 0\rf 1 2 x\r", "line 3: 'x' is not a whole number"},
        Refused{"utf16", utf16("v 0 0 0\r\nv 1 0 x\r\n", true), "line 2: 'x' is not a number"},
        Refused{"continued", "v 0 0 0\nf 1 \\\n 1 \\\n two\n", "line 4: 'two' is not a whole"},
        Refused{"fraction", "v 0 0 0\nf 1 1.5 1\n", "line 2: '1.5' is not a whole number"},
        Refused{"manySlashes", "v 0 0 0\nf 1/// 1 1\n", "line 2: '1///' has too many parts"},
        Refused{"wordAsNormal", "v 0 0 0\nf 1//x 1 1\n", "line 2: 'x' is not a whole number"},
        Refused{"nul", std::string("v 0 0 a\0b\n", 10),
                "line 1: 'a\\x00b' is not a number; expected a coordinate. Correct"},
        Refused{"slash", "v 0 0 0\nf /1 1 1\n", "line 2: '' is not a whole number"}),
    [](const auto& refused) { return std::string(refused.param.title); });

TEST(TextMeshes, areReadInUtf16_inEachFormat) {
    const std::string ply =
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
        "property float z\nend_header\n1 2 3\n";
    const std::string stl =
        "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
        "endloop\nendfacet\nendsolid\n";
    for (const std::string& text : {ply, stl, std::string("1 2 3\n")}) {
        SCOPED_TRACE(text.substr(0, 5));
        const LoadedMesh plain = decodeMesh(asBytes(text), "a");
        for (const std::string& same :
             {utf16(text, false), utf16(text, true), replaced(text, "\n", "\r"),
              replaced(text, "\n", "\r\n"), "\xef\xbb\xbf" + text}) {
            const LoadedMesh mesh = decodeMesh(asBytes(same), "a");
            EXPECT_EQ(mesh.format, plain.format);
            EXPECT_EQ(mesh.vertices, plain.vertices);
        }
    }
}

}  // namespace
}  // namespace threefold
