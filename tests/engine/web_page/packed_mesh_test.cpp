#include "engine/web_page/packed_mesh.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/data_uri.h"

namespace threefold {
namespace {

constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

/// Reads the output of packMesh() as the page's script does.
struct Unpacker {
    const std::string& bytes;
    std::size_t at = 0;

    unsigned nextByte() { return static_cast<unsigned char>(bytes.at(at++)); }
    unsigned next16() {
        const unsigned low = nextByte();
        return low + 256 * nextByte();
    }
    std::int64_t nextDifference() {
        std::int64_t number = 0;
        for (std::int64_t scale = 1;; scale *= 128) {
            const unsigned byte = nextByte();
            number += scale * (byte & 127U);
            if (byte < 128) return number % 2 != 0 ? -(number + 1) / 2 : number / 2;
        }
    }
};

WebMesh tetrahedron() {
    return {.name = "refined",
            .mesh = {{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, -4}},
                     {{0, 2, 1}, {3, 0, 1}, {3, 2, 0}, {1, 2, 3}}}};
}

TEST(PackedMesh, restoresPositions_withinAStepOfTheBox) {
    const WebMesh mesh = tetrahedron();
    const PackedMesh packed = packMesh(mesh);
    Unpacker unpacker{packed.bytes};
    const glm::vec3 size = packed.box.max - packed.box.min;
    for (const glm::vec3& vertex : mesh.mesh.vertices)
        for (int axis = 0; axis < 3; ++axis) {
            const float read =
                packed.box.min[axis] + size[axis] * static_cast<float>(unpacker.next16()) / 65535;
            EXPECT_NEAR(read, vertex[axis], size[axis] / 65535);
        }
}

TEST(PackedMesh, restoresFaces_withAnyFirstCorner) {
    WebMesh mesh = tetrahedron();
    mesh.mesh.vertices.resize(20'000, {0.5F, 0.5F, -1});
    mesh.mesh.faces.emplace_back(19'999, 0, 7000);
    mesh.mesh.faces.emplace_back(1, 19'999, 2);
    const PackedMesh packed = packMesh(mesh);
    Unpacker unpacker{packed.bytes, 6 * mesh.mesh.vertices.size()};
    std::int64_t last = 0;
    for (const glm::u32vec3& face : mesh.mesh.faces) {
        last += unpacker.nextDifference();
        EXPECT_EQ(last, face.x);
        EXPECT_EQ(last + unpacker.nextDifference(), face.y);
        EXPECT_EQ(last + unpacker.nextDifference(), face.z);
    }
    EXPECT_EQ(unpacker.at, packed.bytes.size());
}

TEST(PackedMesh, keepsValues_andMissingOnes) {
    WebMesh mesh = tetrahedron();
    mesh.values = {0.01F, kNoNumber, 0.05F, 0.02F};
    const PackedMesh packed = packMesh(mesh);
    ASSERT_TRUE(packed.values);
    EXPECT_EQ(packed.values->min, 0.01F);
    EXPECT_EQ(packed.values->max, 0.05F);
    EXPECT_FALSE(packed.differences);
    Unpacker unpacker{packed.bytes, 6 * mesh.mesh.vertices.size()};
    EXPECT_EQ(unpacker.next16(), 0U);
    EXPECT_EQ(unpacker.next16(), static_cast<unsigned>(kPackedMissing));
    EXPECT_EQ(unpacker.next16(), static_cast<unsigned>(kMaxPackedValue));
    EXPECT_NEAR(unpacker.next16(), kMaxPackedValue / 4.0, 1);
}

TEST(PackedMesh, keepsValues_whenAllAreEqualOrMissing) {
    WebMesh mesh = tetrahedron();
    mesh.values = {0.5F, 0.5F, 0.5F, 0.5F};
    EXPECT_EQ(packMesh(mesh).values->min, 0.5F);
    mesh.values.assign(4, kNoNumber);
    const PackedMesh packed = packMesh(mesh);
    EXPECT_EQ(Unpacker({packed.bytes, 24}).next16(), static_cast<unsigned>(kPackedMissing));
}

TEST(PackedMesh, storesDifferences_afterTheValues) {
    WebMesh mesh = tetrahedron();
    mesh.values = {1, 2, 3, 4};
    mesh.differences = {-2, 0, 2, 1};
    const PackedMesh packed = packMesh(mesh);
    EXPECT_EQ(packed.differences->min, -2);
    EXPECT_EQ(packed.differences->max, 2);
    Unpacker unpacker{packed.bytes, 8 * mesh.mesh.vertices.size()};
    EXPECT_EQ(unpacker.next16(), 0U);
    EXPECT_EQ(unpacker.next16(), static_cast<unsigned>(kMaxPackedValue / 2));
    EXPECT_EQ(unpacker.next16(), static_cast<unsigned>(kMaxPackedValue));
}

/// A number of the shared data; null is NaN.
float numberIn(const nlohmann::json& value) {
    return value.is_null() ? kNoNumber : value.get<float>();
}

/// Expects packMesh() to write the bytes that tests/web_page/unit/drawing_test.js unpacks with the
/// page's script.
TEST(PackedMesh, writesTheBytes_thatThePagesScriptReads) {
    std::ifstream file(std::filesystem::path(THREEFOLD_TEST_DATA) /
                       "engine/web_page/data/packed_mesh.json");
    const nlohmann::json shared = nlohmann::json::parse(file);
    WebMesh mesh{.name = "refined", .mesh = {}};
    for (const auto& p : shared["positions"])
        mesh.mesh.vertices.emplace_back(numberIn(p[0]), numberIn(p[1]), numberIn(p[2]));
    for (const auto& face : shared["faces"])
        mesh.mesh.faces.emplace_back(face[0].get<unsigned>(), face[1].get<unsigned>(),
                                     face[2].get<unsigned>());
    for (const auto& value : shared["values"]) mesh.values.push_back(numberIn(value));
    for (const auto& value : shared["difference"]) mesh.differences.push_back(numberIn(value));
    for (const auto& each : shared["coordinates"])
        mesh.textureCoordinates.emplace_back(numberIn(each[0]), numberIn(each[1]));
    const PackedMesh packed = packMesh(mesh);
    const nlohmann::json& expected = shared["packed"];
    for (int axis = 0; axis < 3; ++axis) {
        const auto at = static_cast<std::size_t>(axis);
        EXPECT_EQ(packed.box.min[axis], expected["low"][at].get<float>());
        EXPECT_EQ(packed.box.max[axis] - packed.box.min[axis], expected["size"][at].get<float>());
    }
    EXPECT_EQ(packed.values->min, expected["values"][0].get<float>());
    EXPECT_EQ(packed.values->max, expected["values"][1].get<float>());
    EXPECT_EQ(packed.differences->min, expected["difference"][0].get<float>());
    EXPECT_EQ(packed.differences->max, expected["difference"][1].get<float>());
    EXPECT_EQ(encodeBase64(asBytes(packed.bytes)), expected["data"].get<std::string>());
}

TEST(PackedMesh, packsAPlane_whenItsBoxHasNoDepth) {
    const PackedMesh packed = packMesh({.name = "plane", .mesh = {{{0, 0, 3}, {1, 0, 3}}, {}}});
    Unpacker unpacker{packed.bytes, 4};
    EXPECT_EQ(unpacker.next16(), 0U);
    EXPECT_EQ(packed.box.min.z, 3);
}

TEST(PackedMesh, refusesMeshes_whenTheirPartsDisagree) {
    const auto refuses = [](const auto& spoil) {
        WebMesh mesh = tetrahedron();
        spoil(mesh);
        EXPECT_THROW(packMesh(mesh), InputError);
    };
    refuses([](WebMesh& mesh) { mesh.values = {1}; });
    refuses([](WebMesh& mesh) { mesh.differences = {1, 2}; });
    refuses([](WebMesh& mesh) { mesh.textureCoordinates.resize(3); });
    refuses([](WebMesh& mesh) { mesh.mesh.faces[0].y = 4; });
    refuses([](WebMesh& mesh) { mesh.mesh.vertices[2].x = kNoNumber; });
    refuses([](WebMesh& mesh) { mesh.mesh = {}; });
}

}  // namespace
}  // namespace threefold
