#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_writing.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "tests/engine/formats/mesh_bytes.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using test::glb;
using test::littleEndian;
using test::tetrahedron;
using test::triangleData;
using test::triangleDocument;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

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
