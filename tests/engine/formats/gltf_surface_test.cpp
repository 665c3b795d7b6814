#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/referenced_files.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/pictures/image_writers.h"
#include "tests/support/glb_writer.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TexturedMesh decoded(std::string_view bytes) {
    return decodeTexturedMesh(asBytes(bytes), "a.glb", {}, ReferencedFilesOnDisk());
}

std::string pngOf(const Image& image) {
    return std::string(asText(encodePng(image)));
}

/// Image of 2 × 2 pixels.
Image fourPixels() {
    return {2, 2, {10, 20, 30, 255, 40, 50, 60, 128, 70, 80, 90, 0, 100, 110, 120, 255}};
}

void writeText(const std::filesystem::path& file, std::string_view bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

TEST(GltfSurface, hasMaterialTextureAndCoordinates) {
    GlbWriter writer;
    writer.addSquare();
    const auto texture = static_cast<int>(writer.addTexture(pngOf(fourPixels())));
    writer.primitive()["material"] = writer.addMaterial({1, 0.214, 0, 0.25}, texture);
    const TexturedMesh mesh = decoded(writer.glb());
    EXPECT_THAT(mesh.appearance.missing, IsEmpty());
    EXPECT_THAT(mesh.mesh.faces, SizeIs(2));
    EXPECT_THAT(mesh.appearance.materialOfFace, ElementsAre(0, 0));
    const Material& material = mesh.appearance.materials.at(0);
    EXPECT_NEAR(material.colour.x, 1, 1e-6);
    EXPECT_NEAR(material.colour.y, 0.5, 1e-3);  // sRGB-encoded
    EXPECT_EQ(material.opacity, 0.25F);
    EXPECT_EQ(material.alphaMode, AlphaMode::opaque);
    EXPECT_FALSE(material.isUnlit);
    ASSERT_EQ(material.map.texture, 0);
    EXPECT_EQ(mesh.appearance.textures.at(0).rgba, fourPixels().rgba);
    // The square's texture coordinates equal its positions: v points down in glTF, but up in
    // Threefold.
    for (std::size_t i = 0; i < 6; ++i) {
        const glm::vec3 place = mesh.mesh.vertices[mesh.mesh.faces[i / 3][static_cast<int>(i % 3)]];
        EXPECT_EQ(mesh.appearance.textureCoordinates.at(i), glm::vec2(place));
    }
}

TEST(GltfSurface, readsAlphaModesWrappingAndUnlitMaterials) {
    GlbWriter writer;
    writer.addSquare();
    const auto texture = static_cast<int>(writer.addTexture(pngOf(fourPixels())));
    writer.primitive()["material"] = writer.addMaterial({1, 1, 1, 1}, texture);
    writer.json["samplers"] = {{{"wrapS", 33648}, {"wrapT", 33071}}};
    writer.json["textures"][0]["sampler"] = 0;
    json& material = writer.json["materials"][0];
    material["alphaMode"] = "MASK";
    material["alphaCutoff"] = 0.75;
    material["extensions"] = {{"KHR_materials_unlit", json::object()}};
    const Material masked = decoded(writer.glb()).appearance.materials.at(0);
    EXPECT_EQ(masked.alphaMode, AlphaMode::mask);
    EXPECT_EQ(masked.alphaCutoff, 0.75F);
    EXPECT_TRUE(masked.isUnlit);
    EXPECT_EQ(masked.map.wrapS, Wrap::mirror);
    EXPECT_EQ(masked.map.wrapT, Wrap::clamp);
    material["alphaMode"] = "BLEND";
    EXPECT_EQ(decoded(writer.glb()).appearance.materials.at(0).alphaMode, AlphaMode::blend);
}

TEST(GltfSurface, turnsTexturesAsTheirTransformSays) {
    // The example of KHR_texture_transform: the lower left quarter of the image, rotated clockwise.
    GlbWriter writer;
    writer.addSquare();
    const auto texture = static_cast<int>(writer.addTexture(pngOf(fourPixels())));
    writer.primitive()["material"] = writer.addMaterial({1, 1, 1, 1}, texture);
    json& info = writer.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
    info["extensions"]["KHR_texture_transform"] = {
        {"offset", {0, 1}}, {"rotation", 1.57079632679}, {"scale", {0.5, 0.5}}};
    writer.json["extensionsRequired"] = {"KHR_texture_transform"};
    const TextureMap map = decoded(writer.glb()).appearance.materials.at(0).map;
    const auto place = [&](glm::vec2 at) { return map.uvTransform * at + map.uvOffset; };
    const auto expectNear = [](glm::vec2 seen, glm::vec2 expected) {
        EXPECT_NEAR(seen.x, expected.x, 1e-6);
        EXPECT_NEAR(seen.y, expected.y, 1e-6);
    };
    // (0, 0) in glTF maps to (0, 1) in glTF, the lower left corner.
    expectNear(place({0, 1}), {0, 0});
    expectNear(place({1, 1}), {0, 0.5F});  // (1, 0) maps to (0, 0.5): right becomes up
    expectNear(place({0, 0}), {0.5F, 0});  // (0, 1) maps to (0.5, 1)
}

TEST(GltfSurface, usesTheCoordinates_thatTheTextureNames) {
    GlbWriter writer;
    writer.addSquare();
    const auto texture = static_cast<int>(writer.addTexture(pngOf(fourPixels())));
    writer.primitive()["material"] = writer.addMaterial({1, 1, 1, 1}, texture);
    writer.primitive()["attributes"]["TEXCOORD_1"] =
        writer.addAccessor(std::string_view("\0\377\377\377\377\0\0\0", 8), 5121, 4, "VEC2", true);
    json& info = writer.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
    info["texCoord"] = 1;
    const TexturedMesh bytes = decoded(writer.glb());
    EXPECT_EQ(bytes.appearance.textureCoordinates.at(1), glm::vec2(1, 0));
    EXPECT_EQ(bytes.appearance.textureCoordinates.at(2), glm::vec2(1, 1));
    info["texCoord"] = 2;  // the square has no such set, so no coordinates are read
    EXPECT_THAT(decoded(writer.glb()).appearance.textureCoordinates, IsEmpty());
}

TEST(GltfSurface, tintsByVertexColours) {
    GlbWriter writer;
    writer.addSquare();
    writer.addSquare();
    writer.json["nodes"] = {{{"mesh", 0}}, {{"mesh", 1}}};
    writer.primitive(1)["attributes"]["COLOR_0"] =
        writer.addAccessor(std::string_view("\377\0\0\200\377\0\0\200\377\0\0\200\377\0\0\200", 16),
                           5121, 4, "VEC4", true);
    const TexturedMesh mesh = decoded(writer.glb());
    ASSERT_THAT(mesh.appearance.linearColours, SizeIs(8));
    EXPECT_EQ(mesh.appearance.linearColours[0], glm::vec4(1));
    EXPECT_EQ(mesh.appearance.linearColours[4], glm::vec4(1, 0, 0, 128 / 255.0F));
    EXPECT_THAT(mesh.appearance.materialOfFace, ElementsAre(kNoMaterial, kNoMaterial, 0, 0));
    EXPECT_EQ(mesh.appearance.materials.at(0).colour, glm::vec3(1));
}

TEST(GltfSurface, clampsTints_toFractions) {
    GlbWriter writer;
    writer.addSquare();
    writer.primitive()["attributes"]["COLOR_0"] =
        writer.addFloats({NAN, 7, -7, NAN, 0, 0, 0, HUGE_VALF, 1, 1, 1, 1, 0.5F, 0, 0, 0}, "VEC4");
    const TexturedMesh mesh = decoded(writer.glb());
    EXPECT_EQ(mesh.appearance.linearColours.at(0), glm::vec4(0, 1, 0, 0));
    EXPECT_EQ(mesh.appearance.linearColours.at(1), glm::vec4(0, 0, 0, 1));
    EXPECT_EQ(mesh.mesh.colours.at(0), glm::vec3(0, 1, 0));
}

TEST(GltfSurface, usesTheDiffuseColour_ofSpecularGlossiness) {
    GlbWriter writer;
    writer.addSquare();
    writer.primitive()["material"] = 0;
    writer.json["materials"] = {
        {{"extensions",
          {{"KHR_materials_pbrSpecularGlossiness", {{"diffuseFactor", {0, 1, 0, 0.5}}}}}}}};
    const Material material = decoded(writer.glb()).appearance.materials.at(0);
    EXPECT_EQ(material.colour, glm::vec3(0, 1, 0));
    EXPECT_EQ(material.opacity, 0.5F);
}

TEST(GltfSurface, listsMissingTextures) {
    GlbWriter writer;
    writer.addSquare();
    const auto texture = static_cast<int>(writer.addTexture("no picture"));
    writer.primitive()["material"] = writer.addMaterial({1, 0, 0, 1}, texture);
    const TexturedMesh broken = decoded(writer.glb());
    EXPECT_THAT(broken.appearance.missing, ElementsAre(HasSubstr("images[0]")));
    EXPECT_EQ(broken.appearance.materials.at(0).map.texture, TextureMap::kNoTexture);
    EXPECT_EQ(broken.appearance.materials.at(0).colour, glm::vec3(1, 0, 0));

    writer.json["textures"][0] = {{"extensions", {{"KHR_texture_basisu", {{"source", 0}}}}}};
    writer.json["extensionsRequired"] = {"KHR_texture_basisu"};
    EXPECT_THAT(decoded(writer.glb()).appearance.missing,
                ElementsAre(HasSubstr("KHR_texture_basisu")));
    writer.json["textures"][0] = {{"source", 0}};
    writer.json["images"][0] = {{"uri", "none%20there.png"}};
    EXPECT_THAT(decoded(writer.glb()).appearance.missing, ElementsAre(HasSubstr("is not there")));
}

TEST(GltfSurface, losesOnlyItsColours_whenBroken) {
    GlbWriter writer;
    writer.addSquare();
    const auto texture = static_cast<int>(writer.addTexture(pngOf(fourPixels())));
    writer.primitive()["material"] = writer.addMaterial({1, 1, 1, 1}, texture);
    writer.primitive()["attributes"]["TEXCOORD_0"] = 99;
    const TexturedMesh mesh = decoded(writer.glb());
    EXPECT_THAT(mesh.mesh.faces, SizeIs(2));
    EXPECT_THAT(mesh.appearance.missing, ElementsAre(HasSubstr("accessors[99]")));
    EXPECT_THAT(mesh.appearance.materialOfFace, IsEmpty());
    EXPECT_THAT(mesh.appearance.textures, IsEmpty());
}

TEST(GltfSurface, leavesTexturesOut_whenTooLargeTogether) {
    GlbWriter writer;
    writer.addSquare();
    const Image large{2048, 2048, std::vector<std::uint8_t>(std::size_t{4} << 22)};
    const std::string png = pngOf(large);
    writer.json["meshes"].clear();
    writer.json.erase("nodes");
    for (int i = 0; i < 8; ++i) {
        const std::size_t mesh = writer.addSquare();
        const auto texture = static_cast<int>(writer.addTexture(png));
        writer.primitive(mesh)["material"] = writer.addMaterial({1, 1, 1, 1}, texture);
    }
    writer.json.erase("nodes");
    const TexturedMesh mesh = decoded(writer.glb());
    EXPECT_EQ(mesh.appearance.textures.size() + mesh.appearance.missing.size(), 8U);
    EXPECT_LT(mesh.appearance.textures.size(), 5U);  // 16 MiB each
    EXPECT_THAT(mesh.appearance.missing.back(), HasSubstr("memory"));
}

TEST(GltfFile, isReadWithItsBuffersAndTextures) {
    GlbWriter writer;
    writer.addSquare();
    writer.json["images"] = {{{"uri", "My%20Image.PNG"}}};
    writer.json["textures"] = {{{"source", 0}}};
    writer.primitive()["material"] = writer.addMaterial({1, 1, 1, 1}, 0);
    writer.json["buffers"][0]["uri"] = "data.bin";
    const TempFolder folder;
    writeText(folder / "a.gltf", writer.json.dump(1));
    EXPECT_THAT(messageOf<IoError>([&] { readMesh(folder / "a.gltf"); }), HasSubstr("'data.bin'"));
    writeText(folder / "data.bin", writer.data());
    writeText(folder / "my image.png", pngOf(fourPixels()));
    const TexturedMesh mesh = readTexturedMesh(folder / "a.gltf");
    EXPECT_EQ(mesh.mesh.format, MeshFormat::glb);
    EXPECT_THAT(mesh.appearance.missing, IsEmpty());
    EXPECT_THAT(mesh.appearance.textures, SizeIs(1));
    EXPECT_EQ(readMesh(folder / "a.gltf").faces, mesh.mesh.faces);
    EXPECT_TRUE(looksLikeMeshFile("a.gltf"));

    writer.json["buffers"][0]["uri"] = "data:application/octet-stream;base64,AAA";
    const std::string within = writer.json.dump();
    EXPECT_THAT(messageOf<FormatError>([&] { decodeMesh(asBytes(within), "a.gltf"); }),
                HasSubstr("the data have 2"));
}

/// Error message of reading m/a.gltf with its buffer at `uri`; empty if the file is read. Folder m
/// and the targets of the links m/inside and m/outside each have a file data.bin. The link
/// m/near.bin leads to far.bin, outside of m.
std::string refusalOfBuffer(const std::string& uri) {
    GlbWriter writer;
    writer.addSquare();
    const TempFolder folder;
    namespace fs = std::filesystem;
    for (const char* made : {"m/real", "other"}) fs::create_directories(folder / made);
    for (const char* file : {"m/data.bin", "m/real/data.bin", "other/data.bin", "far.bin"})
        writeText(folder / file, writer.data());
    fs::create_directory_symlink(folder / "m/real", folder / "m/inside");
    fs::create_directory_symlink(folder / "other", folder / "m/outside");
    fs::create_symlink(folder / "far.bin", folder / "m/near.bin");
    writer.json["buffers"][0]["uri"] =
        uri.starts_with("/") ? (folder / uri.substr(1)).string() : uri;
    writeText(folder / "m/a.gltf", writer.json.dump());
    MeshReadOptions anywhere;
    anywhere.texturesAnywhere = true;  // must not apply to buffers
    try {
        readMesh(folder / "m/a.gltf");
        readTexturedMesh(folder / "m/a.gltf", anywhere);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(GltfFile, isRefused_whenABufferLiesOutsideItsFolder) {
    for (const char* inside : {"data.bin", "./data.bin", "real/../data.bin", "real/data.bin",
                               "inside/data.bin", "../m/data.bin", "/m/data.bin"})
        EXPECT_EQ(refusalOfBuffer(inside), "") << inside;
    for (const char* outside : {"../far.bin", "/far.bin", "%2e%2e/far.bin", "%2E%2E%2Ffar.bin",
                                "..\\far.bin", "../FAR.BIN", "real/../../far.bin", "near.bin"})
        EXPECT_THAT(refusalOfBuffer(outside),
                    AllOf(HasSubstr("a.gltf: buffers[0]: '"),
                          HasSubstr("is outside the mesh's folder"), HasSubstr("Copy it")))
            << outside;
    EXPECT_THAT(refusalOfBuffer("../far.bin"), HasSubstr("'../far.bin'"));
    // A file of the buffer's name in the mesh's folder replaces a buffer outside of the folder.
    // Missing textures are replaced likewise.
    EXPECT_EQ(refusalOfBuffer("../other/data.bin"), "");
    EXPECT_EQ(refusalOfBuffer("outside/data.bin"), "");
}

TEST(GltfFile, leavesTexturesOutsideItsFolderOut_unlessAllowed) {
    GlbWriter writer;
    writer.addSquare();
    writer.json["images"] = {{{"uri", "%2e%2e/far.png"}}};
    writer.json["textures"] = {{{"source", 0}}};
    writer.primitive()["material"] = writer.addMaterial({1, 1, 1, 1}, 0);
    const TempFolder folder;
    std::filesystem::create_directory(folder / "m");
    writeText(folder / "m/a.glb", writer.glb());
    writeText(folder / "far.png", pngOf(fourPixels()));
    MeshReadOptions reading;
    const TexturedMesh refused = readTexturedMesh(folder / "m/a.glb", reading);
    EXPECT_THAT(refused.appearance.textures, IsEmpty());
    EXPECT_THAT(refused.appearance.missing, ElementsAre(AllOf(HasSubstr("'../far.png': is outside"),
                                                              HasSubstr("`allow_outside`"))));
    reading.texturesAnywhere = true;
    EXPECT_THAT(readTexturedMesh(folder / "m/a.glb", reading).appearance.textures, SizeIs(1));
}

TEST(GltfFile, isRefused_whenItsShapeIsCompressed) {
    GlbWriter writer;
    writer.addSquare();
    const auto message = [&] {
        return messageOf<InputError>([&] { decodeMesh(asBytes(writer.glb()), "a.glb"); });
    };
    writer.json["extensionsRequired"] = {"EXT_meshopt_compression"};
    EXPECT_THAT(message(), HasSubstr("requires 'EXT_meshopt_compression', which is not supported"));
    writer.json.erase("extensionsRequired");
    writer.json["accessors"][0].erase("bufferView");
    writer.primitive()["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", 0}};
    EXPECT_THAT(message(), HasSubstr("requires 'KHR_draco_mesh_compression'"));
}

TEST(GltfFile, hasSparseAndQuantizedPositions) {
    GlbWriter writer;
    writer.addSquare();
    writer.json["extensionsRequired"] = {"KHR_mesh_quantization"};
    // Normalised −128 is −1, as −127 is.
    writer.primitive()["attributes"]["POSITION"] = writer.addAccessor(
        std::string_view("\200\0\0\0\177\0\0\0\177\177\0\0\0\177\0\0", 16), 5120, 4, "VEC3", true);
    const std::size_t view = writer.json["bufferViews"].size() - 1;
    writer.json["bufferViews"][view]["byteStride"] = 4;
    const Points whole = decoded(writer.glb()).mesh.vertices;
    EXPECT_EQ(whole.at(0), glm::vec3(-1, 0, 0));
    EXPECT_EQ(whole.at(2), glm::vec3(1, 1, 0));

    json& accessor = writer.json["accessors"].back();
    const std::size_t where = writer.addView(std::string_view("\3", 1));
    const std::size_t what = writer.addView(std::string_view("\0\0\177", 3));
    accessor["sparse"] = {{"count", 1},
                          {"indices", {{"bufferView", where}, {"componentType", 5121}}},
                          {"values", {{"bufferView", what}}}};
    const Points some = decoded(writer.glb()).mesh.vertices;
    EXPECT_EQ(some.at(0), glm::vec3(-1, 0, 0));
    EXPECT_EQ(some.at(3), glm::vec3(0, 0, 1));
    accessor.erase("bufferView");
    EXPECT_EQ(decoded(writer.glb()).mesh.vertices.at(2), glm::vec3(0));
    for (const json& type : {json(5), json(1e300), json("5121")}) {
        accessor["sparse"]["indices"]["componentType"] = type;
        EXPECT_THROW(decoded(writer.glb()), FormatError);
    }
    accessor["sparse"]["indices"]["componentType"] = 5121;
    accessor["sparse"]["count"] = 2;
    EXPECT_THROW(decoded(writer.glb()), FormatError);
    accessor["sparse"]["count"] = 1;
    accessor["count"] = 3;
    EXPECT_THAT(messageOf<FormatError>([&] { decoded(writer.glb()); }),
                HasSubstr("names element 3, but the number of elements is 3"));
}

}  // namespace
}  // namespace threefold::test
