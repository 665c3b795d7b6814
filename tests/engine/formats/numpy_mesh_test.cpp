// Points and meshes in .npz archives that the tests write entry by entry.

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_files.h"

namespace threefold {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string little(std::size_t value, std::size_t width) {
    std::string bytes;
    for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xffU);
    return bytes;
}

template <class Value>
std::string npy(const char* type, const std::vector<Value>& values, const std::string& shape) {
    std::string header =
        std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize((header.size() + 74) / 64 * 64 - 11, ' ');
    header += '\n';
    std::string data(values.size() * sizeof(Value), '\0');
    if (!data.empty()) std::memcpy(data.data(), values.data(), data.size());
    return std::string("\x93NUMPY\1\0", 8) + little(header.size(), 2) + header + data;
}

std::string deflated(const std::string& content) {
    z_stream stream{};
    deflateInit2(&stream, 1, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, content.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

using Entries = std::vector<std::pair<std::string, std::string>>;

std::string npz(const Entries& entries, bool packed = false) {
    std::string file;
    std::string table;
    for (const auto& [name, content] : entries) {
        const auto sum = crc32(0, reinterpret_cast<const Bytef*>(content.data()),
                               static_cast<uInt>(content.size()));
        const std::string data = packed ? deflated(content) : content;
        const std::string common = little(20, 2) + little(0, 2) + little(packed ? 8 : 0, 2) +
                                   little(0, 4) + little(sum, 4) + little(data.size(), 4) +
                                   little(content.size(), 4) + little(name.size() + 4, 2) +
                                   little(0, 2);
        table += "PK\1\2" + little(20, 2) + common + little(0, 2) + little(0, 2) + little(0, 2) +
                 little(0, 4) + little(file.size(), 4) + name + ".npy";
        file += "PK\3\4" + common + name + ".npy" + data;
    }
    return file + table + "PK\5\6" + little(0, 4) + little(entries.size(), 2) +
           little(entries.size(), 2) + little(table.size(), 4) + little(file.size(), 4) +
           little(0, 2);
}

LoadedMesh decoded(const Entries& entries) {
    return decodeMesh(asBytes(npz(entries)), "truth.npz");
}

const std::string kTriangle = npy<float>("<f4", {0, 0, 0, 1, 0, 0, 0, 1, 0}, "(3, 3)");

TEST(NpzMesh, readsPoints_underAnyName) {
    for (const char* name : {"points", "vertices", "xyz", "arr_0", "whatever"}) {
        SCOPED_TRACE(name);
        const LoadedMesh cloud = decoded({{name, kTriangle}});
        EXPECT_EQ(cloud.format, MeshFormat::npz);
        EXPECT_THAT(cloud.vertices,
                    ElementsAre(glm::vec3(0, 0, 0), glm::vec3(1, 0, 0), glm::vec3(0, 1, 0)));
        EXPECT_TRUE(cloud.faces.empty() && cloud.normals.empty() && cloud.unreadContent.empty());
    }
}

TEST(NpzMesh, readsNormalsAndFaces) {
    const LoadedMesh mesh =
        decoded({{"vertices", kTriangle},
                 {"normals", npy<double>("<f8", {0, 0, 1, 0, 0, 1, 0, 0, 1}, "(3, 3)")},
                 {"faces", npy<std::int64_t>("<i8", {0, 1, 2, 1, 1, 2}, "(2, 3)")},
                 {"colour", npy<float>("<f4", {1}, "(1,)")}});
    EXPECT_THAT(mesh.faces, ElementsAre(glm::u32vec3(0, 1, 2)));
    EXPECT_EQ(mesh.normals, Points(3, {0, 0, 1}));
    EXPECT_EQ(mesh.unreadContent, (std::map<std::string, std::size_t>{
                                      {"other arrays", 1}, {"triangles without area", 1}}));
    EXPECT_THAT(decoded({{"points", npy<float>("<f4", {1, 2, 3, 0, 0, 1}, "(1, 6)")}}).normals,
                ElementsAre(glm::vec3(0, 0, 1)));
}

TEST(NpzMesh, countsNormalsAsIgnored_whenTheyDoNotFitThePoints) {
    const LoadedMesh cloud =
        decoded({{"points", kTriangle}, {"normals", npy<float>("<f4", {0, 0, 1}, "(1, 3)")}});
    EXPECT_TRUE(cloud.normals.empty());
    EXPECT_EQ(cloud.unreadContent, (std::map<std::string, std::size_t>{{"normals", 1}}));
}

TEST(NpzMesh, splitsQuads) {
    const std::string square = npy<float>("<f4", {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, "(4, 3)");
    const LoadedMesh mesh = decoded(
        {{"vertices", square}, {"faces", npy<std::int64_t>("<i8", {0, 1, 2, 3}, "(1, 4)")}});
    EXPECT_THAT(mesh.faces, ElementsAre(glm::u32vec3(0, 1, 2), glm::u32vec3(0, 2, 3)));
    EXPECT_THROW(decoded({{"vertices", square},
                          {"faces", npy<std::int64_t>("<i8", {0, 1, 2, 4}, "(1, 4)")}}),
                 FormatError);
}

TEST(NpzMesh, readsPackedPoints_butNotMoreThanMemoryAllows) {
    const std::string packed = npz({{"points", kTriangle}}, true);
    EXPECT_EQ(decodeMesh(asBytes(packed), "truth.npz").vertices.size(), 3U);
    const auto refusal = [](std::size_t rows) {
        const std::vector<std::uint8_t> zeros(rows * 3);
        const std::string file =
            npz({{"points", npy("|u1", zeros, "(" + std::to_string(rows) + ", 3)")}}, true);
        try {
            decodeMesh(asBytes(file), "truth.npz");
        } catch (const FormatError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refusal(4'000'000), HasSubstr("unpacks to 4000000 points, which take 148 MB"));
    EXPECT_THAT(refusal(14'000'000), HasSubstr("entry 'points.npy': "));
}

struct RefusedArrays {
    const char* title;
    Entries entries;
    const char* words;
};

class NpzMeshRefusal : public testing::TestWithParam<RefusedArrays> {};

TEST_P(NpzMeshRefusal, givesTheReason) {
    try {
        decoded(GetParam().entries);
        FAIL() << "was read";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(GetParam().words));
        EXPECT_EQ(error.report().subject, "truth.npz");
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, NpzMeshRefusal,
    testing::Values(
        RefusedArrays{"twoClouds",
                      {{"a", kTriangle}, {"b", kTriangle}},
                      "no array that can be identified as the points: 'a' [3, 3], 'b' [3, 3]. Save "
                      "the points "
                      "under the name 'points'"},
        RefusedArrays{"pointsAndVertices",
                      {{"points", kTriangle}, {"vertices", kTriangle}},
                      "has the arrays 'points' and 'vertices', either of which could be the "
                      "points. Save one of them alone"},
        RefusedArrays{"weights", {{"w", npy<float>("<f4", {1, 2}, "(2,)")}}, "'w' [2]"},
        RefusedArrays{"nothing", {}, "no array that can be identified as the points: none"},
        RefusedArrays{
            "shape", {{"points", npy<float>("<f4", {1, 2}, "(1, 2)")}}, "'points' [1, 2]"},
        RefusedArrays{"empty", {{"points", npy<float>("<f4", {}, "(0, 3)")}}, "holds no vertices"},
        RefusedArrays{"nan",
                      {{"points", npy<float>("<f4", {0, std::numeric_limits<float>::quiet_NaN(), 0},
                                             "(1, 3)")}},
                      "holds no point that is finite"},
        RefusedArrays{"huge", {{"points", npy<double>("<f8", {0, 1e99, 0}, "(1, 3)")}}, "float32"},
        RefusedArrays{
            "beyond",
            {{"points", kTriangle}, {"faces", npy<std::int32_t>("<i4", {0, 1, 3}, "(1, 3)")}},
            "face 0: names the vertex 3, but the number of vertices is 3"},
        RefusedArrays{
            "negative",
            {{"points", kTriangle}, {"faces", npy<std::int32_t>("<i4", {0, 1, -1}, "(1, 3)")}},
            "names the vertex -1"}),
    [](const auto& refused) { return std::string(refused.param.title); });

}  // namespace
}  // namespace threefold
