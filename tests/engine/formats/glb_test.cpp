#include <cstddef>
#include <string>
#include <string_view>

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_files.h"
#include "tests/engine/formats/mesh_bytes.h"
#include "tests/support/message_of.h"

namespace threefold {
namespace {

using test::glb;
using test::littleEndian;
using test::triangleData;
using test::triangleDocument;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

LoadedMesh decoded(std::string_view text, const char* name) {
    return decodeMesh(asBytes(text), name);
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

TEST(GlbFile, isRefused_whenItHoldsOnlyLines) {
    const std::string text =
        R"({"asset":{"version":"2.0"},"meshes":[{"primitives":[{"mode":3,"attributes":{"POSITION":0}}]}],)"
        R"("accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}],)"
        R"("bufferViews":[{"buffer":0,"byteLength":12}],)"
        R"("buffers":[{"byteLength":12,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAA"}]})";
    try {
        decoded(text, "a.gltf");
        FAIL() << "was read";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("lines alone"));
    }
}

TEST(GlbFile, explainsARefusal_inTermsOfGlTf) {
    const auto refusal = [](const std::string& mode) {
        const std::string text = R"({"asset":{"version":"2.0"},"meshes":[{"primitives":[{"mode":)" +
                                 mode + R"(,"attributes":{"POSITION":0}}]}]})";
        return test::messageOf<Error>([&] { decoded(text, "a.gltf"); });
    };
    EXPECT_THAT(refusal("7"), HasSubstr("mode 7, expected 0 to 6"));
    EXPECT_THAT(refusal("-1"), testing::AllOf(HasSubstr("a natural number is expected"),
                                              testing::Not(HasSubstr("json.exception"))));
}

}  // namespace
}  // namespace threefold
