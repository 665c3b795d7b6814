#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "tests/engine/formats/mesh_bytes.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using test::kPlyVertices;
using test::littleEndian;
using test::ply;
using test::read;
using test::reversed;
using test::TempFolder;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const char* const kPlyHeader =
    "element vertex 3\nproperty float x\nproperty float y\nproperty double z\n"
    "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty int flags\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n";

TEST(PlyFile, refusesAPropertyThatIsDeclaredTwice_ofElementsThatAreRead) {
    const std::string vertices = "property float x\nproperty float y\nproperty float z\n";
    const auto file = [&](const std::string& element, const std::string& more) {
        return "ply\nformat ascii 1.0\nelement " + element + " 1\n" + vertices + more;
    };
    try {
        read(file("vertex", "property float x\nend_header\n0 0 0 5\n"), "a.ply");
        FAIL() << "accepted";
    } catch (const FormatError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("declares the property 'x' twice"));
    }
    const std::string other =
        "element other 1\nproperty int a\nproperty int a\nend_header\n0 0 0\n1 2\n";
    EXPECT_THAT(read(file("vertex", other), "a.ply").vertices, SizeIs(1));
}

TEST(PlyFile, readsTextAndBothByteOrders) {
    const std::string text = std::string("ply\nformat ascii 1.0\ncomment x\n") + kPlyHeader +
                             "0 0 0 255 0 0 1\n1 0 0 0 255 0 1\n0 1 0 0 0 255 1\n3 0 1 2";
    std::string body;
    std::string big;
    for (int i = 0; i < 3; ++i) {
        const std::string x = littleEndian(i == 1 ? 1.0F : 0.0F);
        const std::string y = littleEndian(i == 2 ? 1.0F : 0.0F);
        const std::string z(8, '\0');
        std::string colour(3, '\0');
        colour[static_cast<std::size_t>(i)] = '\xff';
        body += x + y + z + colour + littleEndian(7U);
        big += reversed(x) + reversed(y) + z + colour + reversed(littleEndian(7U));
    }
    body += '\3' + littleEndian(0U) + littleEndian(1U) + littleEndian(2U);
    big +=
        '\3' + reversed(littleEndian(0U)) + reversed(littleEndian(1U)) + reversed(littleEndian(2U));
    for (const std::string& file :
         {text, std::string("ply\nformat binary_little_endian 1.0\n") + kPlyHeader + body,
          std::string("ply\r\nformat binary_big_endian 1.0\r\n") + kPlyHeader + big}) {
        SCOPED_TRACE(file.substr(0, 30));
        const LoadedMesh mesh = read(file, "a.ply");
        EXPECT_EQ(mesh.format, MeshFormat::ply);
        EXPECT_THAT(mesh.vertices,
                    ElementsAre(glm::vec3(0, 0, 0), glm::vec3(1, 0, 0), glm::vec3(0, 1, 0)));
        EXPECT_THAT(mesh.faces, ElementsAre(glm::u32vec3(0, 1, 2)));
        EXPECT_THAT(mesh.colours,
                    ElementsAre(glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1)));
        EXPECT_EQ(mesh.unreadContent.at("vertex property flags"), 3U);
    }
}

TEST(PlyFile, keepsScalarsOfTheVertices_inTextAndInBinary) {
    const std::string header =
        "element vertex 3\nproperty float x\nproperty float quality\nproperty float y\n"
        "property float z\nproperty double depth\nproperty int label\nend_header\n";
    std::string body;
    const std::string depth(8, '\0');
    for (int i = 0; i < 3; ++i)
        body += littleEndian(static_cast<float>(i)) + littleEndian(0.5F * static_cast<float>(i)) +
                littleEndian(1.0F) + littleEndian(0.0F) + depth + littleEndian(7U);
    for (const std::string& file :
         {"ply\nformat ascii 1.0\n" + header + "0 0 1 0 0 7\n1 0.5 1 0 0 7\n2 1 1 0 0 7\n",
          "ply\nformat binary_little_endian 1.0\n" + header + body}) {
        SCOPED_TRACE(file.substr(0, 30));
        const LoadedMesh mesh = read(file, "a.ply");
        ASSERT_EQ(mesh.scalars.size(), 2U);
        EXPECT_EQ(mesh.scalars[0].name, "quality");
        EXPECT_THAT(mesh.scalars[0].values, ElementsAre(0.0F, 0.5F, 1.0F));
        EXPECT_EQ(mesh.scalars[1].name, "depth");
        EXPECT_THAT(mesh.scalars[1].values, ElementsAre(0.0F, 0.0F, 0.0F));
        EXPECT_THAT(mesh.unreadContent, ElementsAre(testing::Pair("vertex property label", 3U)));
    }
}

// Vertices that are not finite are dropped with their scalars; a scalar that is no finite number
// becomes NaN.
TEST(PlyFile, keepsScalarsWithTheirVertices_whenSomeAreLeftOut) {
    const LoadedMesh mesh = read(
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
        "property float z\nproperty float quality\nend_header\n"
        "0 0 0 0.25\nnan 0 0 0.5\n1 0 0 nan\n",
        "a.ply");
    ASSERT_EQ(mesh.scalars.size(), 1U);
    ASSERT_EQ(mesh.scalars[0].values.size(), 2U);
    EXPECT_EQ(mesh.scalars[0].values[0], 0.25F);
    EXPECT_TRUE(std::isnan(mesh.scalars[0].values[1]));
}

TEST(PlyFile, keepsAtMostKMaxScalars) {
    std::string header =
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"
        "property float y\nproperty float z\n";
    std::string row = "0 0 0";
    for (std::size_t i = 0; i <= kMaxScalars; ++i) {
        header += "property float s" + std::to_string(i) + '\n';
        row += ' ' + std::to_string(i);
    }
    const LoadedMesh mesh = read(header + "end_header\n" + row + '\n', "a.ply");
    ASSERT_EQ(mesh.scalars.size(), kMaxScalars);
    EXPECT_EQ(mesh.scalars.back().values.front(), static_cast<float>(kMaxScalars - 1));
    EXPECT_EQ(mesh.unreadContent.at("vertex property s" + std::to_string(kMaxScalars)), 1U);
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

}  // namespace
}  // namespace threefold
