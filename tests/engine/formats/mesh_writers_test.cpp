#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_writing.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using test::TempFolder;

TEST(MeshWriters, writesObj_asThePublishedScriptsDo) {
    const Mesh mesh{{{0.5f, -0.25f, 1e-7f}, {-0.0f, 1234.5f, -0.8f}, {1, 2, 3}}, {{0, 1, 2}}};
    EXPECT_EQ(encodeMesh(MeshFormat::obj, mesh),
              "v 0.500000 -0.250000 0.000000\n"
              "v -0.000000 1234.500000 -0.800000\n"
              "v 1.000000 2.000000 3.000000\n"
              "f 1 2 3\n");
}

TEST(MeshWriters, giveASmallMeshTheDecimalsThatItNeeds) {
    const float small = 1e-9F;
    const Mesh mesh{{{0, 0, 0}, {small, 0, 0}, {0, 2 * small, 0}}, {{0, 1, 2}}};
    const LoadedMesh back = decodeMesh(asBytes(encodeMesh(MeshFormat::obj, mesh)), "a.obj");
    EXPECT_NEAR(back.vertices[1].x, small, 1e-15F);
    EXPECT_NEAR(back.vertices[2].y, 2 * small, 1e-15F);
}

TEST(MeshWriters, writesXyz_asSavetxtDoes) {
    EXPECT_EQ(encodeMesh(MeshFormat::xyz, {{{0.1f, -0.8f, 0.f}}, {}}),
              "1.000000014901161194e-01 -8.000000119209289551e-01 0.000000000000000000e+00\n");
    char expected[200];
    for (const float value : {3.4e38f, 1e-45f, 1.17549435e-38f, -123456.789f}) {
        std::snprintf(expected, sizeof(expected), "%.18e %.18e %.18e\n", static_cast<double>(value),
                      0.0, 0.0);
        EXPECT_EQ(encodeMesh(MeshFormat::xyz, {{{value, 0, 0}}, {}}), expected);
    }
}

TEST(MeshWriters, writesGltfAsText_whenItsExtensionIsInCapitals) {
    const TempFolder folder;
    writeMesh(folder / "a.GLTF", MeshFormat::glb, {{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}}, {{0, 1, 2}}});
    EXPECT_EQ(asText(readFile(folder / "a.GLTF")).substr(0, 1), "{");
}

TEST(MeshWriters, convertsZUpToYUpInGltf_andTheReaderConvertsBack) {
    const TempFolder folder;
    const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0.1f, 0.2f, 3}}, {{0, 1, 2}, {0, 1, 3}}};
    MeshWriteOptions zUp;
    zUp.zUp = true;
    for (const char* name : {"a.glb", "a.gltf"}) {
        writeMesh(folder / name, MeshFormat::glb, mesh, zUp);
        EXPECT_EQ(readMesh(folder / name).vertices, mesh.vertices) << name;
    }
    // Other programs ignore Threefold's extra field; the test hides it by renaming.
    std::string text(asText(readFile(folder / "a.gltf")));
    text.replace(text.find("threefold_up"), 12, "somebodys_up");
    writeFileAtomically(folder / "other.gltf", std::string_view(text));
    const LoadedMesh seen = readMesh(folder / "other.gltf");
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const glm::vec3 v = mesh.vertices[i];
        EXPECT_EQ(seen.vertices[i], glm::vec3(v.x, v.z, -v.y));
    }
    EXPECT_EQ(encodeMesh(MeshFormat::obj, mesh, zUp), encodeMesh(MeshFormat::obj, mesh));
}

TEST(MeshWriters, writeTheMaterialLibrarysName_onOneLine) {
    const TempFolder folder;
    const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
    const std::vector<glm::vec2> uvs(3);
    const Image picture{1, 1, std::vector<std::uint8_t>(4, 255)};
    const SurfaceTexture texture{uvs, &picture, {}};
    const std::string name = "a\nv 9 9 9\tb\x7f";
    const auto files =
        writeMesh(folder / (name + ".obj"), MeshFormat::obj, mesh, {{}, {}, &texture});
    ASSERT_EQ(files.size(), 3U);
    for (const std::filesystem::path& file : files) EXPECT_TRUE(isFile(file)) << file;
    const std::string text(asText(readFile(folder / (name + ".obj"))));
    EXPECT_EQ(text.substr(0, text.find('\n')), "mtllib a_v 9 9 9_b_.mtl");
    EXPECT_TRUE(isFile(folder / "a_v 9 9 9_b_.mtl"));
    EXPECT_EQ(readMesh(folder / (name + ".obj")).vertices.size(), 3U);
}

TEST(MeshWriters, writesATexture_thatIsReadUnchanged) {
    const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.5f}}, {{0, 1, 2}, {1, 3, 2}}};
    // The second face has its own texture coordinates, except at one corner.
    const std::vector<glm::vec2> uvs{{0.125f, 0.25f}, {0.5f, 0.1f}, {0.3f, 0.9f},
                                     {0.5f, 0.1f},    {0.7f, 0.2f}, {0.8f, 0.99f}};
    Image picture{5, 3, {}};
    for (int i = 0; i < 15; ++i)
        for (const int value : {i * 17, 255 - i, i, 255})
            picture.rgba.push_back(static_cast<std::uint8_t>(value));
    const SurfaceTexture texture{uvs, &picture, {}};
    for (const char* name : {"mug.obj", "mug.glb", "mug.gltf"}) {
        SCOPED_TRACE(name);
        const TempFolder folder;
        const MeshFormat format = meshFormatFromExtension(std::string(name).substr(4)).value();
        const auto written = writeMesh(folder / name, format, mesh, {{}, {}, &texture});
        EXPECT_EQ(written.size(), format == MeshFormat::obj ? 3U : 1U);
        EXPECT_EQ(written.back(), folder / name);
        const TexturedMesh read = readTexturedMesh(folder / name);
        EXPECT_TRUE(read.appearance.missing.empty());
        ASSERT_EQ(read.appearance.textures.size(), 1U);
        EXPECT_EQ(read.appearance.textures[0].rgba, picture.rgba);
        ASSERT_EQ(read.appearance.textureCoordinates.size(), uvs.size());
        for (std::size_t i = 0; i < uvs.size(); ++i) {
            EXPECT_NEAR(read.appearance.textureCoordinates[i].x, uvs[i].x, 1e-7) << i;
            EXPECT_NEAR(read.appearance.textureCoordinates[i].y, uvs[i].y, 1e-7) << i;
            const auto face = static_cast<int>(i % 3);
            EXPECT_EQ(read.mesh.vertices[read.mesh.faces[i / 3][face]],
                      mesh.vertices[mesh.faces[i / 3][face]]);
        }
        ASSERT_EQ(read.appearance.materials.size(), 1U);
        EXPECT_EQ(read.mesh.vertices.size(), format == MeshFormat::obj ? 4U : 5U);
    }
    const SurfaceTexture few{std::span(uvs).first(3), &picture, {}};
    EXPECT_THROW(encodeMesh(MeshFormat::glb, mesh, {{}, {}, &few}), InputError);
}

TEST(MeshWriters, leaveOldFilesUnchanged_andAddNone_whenTheMeshCannotBeWritten) {
    const TempFolder folder;
    std::filesystem::create_directory(folder / "mug.obj");
    writeFileAtomically(folder / "mug.mtl", "old");
    const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
    const Image picture{1, 1, {1, 2, 3, 255}};
    const std::vector<glm::vec2> uvs{{0, 0}, {1, 0}, {0, 1}};
    const SurfaceTexture texture{uvs, &picture, {}};
    EXPECT_THROW(writeMesh(folder / "mug.obj", MeshFormat::obj, mesh, {{}, {}, &texture}), IoError);
    EXPECT_FALSE(pathExists(folder / "mug.png"));
    EXPECT_EQ(asText(readFile(folder / "mug.mtl")), "old");
}

TEST(MeshWriters, writesNothing_whenMeshIsBroken) {
    const TempFolder folder;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(writeMesh(folder / "a.obj", MeshFormat::obj, {{{0, nan, 0}}, {}}), InputError);
    EXPECT_THROW(writeMesh(folder / "a.obj", MeshFormat::obj, {{{0, 0, 0}}, {{0, 0, 1}}}),
                 InputError);
    EXPECT_THROW(writeMesh(folder / "a.obj", MeshFormat::xyz,
                           {{{0, 0, std::numeric_limits<float>::infinity()}}, {}}),
                 InputError);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace threefold
