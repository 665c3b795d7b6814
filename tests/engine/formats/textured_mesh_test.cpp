
#include <algorithm>
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/meshes/materials.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_writing.h"
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
    EXPECT_EQ(materials.at("a").texture.file, "wood grain.png");
    EXPECT_EQ(materials.at("b").diffuse, glm::vec3(1, 0, 0));
    EXPECT_EQ(materials.at("b").texture.file, "");
    EXPECT_EQ(materials.at("a").texture.scale, glm::vec2(2, 2));
    EXPECT_THAT(parseMaterials(""), IsEmpty());
}

TEST(Materials, readOptionsAndOpacities) {
    const auto materials = parseMaterials(
        "Kd 1 0 0\nNEWMTL  two  words \nKD .5\nD 0.25\nTr 0.1\n"
        "map_Kd -clamp ON -o 0.5 -bm 1 -s 1 -2 a.png\nmap_d -imfchan r -mm 0 1 2.png\n"
        "newmtl late\nTr 0.25\nmap_Kd -5 is my name.png\nnewmtl half\nTr 1\n"
        "newmtl none\nd -halo 0\nmap_d -imfchan\n");
    ASSERT_EQ(materials.size(), 4U);
    const NamedMaterial& first = materials.at("two words");
    EXPECT_EQ(first.diffuse, glm::vec3(0.5F));
    EXPECT_EQ(first.opacity, 0.25F);
    EXPECT_EQ(first.texture.file, "a.png");
    EXPECT_EQ(first.texture.offset, glm::vec2(0.5F, 0));
    EXPECT_EQ(first.texture.scale, glm::vec2(1, -2));
    EXPECT_TRUE(first.texture.isClamped);
    EXPECT_EQ(first.opacityTexture.file, "2.png");
    EXPECT_EQ(first.opacityTexture.channel, 'r');
    EXPECT_EQ(materials.at("late").opacity, 0.75F);
    EXPECT_EQ(materials.at("late").texture.file, "-5 is my name.png");
    EXPECT_EQ(materials.at("half").opacity, 1);
    EXPECT_EQ(materials.at("none").opacity, 0);
    EXPECT_EQ(materials.at("none").opacityTexture.file, "");
}

TEST(TexturedMesh, hasTheColoursOfItsLibrary) {
    const TempFolder folder;
    write(folder / "mesh.obj", kSquareAndTriangle);
    write(folder / "my colours.mtl",
          "newmtl paint\nmap_Kd ..\\elsewhere\\dots.png\nnewmtl plain red\nKd 1 0 0\n");
    writePng(folder / "dots.png", {1, 2, {9, 8, 7, 255, 6, 5, 4, 255}});
    const TexturedMesh mesh = readTexturedMesh(folder / "mesh.obj");
    ASSERT_EQ(mesh.mesh.faces.size(), 4U);
    ASSERT_EQ(mesh.appearance.materialOfFace.size(), 4U);
    ASSERT_EQ(mesh.appearance.textureCoordinates.size(), 12U);
    ASSERT_EQ(mesh.appearance.textures.size(), 1U);
    EXPECT_EQ(mesh.appearance.textures[0].height, 2);
    for (std::size_t face = 0; face < 2; ++face) {
        EXPECT_EQ(mesh.appearance.materials.at(mesh.appearance.materialOfFace[face]).map.texture,
                  0);
        for (std::size_t k = 0; k < 3; ++k) {  // texture coordinates equal positions
            const glm::vec3 vertex = mesh.mesh.vertices[mesh.mesh.faces[face][static_cast<int>(k)]];
            EXPECT_EQ(mesh.appearance.textureCoordinates[3 * face + k],
                      glm::vec2(vertex.x, vertex.y));
        }
    }
    EXPECT_EQ(mesh.appearance.materials.at(mesh.appearance.materialOfFace[2]).colour,
              glm::vec3(1, 0, 0));
    EXPECT_EQ(mesh.appearance.materials.at(mesh.appearance.materialOfFace[2]).map.texture,
              TextureMap::kNoTexture);
    EXPECT_EQ(mesh.appearance.materialOfFace[3], kNoMaterial);
    EXPECT_EQ(mesh.appearance.textureCoordinates[11], glm::vec2(0));
    EXPECT_THAT(mesh.appearance.missing, ElementsAre(HasSubstr("'unknown'")));
}

TEST(TexturedMesh, keepsTheShape_andNamesMissingFiles) {
    const TempFolder folder;
    write(folder / "mesh.obj", kSquareAndTriangle);
    const TexturedMesh bare = readTexturedMesh(folder / "mesh.obj");
    EXPECT_EQ(bare.mesh.faces.size(), 4U);
    EXPECT_EQ(bare.appearance.materialOfFace, std::vector<std::uint32_t>(4, kNoMaterial));
    EXPECT_THAT(bare.appearance.missing,
                testing::Contains(HasSubstr("'colours.mtl' is not there")));

    write(folder / "my colours.mtl", "newmtl paint\nKd 0 1 0\nmap_Kd dots.png\n");
    write(folder / "dots.png", "no picture");
    const TexturedMesh broken = readTexturedMesh(folder / "mesh.obj");
    EXPECT_THAT(broken.appearance.missing, testing::Contains(HasSubstr("dots.png")));
    EXPECT_EQ(broken.appearance.materials.at(broken.appearance.materialOfFace[0]).colour,
              glm::vec3(0, 1, 0));
    EXPECT_EQ(broken.appearance.materials.at(broken.appearance.materialOfFace[0]).map.texture,
              TextureMap::kNoTexture);
}

/// UTF-16 with a byte order mark, as Windows' editors write it.
std::string utf16(std::string_view text, bool big) {
    std::string wide = big ? "\xfe\xff" : "\xff\xfe";
    for (const char c : text) {
        if (big) wide += '\0';
        wide += c;
        if (!big) wide += '\0';
    }
    return wide;
}

TEST(TexturedMesh, isTheSame_inEveryEncoding) {
    const std::string library = "newmtl paint\nKd 0 1 0\nnewmtl plain red\nKd 1 0 0\n";
    std::string returns = kSquareAndTriangle;
    std::replace(returns.begin(), returns.end(), '\n', '\r');
    for (const std::string& obj :
         {utf16(kSquareAndTriangle, false), utf16(kSquareAndTriangle, true),
          std::string("\xef\xbb\xbf") + kSquareAndTriangle, returns}) {
        for (const std::string& mtl :
             {library, utf16(library, false), std::string("\xef\xbb\xbf") + library}) {
            const TempFolder folder;
            write(folder / "mesh.obj", obj);
            write(folder / "my colours.mtl", mtl);
            const TexturedMesh mesh = readTexturedMesh(folder / "mesh.obj");
            EXPECT_EQ(mesh.mesh.faces, readMesh(folder / "mesh.obj").faces);
            EXPECT_EQ(mesh.mesh.faces.size(), 4U);
            EXPECT_EQ(mesh.appearance.textureCoordinates.size(), 12U);
            EXPECT_EQ(mesh.appearance.materials.at(mesh.appearance.materialOfFace.at(0)).colour,
                      glm::vec3(0, 1, 0));
            EXPECT_EQ(mesh.appearance.materials.at(mesh.appearance.materialOfFace.at(2)).colour,
                      glm::vec3(1, 0, 0));
        }
    }
}

constexpr const char* kOneFace =
    "mtllib a.mtl b.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
    "usemtl Material #25\nf 1/1 2/2 3/3\n";

TEST(TexturedMesh, findsFiles_byNamesOfOtherSystems) {
    const TempFolder folder;
    write(folder / "mesh.obj", kOneFace);
    write(folder / "B.MTL", "newmtl Material #25\nmap_Kd ..\\Textures\\Wood Grain.JPG\n");
    writePng(folder / "wood grain.jpg", {1, 1, {1, 2, 3, 255}});
    const TexturedMesh beside = readTexturedMesh(folder / "mesh.obj");
    EXPECT_THAT(beside.appearance.missing, ElementsAre(HasSubstr("'a.mtl' is not there")));
    EXPECT_EQ(beside.appearance.materials.at(0).map.texture, 0);
    write(folder / "inner/mesh.obj", kOneFace);
    write(folder / "inner/b.mtl", "newmtl Material #25\nmap_Kd \"..\\TEXTURES\\wood.png\"\n");
    std::filesystem::create_directory(folder / "textures");
    writePng(folder / "textures/Wood.png", {1, 1, {1, 2, 3, 255}});
    MeshReadOptions reading;
    reading.texturesAnywhere = true;
    EXPECT_THAT(readTexturedMesh(folder / "inner/mesh.obj", reading).appearance.textures,
                testing::SizeIs(1));
}

TEST(TexturedMesh, leavesFilesOutsideItsFolderOut_unlessAllowed) {
    const TempFolder folder;
    write(folder / "far.mtl", "newmtl Material #25\nmap_Kd far.png\n");
    writePng(folder / "far.png", {1, 1, {1, 2, 3, 255}});
    write(folder / "m/a.mtl", "newmtl Material #25\nmap_Kd ../far.png\n");
    write(folder / "m/lib/b.mtl", "newmtl Material #25\nmap_Kd ../near.png\n");
    writePng(folder / "m/near.png", {1, 1, {1, 2, 3, 255}});
    std::filesystem::create_symlink(folder / "far.png", folder / "m/link.png");
    write(folder / "m/link.mtl", "newmtl Material #25\nmap_Kd link.png\n");
    const auto with = [&](const std::string& library, bool anywhere) {
        write(folder / "m/mesh.obj", "mtllib " + library + "\n" + kOneFace);
        MeshReadOptions reading;
        reading.texturesAnywhere = anywhere;
        TexturedMesh mesh = readTexturedMesh(folder / "m/mesh.obj", reading);
        EXPECT_EQ(mesh.mesh.faces.size(), 1U);
        return mesh;
    };
    std::filesystem::rename(folder / "m/a.mtl", folder / "m/first.mtl");
    for (const char* library : {"../far.mtl", "first.mtl", "link.mtl"}) {
        const TexturedMesh refused = with(library, false);
        EXPECT_THAT(refused.appearance.textures, IsEmpty()) << library;
        EXPECT_THAT(
            refused.appearance.missing,
            testing::Contains(testing::AllOf(HasSubstr("is outside the mesh's folder"),
                                             HasSubstr("Copy it"), HasSubstr("`allow_outside`"))))
            << library;
        EXPECT_EQ(with(library, true).appearance.textures.size(), 1U) << library;
    }
    EXPECT_EQ(with("lib/b.mtl", false).appearance.textures.size(), 1U);
    // Copies the file, as the message advises.
    std::filesystem::copy(folder / "far.png", folder / "m/far.png");
    EXPECT_EQ(with("first.mtl", false).appearance.textures.size(), 1U);
}

/// A mesh whose only material has `statements`, in a folder with textures of one pixel.
TexturedMesh withLibrary(const std::string& statements) {
    const TempFolder folder;
    write(folder / "mesh.obj", kOneFace);
    write(folder / "a.mtl", "newmtl Material #25\n" + statements);
    write(folder / "b.mtl", "");
    writePng(folder / "solid.png", {1, 1, {100, 200, 50, 255}});
    writePng(folder / "half.png", {1, 1, {100, 200, 50, 128}});
    writePng(folder / "empty.png", {1, 1, {100, 200, 50, 0}});
    return readTexturedMesh(folder / "mesh.obj");
}

TEST(TexturedMesh, hasTheOpacityOfItsLibrary) {
    EXPECT_EQ(withLibrary("Kd 1 0 0\n").appearance.materials.at(0).alphaMode, AlphaMode::opaque);
    const Material pane = withLibrary("d 0.25\n").appearance.materials.at(0);
    EXPECT_EQ(pane.alphaMode, AlphaMode::blend);
    EXPECT_EQ(pane.opacity, 0.25F);
    EXPECT_EQ(withLibrary("map_Kd solid.png\n").appearance.materials.at(0).alphaMode,
              AlphaMode::opaque);
    EXPECT_EQ(withLibrary("map_Kd half.png\n").appearance.materials.at(0).alphaMode,
              AlphaMode::blend);

    const TexturedMesh forgotten = withLibrary("Kd 0 0 0\nmap_Kd empty.png\n");
    EXPECT_EQ(forgotten.appearance.materials.at(0).alphaMode, AlphaMode::opaque);
    EXPECT_EQ(forgotten.appearance.materials.at(0).colour,
              glm::vec3(1));  // a texture replaces the colour
    EXPECT_EQ(forgotten.appearance.textures.at(0).rgba.at(3), 255);

    const TexturedMesh twice = withLibrary("map_Kd solid.png\nmap_d solid.png\n");
    EXPECT_EQ(twice.appearance.materials.at(0).alphaMode, AlphaMode::opaque);
    EXPECT_EQ(withLibrary("map_Kd half.png\nmap_d half.png\n")
                  .appearance.materials.at(0)
                  .opacityMap.texture,
              TextureMap::kNoTexture);  // the alpha of one image is not applied twice

    const TexturedMesh grey = withLibrary("map_d solid.png\n");
    EXPECT_EQ(grey.appearance.materials.at(0).alphaMode, AlphaMode::blend);
    EXPECT_EQ(grey.appearance.textures.at(0).rgba.at(3),
              168);  // 0.2126 · 100 + 0.7152 · 200 + 0.0722 · 50
    EXPECT_EQ(withLibrary("map_d half.png\n").appearance.textures.at(0).rgba.at(3), 128);
    EXPECT_EQ(withLibrary("map_d -imfchan g half.png\n").appearance.textures.at(0).rgba.at(3), 200);
}

TEST(TexturedMesh, placesTextures_byTheirOptions) {
    const TextureMap map = withLibrary("map_Kd -clamp on -s 2 3 -o 0.5 0.25 solid.png\n")
                               .appearance.materials.at(0)
                               .map;
    EXPECT_EQ(map.wrapS, Wrap::clamp);
    EXPECT_EQ(map.uvTransform * glm::vec2(1, 1) + map.uvOffset, glm::vec2(2.5F, 3.25F));
}

TEST(TexturedMesh, isRead_whenItsTextureCoordinatesAreBroken) {
    const TempFolder folder;
    write(folder / "mesh.obj",
          "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt x\nf 1/1 2/9999999999 3/-7\nf 1/ 2/ 3/\n");
    const TexturedMesh mesh = readTexturedMesh(folder / "mesh.obj");
    EXPECT_EQ(mesh.mesh.faces.size(), 2U);
    EXPECT_THAT(mesh.appearance.missing, ElementsAre(HasSubstr("line 4")));
    EXPECT_THAT(mesh.appearance.textureCoordinates, IsEmpty());
    write(folder / "mesh.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt .5\nf 1/1 2/999999999 3/-7\n");
    EXPECT_THAT(readTexturedMesh(folder / "mesh.obj").appearance.textureCoordinates,
                ElementsAre(glm::vec2(0.5F, 0), glm::vec2(0), glm::vec2(0)));
}

TEST(TexturedMesh, equalsReadMesh_whenThereAreNoMaterials) {
    const TempFolder folder;
    write(folder / "mesh.obj", "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nf 1 2 3\n");
    const TexturedMesh mesh = readTexturedMesh(folder / "mesh.obj");
    EXPECT_EQ(mesh.mesh.colours.size(), 3U);
    EXPECT_THAT(mesh.appearance.missing, IsEmpty());
    EXPECT_THAT(mesh.appearance.textureCoordinates, IsEmpty());
    EXPECT_EQ(mesh.appearance.materialOfFace, std::vector<std::uint32_t>(1, kNoMaterial));
    EXPECT_THROW(readTexturedMesh(folder / "none.obj"), IoError);
}

TEST(TexturedMesh, leavesColoursOut_whenOneIsNotANumber) {
    std::string binary =
        "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float "
        "y\n"
        "property float z\nproperty float red\nproperty float green\nproperty float blue\n"
        "end_header\n";
    binary += std::string(12, '\0') + std::string("\0\0\xc0\x7f", 4) + std::string(8, '\0');
    const std::string ply =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
        "property float y\nproperty float z\nproperty uchar red\n"
        "property uchar green\nproperty uchar blue\nelement face 1\n"
        "property list uchar int vertex_indices\nend_header\n";
    const TempFolder folder;
    for (const auto& [name, text] : std::map<std::string, std::string>{
             {"nan.obj", "v 0 0 0 1 0 0\nv 1 0 0 nan 0 0\nv 1 1 0 0 0 1\nf 1 2 3\n"},
             {"word.obj", "v 0 0 0 1 0 red\nv 1 0 0 1 0 0\nv 1 1 0 0 0 1\nf 1 2 3\n"},
             {"nan.ply", binary},
             {"word.ply", ply + "0 0 0 1 x 3\n1 0 0 1 2 3\n1 1 0 1 2 3\n3 0 1 2\n"}}) {
        SCOPED_TRACE(name);
        write(folder / name, text);
        const TexturedMesh mesh = readTexturedMesh(folder / name);
        EXPECT_EQ(mesh.mesh.faces.size(), name == "nan.ply" ? 0U : 1U);
        EXPECT_THAT(mesh.mesh.colours, IsEmpty());
        EXPECT_THAT(mesh.appearance.missing, ElementsAre(HasSubstr("not a")));
        const LoadedMesh shape = readMesh(folder / name);
        EXPECT_EQ(shape.vertices, mesh.mesh.vertices);
        EXPECT_EQ(shape.unreadContent.at("colours"), shape.vertices.size());
    }
    write(folder / "short.ply", ply + "0 0 0 1 2 3\n1 0 0 1 2 3\n1 1 0 1 2\n");
    EXPECT_THROW(readTexturedMesh(folder / "short.ply"), FormatError);
}

TEST(TexturedMesh, hasColoursWithinTheirRange) {
    const TempFolder folder;
    write(folder / "a.obj", "v 0 0 0 -1 0 0.5\nv 1 0 0 1 0 0\nv 1 1 0 0 0 1\nf 1 2 3\n");
    EXPECT_EQ(readMesh(folder / "a.obj").colours.at(0), glm::vec3(0, 0, 0.5F));
    write(folder / "b.obj", "v 0 0 0 300 0 51\nv 1 0 0 1 0 0\nv 1 1 0 0 0 1\nf 1 2 3\n");
    EXPECT_EQ(readMesh(folder / "b.obj").colours.at(0), glm::vec3(1, 0, 0.2F));
}

/// `value` in four little-endian bytes.
std::string fourBytes(std::size_t value) {
    std::string bytes;
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift);
    return bytes;
}

/// A copy of the GLB, whose JSON `change` has changed.
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
