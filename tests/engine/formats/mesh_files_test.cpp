#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_writing.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <string>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

LoadedMesh decoded(std::string_view text, const char* name = "input.obj") {
    return decodeMesh(asBytes(text), name);
}

std::string littleEndian(std::uint32_t value, std::size_t width = 4) {
    std::string bytes;
    for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xffU);
    return bytes;
}
std::string littleEndian(float value) {
    return littleEndian(std::bit_cast<std::uint32_t>(value));
}
std::string reversed(std::string bytes) {
    return {bytes.rbegin(), bytes.rend()};
}

/// A tetrahedron whose coordinates have at most six decimals.
Mesh tetrahedron() {
    return {{{0, 0, -0.75F}, {0.5F, 0, -0.75F}, {0, 0.5F, -0.75F}, {0, 0, -0.25F}},
            {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
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
    const LoadedMesh mesh = decoded(
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
    const LoadedMesh mesh = decoded(
        "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nvn 0 0 1\nvn 0 1 0\nvn 1 0 0\n"
        "f 1//1 2//2 3//3\n");
    EXPECT_THAT(mesh.colours,
                ElementsAre(glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1)));
    EXPECT_THAT(mesh.normals, SizeIs(3));
}

TEST(ObjFile, readsFaces_beforeTheirVertices) {
    EXPECT_THAT(decoded("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").faces, SizeIs(1));
}

TEST(ObjFile, triangulatesConcavePolygons_insideTheirOutline) {
    // Each face is an L of area 3. A fan from the first corner of the first face would cover 4.
    const std::string text =
        "v 2 1 0\nv 2 0 0\nv 0 0 0\nv 0 2 0\nv 1 2 0\nv 1 1 0\nf 5 6 1 2 3 4\nf 6 5 4 3 2 1\n";
    const LoadedMesh mesh = decoded(text);
    EXPECT_THAT(mesh.faces, SizeIs(8));
    EXPECT_NEAR(areaOf(mesh), 6, 1e-6);
}

TEST(XyzFile, takesNoMoreMemoryThanItsRows) {
    constexpr std::size_t kRows = 1000;
    std::string text;
    for (std::size_t i = 0; i < kRows; ++i) text += fmt::format("{} 0.25 0.5 0 0 1 9 8 7\n", i);
    const LoadedMesh cloud = decoded(text, "a.xyz");
    ASSERT_EQ(cloud.vertices.size(), kRows);
    for (const auto* values : {&cloud.vertices, &cloud.normals, &cloud.colours}) {
        EXPECT_EQ(values->size(), kRows);
        EXPECT_LE(values->capacity(), kRows + 1)
            << "the array grew, and two copies were held meanwhile";
    }
}

TEST(XyzFile, readsPointsWithAndWithoutNormals) {
    EXPECT_THAT(decoded("# cloud\n0 1 2\n\n3,4,5\n", "a.xyz").vertices,
                ElementsAre(glm::vec3(0, 1, 2), glm::vec3(3, 4, 5)));
    const LoadedMesh six = decoded("0 1 2 0 0 1\n3 4 5 0 1 0", "a.txt");
    EXPECT_EQ(six.format, MeshFormat::xyz);
    EXPECT_THAT(six.normals, SizeIs(2));
    EXPECT_THAT(six.faces, SizeIs(0));
}

const char* const kPlyHeader =
    "element vertex 3\nproperty float x\nproperty float y\nproperty double z\n"
    "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty int flags\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n";

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
        const LoadedMesh mesh = decoded(file, "a.ply");
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
        const LoadedMesh mesh = decoded(file, "a.ply");
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
    const LoadedMesh mesh = decoded(
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
    const LoadedMesh mesh = decoded(header + "end_header\n" + row + '\n', "a.ply");
    ASSERT_EQ(mesh.scalars.size(), kMaxScalars);
    EXPECT_EQ(mesh.scalars.back().values.front(), static_cast<float>(kMaxScalars - 1));
    EXPECT_EQ(mesh.unreadContent.at("vertex property s" + std::to_string(kMaxScalars)), 1U);
}

TEST(StlFile, joinsEqualCorners) {
    const std::string text =
        "solid a name\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
        "endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\n"
        "vertex 0 1 -0\nendloop\nendfacet\nendsolid a name\n";
    const LoadedMesh mesh = decoded(text, "a.stl");
    EXPECT_THAT(mesh.vertices, SizeIs(4));
    EXPECT_THAT(mesh.faces, ElementsAre(glm::u32vec3(0, 1, 2), glm::u32vec3(1, 3, 2)));
}

TEST(StlFile, isRecognisedByItsLength_whenItBeginsLikeText) {
    std::string file = encodeMesh(MeshFormat::stl, tetrahedron());
    file.replace(0, 5, "solid");
    EXPECT_THAT(decoded(file, "a.dat").faces, SizeIs(4));
}

std::string glb(const nlohmann::json& document, std::string binary) {
    std::string json = document.dump();
    json.resize((json.size() + 3) / 4 * 4, ' ');
    return "glTF" + littleEndian(2U) +
           littleEndian(static_cast<std::uint32_t>(28 + json.size() + binary.size())) +
           littleEndian(static_cast<std::uint32_t>(json.size())) + "JSON" + json +
           littleEndian(static_cast<std::uint32_t>(binary.size())) + std::string("BIN\0", 4) +
           binary;
}

nlohmann::json triangleDocument() {
    return {
        {"scenes", {{{"nodes", {0}}}}},
        {"nodes",
         {{{"children", {1}}, {"translation", {1, 0, 0}}}, {{"mesh", 0}, {"scale", {2, 2, 2}}}}},
        {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}}}}}}},
        {"accessors",
         {{{"bufferView", 0}, {"componentType", 5126}, {"count", 3}, {"type", "VEC3"}},
          {{"bufferView", 1}, {"componentType", 5123}, {"count", 3}, {"type", "SCALAR"}}}},
        {"bufferViews",
         {{{"buffer", 0}, {"byteLength", 36}},
          {{"buffer", 0}, {"byteOffset", 36}, {"byteLength", 6}}}},
        {"buffers", {{{"byteLength", 44}}}}};
}

std::string triangleData() {
    std::string data;
    for (const float value : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F})
        data += littleEndian(value);
    return data + littleEndian(0, 2) + littleEndian(1, 2) + littleEndian(2, 2) +
           std::string(2, '\0');
}

TEST(GlbFile, placesMeshesByTheirNodes) {
    const LoadedMesh mesh = decoded(glb(triangleDocument(), triangleData()), "a.glb");
    EXPECT_THAT(mesh.vertices,
                ElementsAre(glm::vec3(1, 0, 0), glm::vec3(3, 0, 0), glm::vec3(1, 2, 0)));
    EXPECT_THAT(mesh.faces, ElementsAre(glm::u32vec3(0, 1, 2)));
}

TEST(GlbFile, reversesFaces_whenItsNodesMirror) {
    nlohmann::json mirrored = triangleDocument();
    mirrored["nodes"][1]["scale"] = {-2, 2, 2};
    EXPECT_THAT(decoded(glb(mirrored, triangleData()), "a.glb").faces,
                ElementsAre(glm::u32vec3(0, 2, 1)));
    mirrored["nodes"][0]["scale"] = {1, -1, 1};  // mirrored twice
    EXPECT_THAT(decoded(glb(mirrored, triangleData()), "a.glb").faces,
                ElementsAre(glm::u32vec3(0, 1, 2)));
}

TEST(GlbFile, isNotScaled_whenARotationIsNotOfLengthOne) {
    nlohmann::json turned = triangleDocument();
    turned["nodes"][1]["rotation"] = {0, 0, 2, 2};  // a rotation of 90° around z
    const LoadedMesh mesh = decoded(glb(turned, triangleData()), "a.glb");
    EXPECT_LT(glm::distance(mesh.vertices[1], glm::vec3(1, 2, 0)), 1e-6F);
    EXPECT_LT(glm::distance(mesh.vertices[2], glm::vec3(-1, 0, 0)), 1e-6F);
}

TEST(GlbFile, countsInstancesAsLeftOut) {
    nlohmann::json instanced = triangleDocument();
    instanced["extensionsUsed"] = {"EXT_mesh_gpu_instancing"};
    instanced["nodes"][1]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"] = 0;
    const LoadedMesh mesh = decoded(glb(instanced, triangleData()), "a.glb");
    EXPECT_THAT(mesh.vertices, SizeIs(3));
    EXPECT_EQ(leftOutText(mesh), "3 repetitions of meshes by EXT_mesh_gpu_instancing are left out");
}

TEST(GlbFile, isReadWhole_whenLongerThanDeclared) {
    const std::string whole = glb(triangleDocument(), triangleData());
    const LoadedMesh mesh = decoded(whole, "a.glb");
    const std::string tooFew = std::string(whole).replace(8, 4, littleEndian(20U));
    for (const std::string& longer :
         {tooFew, whole + std::string(4, '\0'), whole + std::string(16, 'x'), whole + whole}) {
        const LoadedMesh read = decoded(longer, "a.glb");
        EXPECT_EQ(read.vertices, mesh.vertices);
        EXPECT_EQ(read.faces, mesh.faces);
    }
    const std::string cut = whole.substr(0, whole.size() - 1);
    EXPECT_THROW(decoded(cut, "a.glb"), FormatError);
}

TEST(MeshFormats, haveOneRowEach_withNameAndAbilities) {
    for (const MeshFormat format : meshFormats()) {
        const MeshFormatInfo& info = infoOf(format);
        SCOPED_TRACE(std::string(info.names));
        EXPECT_TRUE(info.recognises != nullptr && info.decode != nullptr);
        EXPECT_EQ(meshFormatFromExtension(meshFormatExtension(format)), format);
    }
    EXPECT_EQ(meshFormatNames(" and "), "OBJ, PLY, STL, GLB, glTF, OFF, XYZ, NPY and NPZ");
    EXPECT_EQ(meshFormatNames(" or ", mesh_format_filters::withFaces),
              "OBJ, PLY, STL, GLB, glTF or OFF");
    EXPECT_THAT(meshExtensions(mesh_format_filters::writable),
                ElementsAre(".obj", ".ply", ".stl", ".glb", ".gltf", ".xyz"));
    EXPECT_EQ(meshFormatFromExtension(".GLTF"), MeshFormat::glb);
    EXPECT_FALSE(meshFormatFromExtension(""));
}

TEST(MeshFiles, restoreWrittenMeshes) {
    const test::TempFolder folder;
    const Mesh mesh = tetrahedron();
    const std::vector<glm::vec3> colours = {{0, 0, 0}, {1, 0.4F, 0.2F}, {0.2F, 0.6F, 1}, {1, 1, 1}};
    for (const MeshFormat format :
         {MeshFormat::obj, MeshFormat::xyz, MeshFormat::ply, MeshFormat::stl, MeshFormat::glb}) {
        SCOPED_TRACE(std::string(meshFormatExtension(format)));
        const auto file = folder / "mesh.bin";  // an extension that names no format
        writeMesh(file, format, mesh, {colours, {}});
        const LoadedMesh read = readMesh(file);
        EXPECT_EQ(read.format, format);
        EXPECT_EQ(read.faces.size(), infoOf(format).carriesFaces ? 4U : 0U);
        // STL stores no shared vertices, so the reader numbers vertices in the order of the faces.
        if (format == MeshFormat::stl) {
            ASSERT_THAT(read.vertices, SizeIs(4));
            for (std::size_t i = 0; i < 4; ++i)
                for (int corner = 0; corner < 3; ++corner)
                    EXPECT_EQ(read.vertices[read.faces[i][corner]],
                              mesh.vertices[mesh.faces[i][corner]]);
            continue;
        }
        EXPECT_EQ(read.vertices, mesh.vertices);
        EXPECT_EQ(read.faces, infoOf(format).carriesFaces ? mesh.faces : Faces());
        ASSERT_EQ(read.colours.size(), infoOf(format).carriesColours ? 4U : 0U);
        for (std::size_t i = 0; i < read.colours.size(); ++i)
            for (int c = 0; c < 3; ++c) EXPECT_NEAR(read.colours[i][c], colours[i][c], 1e-4);
    }
}

TEST(MeshFiles, areCancelled_andReportTheirProgress) {
    std::string text;
    while (text.size() < 3'000'000) text += "v 0.123456 0.123456 0.123456\n";
    float last = -1;
    MeshReadOptions reading;
    reading.onProgress = [&](float fraction) {
        EXPECT_GE(fraction, last);
        last = fraction;
    };
    decodeMesh(asBytes(text), "a.obj", reading);
    EXPECT_GT(last, 0.5F);
    std::stop_source stop;
    stop.request_stop();
    reading.cancel = stop.get_token();
    EXPECT_THROW(decodeMesh(asBytes(text), "a.obj", reading), Cancelled);
}

TEST(MeshFiles, areCancelledAmongTheElementsOfAGlb) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < 300'000; ++i) {
        mesh.vertices.emplace_back(i % 7, i % 11, i % 13);
        mesh.faces.emplace_back(i, (i + 1) % 300'000, (i + 2) % 300'000);
    }
    const test::TempFolder folder;
    writeMesh(folder / "a.glb", MeshFormat::glb, mesh, {});
    std::stop_source stop;
    int reports = 0;
    MeshReadOptions reading;
    reading.cancel = stop.get_token();
    reading.onProgress = [&](float fraction) {
        EXPECT_LE(fraction, 1);
        if (++reports == 3) stop.request_stop();
    };
    EXPECT_THROW(readMesh(folder / "a.glb", reading), Cancelled);
    EXPECT_EQ(reports, 3);
}

struct Broken {
    const char* title;
    const char* name;
    std::string bytes;
    const char* words;  ///< part of the error message
};

std::string shortened(std::string bytes, std::size_t by) {
    bytes.resize(bytes.size() - by);
    return bytes;
}

std::string withDocument(void (*change)(nlohmann::json&)) {
    nlohmann::json document = triangleDocument();
    change(document);
    return glb(document, triangleData());
}

std::vector<Broken> brokenFiles() {
    const std::string ply = "ply\nformat ascii 1.0\n";
    const std::string binary = "ply\nformat binary_little_endian 1.0\n";
    const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
    const std::string faces = "property list uchar int vertex_indices\nend_header\n";
    const std::string stl = encodeMesh(MeshFormat::stl, tetrahedron());
    const std::string glbFile = glb(triangleDocument(), triangleData());
    return {
        {"empty", "a.obj", "", "the file is empty"},
        {"foreign", "a.png", "\x89PNG\r\n\x1a\n", "is no mesh"},
        {"prose", "a.obj", "this is no mesh\n", "line 1: 'this' is not a valid OBJ statement"},
        {"comments", "a.obj", "# nothing\n", "holds no vertices"},
        {"objWord", "a.obj", "v 0 0 0\nv 1 two 0\n", "line 2: 'two' is not a number"},
        {"objNan", "a.obj", "v 0 nan 0\n", "holds no point that is finite"},
        {"objHuge", "a.obj", "v 0 1e99 0\n", "line 1: '1e99' is beyond the range"},
        {"objShort", "a.obj", "v 0 0\n", "line 1: ends here; expected a coordinate"},
        {"objZero", "a.obj", "v 0 0 0\nf 0 1 1\n", "line 2: a face names the vertex 0"},
        {"objBeyond", "a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 9\n",
         "line 3: a face names the vertex 9, but the number of vertices is 2"},
        {"objBefore", "a.obj", "v 0 0 0\nf -1 -2 -1\n", "line 2: a face names the vertex -2"},
        {"objMany", "a.obj", "v 0 0 0\nf 1 99999999999999999999 1\n", "is not a whole number"},
        {"xyzTwo", "a.xyz", "0 0 0\n1 1\n", "line 2: 2 numbers, expected 3 as in the first row"},
        {"xyzWord", "a.xyz", "0 0 zero\n", "line 1: 'zero' is not a number"},
        {"plyEnds", "a.ply", "ply\nformat ascii 1.0\n", "no 'end_header'"},
        {"plyFormat", "a.ply", "ply\nformat utf8 1.0\n", "line 2: the format 'utf8'"},
        {"plyCount", "a.ply", binary + "element vertex 4000000000\n" + xyz + "end_header\n1234",
         "line 3: 4000000000 elements 'vertex' are declared"},
        {"plyTextCount", "a.ply", ply + "element vertex 4000000000\n" + xyz + "end_header\n0 0 0",
         "4000000000 elements 'vertex' are declared"},
        {"plyNegative", "a.ply", ply + "element vertex -1\n", "line 3: -1 elements"},
        {"plyNoZ", "a.ply", ply + "element vertex 1\nproperty float x\nend_header\n0\n",
         "have no properties x, y and z"},
        {"plyTruncated", "a.ply", binary + "element vertex 1\n" + xyz + "end_header\n0123456789",
         "ends in the middle of its data"},
        {"plyNan", "a.ply",
         binary + "element vertex 1\n" + xyz + "end_header\n" + littleEndian(0x7fc00000U) +
             littleEndian(0U) + littleEndian(0U),
         "holds no point that is finite"},
        {"plyIndex", "a.ply",
         ply + "element vertex 1\n" + xyz + "element face 1\n" + faces + "0 0 0\n3 0 0 7\n",
         "names the vertex 7, but the number of vertices is 1"},
        {"plyList", "a.ply",
         binary + "element vertex 1\n" + xyz + "element face 1\n" +
             "property list uint int vertex_indices\nend_header\n" + std::string(12, '\0') +
             littleEndian(0xffffffffU),
         "a list of 4294967295 values"},
        {"plyMoreFaces", "a.ply",
         ply + "element vertex 3\n" + xyz + "element face 1\n" + faces +
             "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 2 1 0\n",
         "line 14: '3' follows the last element that the header declares"},
        {"plyFraction", "a.ply",
         ply + "element vertex 3\n" + xyz + "element face 1\n" + faces +
             "0 0 0\n1 0 0\n0 1 0\n3 0 1 1.9\n",
         "line 13: a face names the vertex 1.9"},
        {"plyLength", "a.ply",
         ply + "element vertex 3\n" + xyz + "element face 1\n" + faces +
             "0 0 0\n1 0 0\n0 1 0\n3.5 0 1 2\n",
         "line 13: a list of 3.5 values"},
        {"offMoreFaces", "a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 2 1 0\n",
         "line 7: '3' follows the last of the 1 faces"},
        {"plyType", "a.ply", ply + "element vertex 1\nproperty quad x\n", "line 4: 'quad'"},
        {"stlShort", "a.stl", shortened(stl, 7), "byte 80: 4 triangles are declared"},
        {"stlNan", "a.stl",
         std::string(80, ' ') + littleEndian(1U) + std::string(12, '\0') +
             littleEndian(0x7f800000U) + std::string(34, '\0'),
         "holds no point that is finite"},
        {"stlText", "a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1",
         "the file ends here; expected a coordinate"},
        {"stlWord", "a.stl", "solid\nfacet normal 0 0 1\nouter ring\n",
         "line 3: found 'ring'; expected 'loop'"},
        {"glbVersion", "a.glb", "glTF" + littleEndian(1U) + littleEndian(12U), "is glTF version 1"},
        {"glbShort", "a.glb", shortened(glbFile, 9), "byte 8: declares"},
        {"glbNotJson", "a.glb",
         "glTF" + littleEndian(2U) + littleEndian(24U) + littleEndian(4U) + "JSON{{{{    ",
         "the JSON chunk is not JSON"},
        {"glbDeep", "a.glb", withDocument([](auto& json) {
             auto* inner = &json["extras"];
             for (int i = 0; i < 70; ++i) inner = &(*inner)["deeper"];
             *inner = 1;
         }),
         "the JSON chunk is nested more than 64 deep"},
        {"glbCount", "a.glb",
         withDocument([](auto& json) { json["accessors"][0]["count"] = 4000000000U; }),
         "accessors[0]: 4000000000 elements do not fit"},
        {"glbView", "a.glb",
         withDocument([](auto& json) { json["bufferViews"][0]["byteOffset"] = 1U << 30U; }),
         "needs 36 bytes from byte 1073741824 on"},
        {"glbStride", "a.glb",
         withDocument([](auto& json) { json["bufferViews"][0]["byteStride"] = ~0ULL; }),
         "elements do not fit"},
        {"glbIndex", "a.glb", withDocument([](auto& json) { json["accessors"][0]["count"] = 2; }),
         "a face names the vertex 2, but the number of vertices is 2"},
        {"glbCircle", "a.glb", withDocument([](auto& json) { json["nodes"][1]["children"] = {0}; }),
         "has more than one parent"},
        {"glbVersionOfAsset", "a.glb",
         withDocument([](auto& json) { json["asset"]["version"] = "1.0"; }),
         "asset.version: is glTF version 1.0, but only version 2.0 is supported"},
        {"glbMinVersion", "a.glb", withDocument([](auto& json) {
             json["asset"] = {{"version", "2.3"}, {"minVersion", "2.1"}};
         }),
         "asset.minVersion: is glTF version 2.1"},
        {"glbPerspective", "a.glb", withDocument([](auto& json) {
             json["nodes"][1]["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.5, 0, 0, 0, 1};
         }),
         "nodes[1]: has a matrix with a perspective"},
        {"glbNoRotation", "a.glb", withDocument([](auto& json) {
             json["nodes"][1]["rotation"] = {0, 0, 0, 0};
         }),
         "nodes[1]: has a rotation of length 0, expected 1"},
        {"gltfTwice", "a.gltf", R"({"asset": {"version": "2.0"}, "nodes": [{}], "nodes": []})",
         "the JSON chunk has the key 'nodes' twice in one object"},
        {"glbDraco", "a.glb", withDocument([](auto& json) {
             json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
         }),
         "requires 'KHR_draco_mesh_compression'"},
        {"glbType", "a.glb", withDocument([](auto& json) { json["nodes"] = "none"; }), "nodes"},
        {"glbNegative", "a.glb", withDocument([](auto& json) { json["nodes"][0]["mesh"] = -1; }),
         "a natural number is expected"},
    };
}

class BrokenMesh : public testing::TestWithParam<Broken> {};

TEST_P(BrokenMesh, isRefusedWithItsReason) {
    const Broken& file = GetParam();
    // A copy of exactly the file's size, so that a sanitizer detects reads beyond it.
    const auto exact = std::make_unique<std::byte[]>(file.bytes.size());
    if (!file.bytes.empty()) std::memcpy(exact.get(), file.bytes.data(), file.bytes.size());
    try {
        decodeMesh({exact.get(), file.bytes.size()}, file.name);
        FAIL() << "was read";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(file.words));
        EXPECT_EQ(error.report().subject, file.name);
        EXPECT_FALSE(error.report().remedy.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(All, BrokenMesh, testing::ValuesIn(brokenFiles()),
                         [](const auto& file) { return std::string(file.param.title); });

TEST(XyzFile, takesColumnNamesOfAComment) {
    const LoadedMesh named = decoded("# nx ny nz x y z\n0 0 1 5 6 7\n0 1 0 8 9 10\n", "a.xyz");
    EXPECT_EQ(named.vertices[0], glm::vec3(5, 6, 7));
    EXPECT_EQ(named.normals[1], glm::vec3(0, 1, 0));
    // A comment is a sentence unless it names every column.
    const LoadedMesh sentence = decoded("# from z y x scans\n1 2 3\n4 5 7\n", "a.xyz");
    EXPECT_EQ(sentence.vertices[0], glm::vec3(1, 2, 3));
    const LoadedMesh reversedOrder = decoded("#z,y,x\n# made in 2020\n1 2 3\n4 5 7\n", "a.xyz");
    EXPECT_EQ(reversedOrder.vertices[0], glm::vec3(3, 2, 1));
}

TEST(MeshFiles, tellPointsApart_thatFloatsRoundToOne) {
    for (const double far : {300.0, 1000.0, 10'000.0}) {
        std::string rows;
        for (int i = 0; i < 50; ++i)
            rows += fmt::format("{:.9f} {:.9f} {:.9f}\n", far + 1e-7 * i, far - 2e-7 * i, far);
        for (const std::string& text : {rows, rows + "0 0 0\n"}) {
            const LoadedMesh mesh = decoded(text, "a.xyz");
            for (std::size_t i = 0; i < 50; ++i) {
                const auto step = static_cast<double>(i);
                EXPECT_NEAR(mesh.positionOf(i).x, far + 1e-7 * step, 1e-11);
                EXPECT_NEAR(mesh.positionOf(i).y, far - 2e-7 * step, 1e-11);
            }
        }
    }
    // Points that coincide in the file have the same origin as a single point.
    const LoadedMesh coinciding = decoded("5000.3 0 0\n5000.3 0 0\n", "a.xyz");
    EXPECT_EQ(coinciding.origin, glm::dvec3(0.0));
    EXPECT_EQ(coinciding.vertices[1], glm::vec3(5000.3F, 0, 0));
}

TEST(MeshFiles, areReadOrRefused_whenDamagedAtRandom) {
    std::mt19937 random(20190817);
    const auto below = [&](std::size_t end) { return random() % end; };
    std::vector<std::string> files = {glb(triangleDocument(), triangleData())};
    for (const MeshFormat format :
         {MeshFormat::obj, MeshFormat::xyz, MeshFormat::ply, MeshFormat::stl, MeshFormat::glb})
        files.push_back(encodeMesh(format, tetrahedron()));
    for (const std::string& whole : files) {
        for (int round = 0; round < 500; ++round) {
            std::string damaged = whole;
            for (std::size_t i = 0; i < 1 + below(4); ++i)
                damaged[below(damaged.size())] = static_cast<char>(below(256));
            if (below(4) == 0) damaged.resize(below(damaged.size()));
            const auto exact = std::make_unique<std::byte[]>(damaged.size());
            std::memcpy(exact.get(), damaged.data(), damaged.size());
            try {
                const LoadedMesh mesh = decodeMesh({exact.get(), damaged.size()}, "input");
                EXPECT_FALSE(mesh.vertices.empty());
                for (const glm::u32vec3& face : mesh.faces)
                    for (int corner = 0; corner < 3; ++corner)
                        ASSERT_LT(face[corner], mesh.vertices.size());
            } catch (const Error& error) {
                EXPECT_FALSE(error.report().remedy.empty()) << error.what();
            }
        }
    }
}

}  // namespace
}  // namespace threefold
