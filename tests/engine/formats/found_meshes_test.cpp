// Meshes as other programs write them, including content that is not well-formed.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_origin.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

LoadedMesh read(const std::string& text, const char* name) {
    return decodeMesh(asBytes(text), name);
}

const std::string kPlyVertices = "property float x\nproperty float y\nproperty float z\n";

std::string ply(const std::string& elements, const std::string& body) {
    return "ply\nformat ascii 1.0\n" + elements + "end_header\n" + body;
}

struct DefectiveFile {
    const char* title;
    const char* name;
    std::string text;
    std::size_t vertices;
    std::size_t faces;
    std::map<ShapeDefect, std::size_t> leftOut;
};

class DefectiveMesh : public testing::TestWithParam<DefectiveFile> {};

TEST_P(DefectiveMesh, losesItsDefectiveParts_andCountsThem) {
    const DefectiveFile& file = GetParam();
    const LoadedMesh mesh = read(file.text, file.name);
    EXPECT_THAT(mesh.vertices, SizeIs(file.vertices));
    EXPECT_THAT(mesh.faces, SizeIs(file.faces));
    EXPECT_EQ(mesh.leftOut, file.leftOut);
    EXPECT_THAT(leftOutText(mesh), HasSubstr("left out"));
    for (const glm::u32vec3& face : mesh.faces)
        for (int corner = 0; corner < 3; ++corner) EXPECT_LT(face[corner], mesh.vertices.size());
}

const std::string kFourPoints = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

INSTANTIATE_TEST_SUITE_P(
    All, DefectiveMesh,
    testing::Values(
        DefectiveFile{"objCorners",
                      "a.obj",
                      kFourPoints + "f 1 2\nf 1 2 3\nf 4\nf\nf 2/1 3/1 \n",
                      4,
                      1,
                      {{ShapeDefect::degenerateFaces, 4}}},
        DefectiveFile{"objNan",
                      "a.obj",
                      kFourPoints + "v nan 0 0\nv 0 -inf 0\nf 1 2 3\nf 1 2 5\n",
                      4,
                      1,
                      {{ShapeDefect::nonFinitePoints, 2}, {ShapeDefect::nonFiniteFaces, 1}}},
        DefectiveFile{"objWindowsNan",
                      "a.obj",
                      "v 1.#QNAN0 -1.#IND 0\n" + kFourPoints + "f 2 3 4\n",
                      4,
                      1,
                      {{ShapeDefect::nonFinitePoints, 1}}},
        DefectiveFile{"plyNan",
                      "a.ply",
                      ply("element vertex 4\n" + kPlyVertices +
                              "element face 2\nproperty list uchar int vertex_indices\n",
                          "nan nan nan\n0 0 0\n1 0 0\n0 1 0\n3 1 2 3\n3 0 1 2\n"),
                      3,
                      1,
                      {{ShapeDefect::nonFinitePoints, 1}, {ShapeDefect::nonFiniteFaces, 1}}},
        DefectiveFile{"plyCorners",
                      "a.ply",
                      ply("element vertex 3\n" + kPlyVertices +
                              "element face 2\nproperty list uchar int vertex_index\n",
                          "0 0 0\n1 0 0\n0 1 0\n2 0 1\n3 0 1 2\n"),
                      3,
                      1,
                      {{ShapeDefect::degenerateFaces, 1}}},
        DefectiveFile{"xyzNan",
                      "a.xyz",
                      "0 0 0\nnan nan nan\n1 1 1\n",
                      2,
                      0,
                      {{ShapeDefect::nonFinitePoints, 1}}},
        DefectiveFile{"offNan",
                      "a.off",
                      "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\nNaN 0 0\n3 0 1 3\n",
                      3,
                      0,
                      {{ShapeDefect::nonFinitePoints, 1}, {ShapeDefect::nonFiniteFaces, 1}}},
        DefectiveFile{"stlNan",
                      "a.stl",
                      "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                      "vertex nan 0 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\n"
                      "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n",
                      3,
                      1,
                      {{ShapeDefect::nonFiniteTriangles, 1}}}),
    [](const auto& defective) { return std::string(defective.param.title); });

TEST(LeftOutText, isInTheSingular_forOnePart) {
    LoadedMesh mesh;
    EXPECT_EQ(leftOutText(mesh), "");
    mesh.leftOut = {{ShapeDefect::nonFinitePoints, 1}};
    EXPECT_EQ(leftOutText(mesh), "1 point that is not finite is left out");
    mesh.leftOut = {{ShapeDefect::degenerateFaces, 1}, {ShapeDefect::nonFinitePoints, 2}};
    EXPECT_EQ(leftOutText(mesh),
              "1 face of one or two corners and 2 points that are not finite are left out");
}

TEST(FoundMeshes, keepNormalsAndColoursWithTheirPoints_whenSomeAreLeftOut) {
    const LoadedMesh mesh = read("v 0 0 0 1 0 0\nv nan 0 0 0 1 0\nv 0 1 0 0 0 1\n", "a.obj");
    EXPECT_THAT(mesh.vertices, ElementsAre(glm::vec3(0), glm::vec3(0, 1, 0)));
    EXPECT_THAT(mesh.colours, ElementsAre(glm::vec3(1, 0, 0), glm::vec3(0, 0, 1)));
    EXPECT_EQ(mesh.fileIndexOf(1), 2U);
    EXPECT_EQ(read("v 0 0 0\nv 0 1 0\n", "a.obj").fileIndexOf(1), 1U);
}

TEST(FoundMeshes, areRefused_whenNoPointIsFinite) {
    for (const auto& [text, name] :
         std::vector<std::pair<std::string, const char*>>{{"nan nan nan\n", "a.xyz"},
                                                          {"v nan 0 0\n", "a.obj"},
                                                          {"OFF 1 0 0\ninf 0 0\n", "a.off"}})
        EXPECT_THROW(read(text, name), InputError) << text;
}

TEST(StlFile, isRead_withAnyCapitalsAndLineEnds) {
    for (const char* text :
         {"SOLID a\nFACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1 0 0\nVERTEX 0 1 0\n"
          "ENDLOOP\nENDFACET\nENDSOLID a\n",
          "Solid a\nFacet Normal 0 0 1\nOuter Loop\nVertex 0 0 0\nVertex 1 0 0\nVertex 0 1 0\n"
          "End Loop\nEnd Facet\nEnd Solid a\n"}) {
        const LoadedMesh mesh = read(text, "a.stl");
        EXPECT_EQ(mesh.format, MeshFormat::stl);
        EXPECT_THAT(mesh.faces, ElementsAre(glm::u32vec3(0, 1, 2)));
    }
}

TEST(PlyFile, isRecognised_withABlankBehindItsFirstWord) {
    for (const char* blank : {" ", "\t", " \r"}) {
        const std::string text = std::string("ply") + blank +
                                 "\nformat ascii 1.0\nelement vertex 1\n" + kPlyVertices +
                                 "end_header\n1 2 3\n";
        EXPECT_THAT(read(text, "scan").vertices, ElementsAre(glm::vec3(1, 2, 3)));
    }
}

TEST(PlyFile, countsBytesBehindItsEnd_unlessTheyArePadding) {
    const std::string whole =
        encodeMesh(MeshFormat::ply, {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
    EXPECT_TRUE(read(whole, "a.ply").leftOut.empty());
    EXPECT_TRUE(read(whole + "\r\n" + std::string(3, '\0'), "a.ply").leftOut.empty());
    EXPECT_EQ(read(whole + whole.substr(whole.size() - 13), "a.ply").leftOut,
              (std::map<ShapeDefect, std::size_t>{{ShapeDefect::bytesBehindEnd, 13}}));
}

TEST(PlyFile, readsWholeNumbersWithAPoint_asIndices) {
    const std::string text = ply("element vertex 3\n" + kPlyVertices +
                                     "element face 1\nproperty list uchar int vertex_indices\n",
                                 "0 0 0\n1 0 0\n0 1 0\n3.0 0.0 1.0 2e0\n");
    EXPECT_THAT(read(text, "a.ply").faces, ElementsAre(glm::u32vec3(0, 1, 2)));
}

TEST(PlyFile, reversesEverySecondTriangleOfAStrip) {
    const std::string text = ply("element vertex 6\n" + kPlyVertices +
                                     "element tristrips 1\nproperty list int int vertex_indices\n",
                                 "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n"
                                 "11 0 1 2 3 -1 0 1 4 5 5 -1\n");
    EXPECT_THAT(read(text, "a.ply").faces,
                ElementsAre(glm::u32vec3(0, 1, 2), glm::u32vec3(2, 1, 3), glm::u32vec3(0, 1, 4),
                            glm::u32vec3(4, 1, 5)));
    const std::string beyond =
        ply("element vertex 1\n" + kPlyVertices +
                "element tristrips 1\nproperty list int int vertex_indices\n",
            "0 0 0\n3 0 0 7\n");
    EXPECT_THROW(read(beyond, "a.ply"), FormatError);
}

TEST(PlyFile, losesItsNormals_whenOneIsNotFinite) {
    const LoadedMesh mesh =
        read(ply("element vertex 2\n" + kPlyVertices +
                     "property float nx\nproperty float ny\nproperty float nz\n",
                 "0 0 0 0 0 1\n1 0 0 nan nan nan\n"),
             "a.ply");
    EXPECT_THAT(mesh.vertices, SizeIs(2));
    EXPECT_THAT(mesh.normals, IsEmpty());
    EXPECT_EQ(mesh.unreadContent.at("normals"), 2U);
}

TEST(PlyFile, showsColoursOfFacesAtVertices_unlessTheseHaveTheirOwn) {
    const std::string faces =
        "element face 2\nproperty list uchar int vertex_indices\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    const std::string rows = "3 0 1 2 255 0 0\n3 1 3 2 0 0 255\n";
    const LoadedMesh mesh = read(
        ply("element vertex 4\n" + kPlyVertices + faces, "0 0 0\n1 0 0\n0 1 0\n1 1 0\n" + rows),
        "a.ply");
    EXPECT_THAT(mesh.colours, ElementsAre(glm::vec3(1, 0, 0), glm::vec3(.5, 0, .5),
                                          glm::vec3(.5, 0, .5), glm::vec3(0, 0, 1)));
    EXPECT_THAT(mesh.unreadContent, SizeIs(1));
    const std::string own = "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    const LoadedMesh coloured =
        read(ply("element vertex 4\n" + kPlyVertices + own + faces,
                 "0 0 0 9 9 9\n1 0 0 9 9 9\n0 1 0 9 9 9\n1 1 0 9 9 9\n" + rows),
             "a.ply");
    EXPECT_FLOAT_EQ(coloured.colours.at(0).x, 9 / 255.0F);
}

TEST(PlyFile, hasTextures_asOpenMvsAndMeshLabWriteThem) {
    const TempFolder folder;
    writePng(folder / "skin.png", {1, 1, {200, 100, 50, 255}});
    writePng(folder / "other.png", {1, 1, {1, 2, 3, 255}});
    const std::string corners = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
    const std::string text =
        "ply\nformat ascii 1.0\ncomment TextureFile skin.png\n"
        "comment TextureFile C:\\models\\other.png\nelement vertex 4\n" +
        kPlyVertices +
        "element face 2\nproperty list uchar int vertex_indices\n"
        "property list uchar float texcoord\nproperty int texnumber\nend_header\n" +
        corners + "3 0 1 2 6 0 0 1 0 1 1 0\n3 0 2 3 6 0 0 1 1 0 1 1\n";
    writeFileAtomically(folder / "a.ply", std::string_view(text));
    const TexturedMesh mesh = readTexturedMesh(folder / "a.ply");
    EXPECT_THAT(mesh.appearance.missing, IsEmpty());
    ASSERT_THAT(mesh.appearance.textures, SizeIs(2));
    EXPECT_EQ(mesh.appearance.textures[1].rgba[2], 3);
    EXPECT_THAT(mesh.appearance.materialOfFace, ElementsAre(0, 1));
    EXPECT_THAT(mesh.appearance.textureCoordinates,
                ElementsAre(glm::vec2(0, 0), glm::vec2(1, 0), glm::vec2(1, 1), glm::vec2(0, 0),
                            glm::vec2(1, 1), glm::vec2(0, 1)));

    const std::string ofVertices =
        "ply\nformat ascii 1.0\ncomment TextureFile skin.png\nelement vertex 3\n" + kPlyVertices +
        "property float s\nproperty float t\nelement face 1\n"
        "property list uchar int vertex_indices\nend_header\n"
        "0 0 0 .1 .2\n1 0 0 .3 .4\n1 1 0 .5 .6\n3 0 1 2\n";
    writeFileAtomically(folder / "b.ply", std::string_view(ofVertices));
    const TexturedMesh second = readTexturedMesh(folder / "b.ply");
    EXPECT_THAT(second.appearance.textureCoordinates,
                ElementsAre(glm::vec2(.1F, .2F), glm::vec2(.3F, .4F), glm::vec2(.5F, .6F)));
    EXPECT_THAT(second.appearance.textures, SizeIs(1));
}

TEST(PlyFile, hasCoordinatesOfAllFaces_whenStripsAndTexturedFacesAreMixed) {
    const TempFolder folder;
    writePng(folder / "skin.png", {1, 1, {200, 100, 50, 255}});
    const std::string strips = "element tristrips 1\nproperty list int int vertex_indices\n";
    const std::string faces =
        "element face 1\nproperty list uchar int vertex_indices\n"
        "property list uchar float texcoord\nproperty double texnumber\n";
    const std::string corners = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
    const std::string face = "3 0 1 2 6 0 0 1 0 1 1 1e300\n";
    const std::string strip = "4 0 1 3 2\n";
    const std::string head =
        "ply\nformat ascii 1.0\ncomment TextureFile skin.png\nelement vertex 4\n" + kPlyVertices;
    for (const bool stripsFirst : {false, true}) {
        const std::string text =
            stripsFirst ? head + strips + faces + "end_header\n" + corners + strip + face
                        : head + faces + strips + "end_header\n" + corners + face + strip;
        writeFileAtomically(folder / "a.ply", std::string_view(text));
        const TexturedMesh mesh = readTexturedMesh(folder / "a.ply");
        ASSERT_THAT(mesh.mesh.faces, SizeIs(3));
        ASSERT_THAT(mesh.appearance.textureCoordinates, SizeIs(9));
        EXPECT_EQ(mesh.appearance.textureCoordinates[stripsFirst ? 8 : 2], glm::vec2(1, 1));
        EXPECT_THAT(mesh.appearance.materialOfFace, ElementsAre(0, 0, 0));
    }
}

TEST(OffFile, isRead_inEachDialect) {
    struct Dialect {
        const char* title;
        const char* text;
        bool colours;
        bool normals;
    };
    const std::string rows = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
    for (const auto& [title, text, colours, normals] : std::vector<Dialect>{
             {"plain", "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n", false, false},
             {"glued", "OFF4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n", false, false},
             {"noEdges", "off\n# a comment\n4 1\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 255 0 0\n",
              false, false},
             {"coff",
              "COFF\n4 1 0\n0 0 0 255 0 0 255\n1 0 0 255 0 0 255\n1 1 0 255 0 0 255\n"
              "0 1 0 255 0 0 255\n4 0 1 2 3\n",
              true, false},
             {"bytesWithPoints",
              "COFF\n4 1 0\n0 0 0 255.0 0.0 0.0\n1 0 0 255.0 0.0 0.0\n1 1 0 255.0 0.0 0.0\n"
              "0 1 0 255.0 0.0 0.0\n4 0 1 2 3\n",
              true, false},
             {"countsOnLines", "OFF\n4\n1\n5\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n", false,
              false},
             {"countsOnLinesWithoutEdges", "OFF\n4\n1\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n",
              false, false},
             {"fractions",
              "COFF\n4 1 0\n0 0 0 1.0 0.0 0.0\n1 0 0 1.0 0.0 0.0\n1 1 0 1.0 0.0 0.0\n"
              "0 1 0 1.0 0.0 0.0\n4 0 1 2 3\n",
              true, false},
             {"zerosAndOnes",
              "COFF\n4 1 0\n0 0 0 1 0 0\n1 0 0 1 0 0\n1 1 0 1 0 0\n0 1 0 1 0 0\n4 0 1 2 3\n", true,
              false},
             {"textured",
              "STCOFF\n4 1 0\n0 0 0 255 0 0 255 0.5 0.5\n1 0 0 255 0 0 255 0.5 0.5\n"
              "1 1 0 255 0 0 255 0.5 0.5\n0 1 0 255 0 0 255 0.5 0.5\n4 0 1 2 3\n",
              true, false},
             {"normals",
              "NOFF\n4 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n"
              "4 0 1 2 3\n",
              false, true}}) {
        SCOPED_TRACE(title);
        const LoadedMesh mesh = read(text, "a.off");
        EXPECT_EQ(mesh.format, MeshFormat::off);
        EXPECT_THAT(mesh.vertices, SizeIs(4));
        EXPECT_THAT(mesh.faces, ElementsAre(glm::u32vec3(0, 1, 2), glm::u32vec3(0, 2, 3)));
        EXPECT_EQ(mesh.normals.size(), normals ? 4U : 0U);
        ASSERT_EQ(mesh.colours.size(), colours ? 4U : 0U);
        if (colours) {
            EXPECT_EQ(mesh.colours[0], glm::vec3(1, 0, 0));
        }
    }
    const LoadedMesh further =
        read("OFF\n3 1 0\n0 0 0 1 2\n1 0 0 1 2\n1 1 0 1 2\n3 0 1 2\n", "a.off");
    EXPECT_EQ(further.unreadContent.at("numbers behind vertices"), 3U);
    EXPECT_THROW(read("OFF\n4000000000 1 0\n0 0 0\n", "a.off"), FormatError);
    EXPECT_THROW(read("OFF\n1 1 0\n0 0 0\n3 0 0 1\n", "a.off"), FormatError);
    EXPECT_THROW(read("OFF BINARY\n1 1 0\n", "a.off"), FormatError);
    const std::string whole = "OFF\n4 1 0\n" + rows;
    for (std::size_t length = 0; length + 1 < whole.size(); ++length) try {
            read(whole.substr(0, length), "a.off");
        } catch (const Error&) {
            // expected: any error of Threefold's own
        }
}

TEST(ObjColours, areRgba_whenEveryVertexHasSevenNumbers) {
    EXPECT_EQ(read("v 0 0 0 1 0 0 1\nv 1 0 0 0 1 0 1\n", "a.obj").colours,
              (std::vector<glm::vec3>{{1, 0, 0}, {0, 1, 0}}));
    // The fourth number is 1 in all vertices, but the seventh is not: the fourth is a weight, and
    // the seventh is blue, not alpha.
    EXPECT_EQ(read("v 0 0 0 1 1 0 0\nv 1 0 0 1 0 0 .5\n", "a.obj").colours,
              (std::vector<glm::vec3>{{1, 0, 0}, {0, 0, .5}}));
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

TEST(PlyFile, hasBytesAsColours_whenTheyAreWrittenAsFloats) {
    const std::string head =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
        "property float z\nproperty float red\nproperty float green\nproperty float blue\n";
    const LoadedMesh bytes =
        read(head + "end_header\n0 0 0 255 0 0\n1 0 0 0 51 0\n0 1 0 0 0 0\n", "a.ply");
    EXPECT_THAT(bytes.colours,
                ElementsAre(glm::vec3(1, 0, 0), glm::vec3(0, 51 / 255.0F, 0), glm::vec3(0)));
    const LoadedMesh fractions =
        read(head + "end_header\n0 0 0 1.0001 0 0\n1 0 0 0 0.5 0\n0 1 0 0 0 0\n", "a.ply");
    EXPECT_THAT(fractions.colours,
                ElementsAre(glm::vec3(1, 0, 0), glm::vec3(0, 0.5, 0), glm::vec3(0)));
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
    for (const char* text : {"nx ny nz px py pz\n0 0 1 1 2 3\n", "y x height\n1 2 3\n",
                             "red green blue\n1 2 3\n", "time x y z\n1 2 3\n"})
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

TEST(GlbFile, isRefused_whenItHoldsOnlyLines) {
    const std::string text =
        R"({"asset":{"version":"2.0"},"meshes":[{"primitives":[{"mode":3,"attributes":{"POSITION":0}}]}],)"
        R"("accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}],)"
        R"("bufferViews":[{"buffer":0,"byteLength":12}],)"
        R"("buffers":[{"byteLength":12,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAA"}]})";
    try {
        read(text, "a.gltf");
        FAIL() << "was read";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("lines alone"));
    }
}

TEST(GlbFile, explainsARefusal_inTermsOfGlTf) {
    const auto refusal = [](const std::string& mode) {
        const std::string text = R"({"asset":{"version":"2.0"},"meshes":[{"primitives":[{"mode":)" +
                                 mode + R"(,"attributes":{"POSITION":0}}]}]})";
        return test::messageOf<Error>([&] { read(text, "a.gltf"); });
    };
    EXPECT_THAT(refusal("7"), HasSubstr("mode 7, expected 0 to 6"));
    EXPECT_THAT(refusal("-1"), testing::AllOf(HasSubstr("a natural number is expected"),
                                              testing::Not(HasSubstr("json.exception"))));
}

/// A position in map coordinates (metres).
const glm::dvec3 kOnMap(448260.9612, 5411931.3304, 117.9201);

TEST(FarMesh, keepsItsShape_inEachFormat) {
    const std::vector<glm::dvec3> corners{kOnMap, kOnMap + glm::dvec3(.0011, 0, 0),
                                          kOnMap + glm::dvec3(2.5, 1.25, 0.001)};
    const auto row = [&](std::size_t i) {
        return fmt::format("{:.7f} {:.7f} {:.7f}\n", corners[i].x, corners[i].y, corners[i].z);
    };
    const std::string rows = row(0) + row(1) + row(2);
    const std::string doubles = "property double x\nproperty double y\nproperty double z\n";
    for (const auto& [name, text] : std::vector<std::pair<const char*, std::string>>{
             {"a.obj", "v " + row(0) + "v " + row(1) + "v " + row(2) + "f 1 2 3\n"},
             {"b.obj",
              "v " + row(0) + "\tv " + row(1) + "v " + row(2) + "f 1 2 3 # plain no more\n"},
             {"a.ply", ply("element vertex 3\n" + doubles, rows)},
             {"a.off", "OFF\n3 0 0\n" + rows},
             {"a.xyz", rows}}) {
        SCOPED_TRACE(name);
        const LoadedMesh mesh = read(text, name);
        ASSERT_THAT(mesh.vertices, SizeIs(3));
        EXPECT_NE(mesh.origin, glm::dvec3(0.0));
        for (std::size_t i = 0; i < 3; ++i)
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_NEAR(mesh.positionOf(i)[axis], corners[i][axis], 2e-7);
    }
}

TEST(FarMesh, hasNoOrigin_whenFloatsSuffice) {
    EXPECT_EQ(read("1 1 -8\n1.5 1 -8\n1 2 -7\n", "a.xyz").origin, glm::dvec3(0.0));
    EXPECT_EQ(read("5000 0 0\n", "a.xyz").origin, glm::dvec3(0.0));
    // A single point has an origin, too, since its distances to other meshes may be small.
    EXPECT_NEAR(read("5000000.35 0 0\n", "a.xyz").positionOf(0).x, 5000000.35, 1e-7);
}

TEST(FarMesh, keepsItsShape_besideOutliers) {
    std::string rows = "0 0 0\n0 0 0\n";  // scanners write invalid points as zeros
    for (int i = 0; i < 8; ++i)
        rows +=
            fmt::format("{:.4f} {:.4f} {:.4f}\n", 5e6 + 0.01 * i, 4e5 - 0.02 * i, 100 + 0.03 * i);
    for (const std::string& text : {rows, rows + "4900000 400000 100\n"}) {
        const LoadedMesh mesh = read(text, "a.xyz");
        for (std::size_t i = 0; i < 8; ++i) {
            const glm::dvec3 found = mesh.positionOf(2 + i);
            const auto step = static_cast<double>(i);
            EXPECT_NEAR(found.x, 5e6 + 0.01 * step, 1e-6);
            EXPECT_NEAR(found.y, 4e5 - 0.02 * step, 1e-6);
            EXPECT_NEAR(found.z, 100 + 0.03 * step, 1e-6);
        }
        EXPECT_EQ(mesh.positionOf(0), glm::dvec3(0.0));
    }
}

TEST(FarMesh, hasNoOrigin_whenMostOfItsPointsAreADetailOfIt) {
    std::string rows = "-1 -1 -1\n1 1 1\n";
    for (int i = 0; i < 100; ++i) rows += fmt::format("0.9 {:.4f} 0.9\n", 0.9 + 0.001 * (i % 10));
    EXPECT_EQ(read(rows, "a.xyz").origin, glm::dvec3(0.0));
    std::string repeated = "-1 -1 -1\n1 1 1\n";
    for (int i = 0; i < 100; ++i) repeated += "0.9 0.9 0.9\n";
    EXPECT_EQ(read(repeated, "a.xyz").origin, glm::dvec3(0.0));
}

TEST(FarMesh, isWrittenWithTheDigitsOfItsPosition) {
    const TempFolder folder;
    const Mesh mesh{{{0, 0, 0}, {1.5F, 0.25F, 0}, {0, 1, 0.001F}}, {{0, 1, 2}}};
    MeshWriteOptions extras;
    extras.origin = kOnMap;
    for (const MeshFormat format :
         {MeshFormat::obj, MeshFormat::ply, MeshFormat::xyz, MeshFormat::glb}) {
        SCOPED_TRACE(std::string(meshFormatExtension(format)));
        writeMesh(folder / "far", format, mesh, extras);
        const LoadedMesh back = readMesh(folder / "far");
        for (std::size_t i = 0; i < 3; ++i)
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_NEAR(back.positionOf(i)[axis], kOnMap[axis] + double{mesh.vertices[i][axis]},
                            6e-7);
    }
}

TEST(FarMesh, movesToAnotherOrigin) {
    LoadedMesh mesh = read("1000000 0 0\n1000001 1 0\n", "a.xyz");
    const glm::dvec3 second = mesh.positionOf(1);
    moveOrigin(mesh, {999'998, 0, 0});
    EXPECT_EQ(mesh.vertices[1], glm::vec3(3, 1, 0));
    EXPECT_EQ(mesh.positionOf(1), second);
}

TEST(MeshWriters, giveASmallMeshTheDecimalsThatItNeeds) {
    const float small = 1e-9F;
    const Mesh mesh{{{0, 0, 0}, {small, 0, 0}, {0, 2 * small, 0}}, {{0, 1, 2}}};
    const LoadedMesh back = read(encodeMesh(MeshFormat::obj, mesh), "a.obj");
    EXPECT_NEAR(back.vertices[1].x, small, 1e-15F);
    EXPECT_NEAR(back.vertices[2].y, 2 * small, 1e-15F);
}

}  // namespace
}  // namespace threefold
