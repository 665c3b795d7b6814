#include "engine/formats/textured_mesh.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/materials.h"
#include "engine/formats/mesh_writers.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void write(const std::filesystem::path& file, std::string_view text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

constexpr const char* kSquareAndTriangle =
    "mtllib my colours.mtl\n"
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n"
    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
    "usemtl paint\nf 1/1 2/2 3/3 4/4\n"
    "usemtl plain red\nf 1 2 5\nusemtl unknown\nf -5//1 -4//1 -1//1\n";

TEST(Materials, readColourAndTexture) {
    const auto materials = parseMaterials(
        "# made by hand\nnewmtl a\nKd 0.1 0.2 0.3\nKs 1 1 1\nmap_Kd -s 2 2 1 wood grain.png\n"
        "newmtl b\r\nKd 2 -1 x\r\nunknown 3\n");
    ASSERT_EQ(materials.size(), 2U);
    EXPECT_EQ(materials.at("a").diffuse, glm::vec3(0.1F, 0.2F, 0.3F));
    EXPECT_EQ(materials.at("a").texture, "wood grain.png");
    EXPECT_EQ(materials.at("b").diffuse, glm::vec3(1, 0, 0));
    EXPECT_EQ(materials.at("b").texture, "");
    EXPECT_THAT(parseMaterials(""), testing::SizeIs(testing::Le(1)));
}

TEST(TexturedMesh, hasTheColoursOfItsLibrary) {
    const TempFolder folder;
    write(folder / "mesh.obj", kSquareAndTriangle);
    write(folder / "my colours.mtl",
          "newmtl paint\nmap_Kd ..\\elsewhere\\dots.png\nnewmtl plain red\nKd 1 0 0\n");
    writePng(folder / "dots.png", {1, 2, {9, 8, 7, 255, 6, 5, 4, 255}});
    const TexturedMesh mesh = readTexturedMesh(folder / "mesh.obj");
    ASSERT_EQ(mesh.mesh.faces.size(), 4U);
    ASSERT_EQ(mesh.materialOfFace.size(), 4U);
    ASSERT_EQ(mesh.coordinates.size(), 12U);
    ASSERT_EQ(mesh.textures.size(), 1U);
    EXPECT_EQ(mesh.textures[0].height, 2);
    for (std::size_t face = 0; face < 2; ++face) {
        EXPECT_EQ(mesh.materials.at(mesh.materialOfFace[face]).texture, 0);
        for (std::size_t k = 0; k < 3; ++k) {  // the coordinates are the places
            const glm::vec3 vertex = mesh.mesh.vertices[mesh.mesh.faces[face][static_cast<int>(k)]];
            EXPECT_EQ(mesh.coordinates[3 * face + k], glm::vec2(vertex.x, vertex.y));
        }
    }
    EXPECT_EQ(mesh.materials.at(mesh.materialOfFace[2]).colour, glm::vec3(1, 0, 0));
    EXPECT_EQ(mesh.materials.at(mesh.materialOfFace[2]).texture, Material::kNoTexture);
    EXPECT_EQ(mesh.materialOfFace[3], kNoMaterial);
    EXPECT_EQ(mesh.coordinates[11], glm::vec2(0));
    EXPECT_THAT(mesh.missing, ElementsAre(HasSubstr("'unknown'")));
}

TEST(TexturedMesh, saysWhatIsMissing_andKeepsTheShape) {
    const TempFolder folder;
    write(folder / "mesh.obj", kSquareAndTriangle);
    const TexturedMesh bare = readTexturedMesh(folder / "mesh.obj");
    EXPECT_EQ(bare.mesh.faces.size(), 4U);
    EXPECT_EQ(bare.materialOfFace, std::vector<std::uint32_t>(4, kNoMaterial));
    EXPECT_THAT(bare.missing, testing::Contains(HasSubstr("'colours.mtl' is not there")));

    write(folder / "my colours.mtl", "newmtl paint\nKd 0 1 0\nmap_Kd dots.png\n");
    write(folder / "dots.png", "no picture");
    const TexturedMesh broken = readTexturedMesh(folder / "mesh.obj");
    EXPECT_THAT(broken.missing, testing::Contains(HasSubstr("dots.png")));
    EXPECT_EQ(broken.materials.at(broken.materialOfFace[0]).colour, glm::vec3(0, 1, 0));
    EXPECT_EQ(broken.materials.at(broken.materialOfFace[0]).texture, Material::kNoTexture);
}

TEST(TexturedMesh, livesWithBrokenCoordinates) {
    const TempFolder folder;
    write(folder / "mesh.obj",
          "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt x\nf 1/1 2/9999999999 3/-7\nf 1/ 2/ 3/\n");
    const TexturedMesh mesh = readTexturedMesh(folder / "mesh.obj");
    EXPECT_EQ(mesh.mesh.faces.size(), 2U);
    EXPECT_THAT(mesh.missing, ElementsAre(HasSubstr("line 4")));
    EXPECT_THAT(mesh.coordinates, IsEmpty());
    write(folder / "mesh.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt .5\nf 1/1 2/999999999 3/-7\n");
    EXPECT_THAT(readTexturedMesh(folder / "mesh.obj").coordinates,
                ElementsAre(glm::vec2(0.5F, 0), glm::vec2(0), glm::vec2(0)));
}

TEST(TexturedMesh, isReadMesh_whereThereAreNoMaterials) {
    const TempFolder folder;
    write(folder / "mesh.obj", "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nf 1 2 3\n");
    const TexturedMesh mesh = readTexturedMesh(folder / "mesh.obj");
    EXPECT_EQ(mesh.mesh.colours.size(), 3U);
    EXPECT_THAT(mesh.missing, IsEmpty());
    EXPECT_THAT(mesh.coordinates, IsEmpty());
    EXPECT_EQ(mesh.materialOfFace, std::vector<std::uint32_t>(1, kNoMaterial));
    EXPECT_THROW(readTexturedMesh(folder / "none.obj"), IoError);
}

/// A little-endian number of four bytes.
std::string fourBytes(std::size_t value) {
    std::string bytes;
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift);
    return bytes;
}

/// The GLB with another JSON, which `change` makes of its own.
template <class Change>
std::string withJson(const std::string& glb, Change change) {
    const auto byte = [&](std::size_t at) {
        return static_cast<std::size_t>(static_cast<unsigned char>(glb[at]));
    };
    const std::size_t length = byte(12) | byte(13) << 8 | byte(14) << 16;
    nlohmann::json json = nlohmann::json::parse(glb.substr(20, length));
    change(json);
    std::string text = json.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::string rest = glb.substr(20 + length);
    return glb.substr(0, 8) + fourBytes(20 + text.size() + rest.size()) + fourBytes(text.size()) +
           "JSON" + text + rest;
}

TEST(TexturedMesh, hasTheColourOfAGlbsMaterial) {
    const TempFolder folder;
    const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
    const std::string glb = encodeMesh(MeshFormat::glb, mesh);
    const auto colours = [&](auto change) {
        write(folder / "mesh.glb", withJson(glb, change));
        return readTexturedMesh(folder / "mesh.glb").mesh.colours;
    };
    EXPECT_THAT(colours([](auto&) {}), IsEmpty());
    const auto red = [](nlohmann::json& json) {
        json["materials"] = {
            {{"pbrMetallicRoughness", {{"baseColorFactor", {1.0, 0.0, 0.214, 1.0}}}}}};
        json["meshes"][0]["primitives"][0]["material"] = 0;
    };
    const std::vector<glm::vec3> seen = colours(red);
    ASSERT_EQ(seen.size(), 3U);
    EXPECT_NEAR(seen[1].x, 1, 1e-6);
    EXPECT_EQ(seen[1].y, 0);
    EXPECT_NEAR(seen[1].z, 0.5, 1e-3);  // sRGB-encoded
    EXPECT_THROW(colours([&](nlohmann::json& json) {
                     red(json);
                     json["meshes"][0]["primitives"][0]["material"] = 7;
                 }),
                 FormatError);
    EXPECT_THROW(colours([&](nlohmann::json& json) {
                     red(json);
                     json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = {1};
                 }),
                 FormatError);
}

}  // namespace
}  // namespace threefold::test
