#include "engine/geometry/surface_samples.h"

#include <fstream>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "engine/sample/ground_truth.h"
#include "tests/support/glb_writer.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

/// Two triangles; the second has three times the area of the first.
Mesh twoTriangles() {
    return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {5, 0, 0}, {2, 1, 0}},
            {{0, 1, 2}, {3, 4, 5}}};
}

TEST(SurfaceSamples, spreadEvenlyByArea) {
    const SurfaceSamples samples = sampleSurface(twoTriangles(), 4000);
    ASSERT_EQ(samples.points.size(), 4000U);
    std::size_t small = 0;
    glm::dvec3 middle(0.0);
    for (const glm::vec3& point : samples.points) {
        EXPECT_EQ(point.z, 0);
        if (point.x > 1) continue;
        ++small;
        middle += glm::dvec3(point);
    }
    EXPECT_NEAR(static_cast<double>(small), 1000, 1);
    EXPECT_NEAR(middle.x / static_cast<double>(small), 1.0 / 3, 0.03);
    EXPECT_NEAR(middle.y / static_cast<double>(small), 1.0 / 3, 0.03);
    for (const glm::vec3& normal : samples.normals) EXPECT_EQ(normal, glm::vec3(0, 0, 1));
    EXPECT_EQ(sampleSurface(twoTriangles(), 4000).points, samples.points);
}

TEST(SurfaceSamples, areRefused_whenThereIsNoArea) {
    EXPECT_THROW(sampleSurface({{{0, 0, 0}}, {}}), InputError);
    EXPECT_THROW(sampleSurface({{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}}), InputError);
    EXPECT_THROW(sampleSurface({{{0, 0, 0}}, {{0, 0, 7}}}), InputError);
}

TEST(GroundTruthOfMeshes, hasThePointsOfACloud_orSamplesOfASurface) {
    const test::TempFolder folder;
    writeMesh(folder / "cloud.xyz", MeshFormat::xyz, {{{1, 2, 3}, {4, 5, 6}}, {}});
    EXPECT_EQ(readGroundTruth(folder / "cloud.xyz").points, (Points{{1, 2, 3}, {4, 5, 6}}));
    writeMesh(folder / "mesh.glb", MeshFormat::glb, twoTriangles());
    const GroundTruth truth = readGroundTruth(folder / "mesh.glb");
    EXPECT_EQ(truth.points.size(), kSurfaceSampleCount);
    EXPECT_EQ(truth.surface.faces.size(), 2U);
    writeMesh(folder / "flat.obj", MeshFormat::obj,
              {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}});
    EXPECT_NE(test::messageOf<InputError>([&] {
                  readGroundTruth(folder / "flat.obj");
              }).find("flat.obj: its faces have no area"),
              std::string::npos);
}

TEST(GroundTruthOfMeshes, isReadFromAGltf_withTheBufferBesideIt) {
    const test::TempFolder folder;
    test::GlbWriter writer;
    writer.addSquare();
    writer.json["buffers"][0]["uri"] = "data.bin";
    std::ofstream(folder / "a.gltf") << writer.json.dump();
    std::ofstream(folder / "data.bin", std::ios::binary) << writer.data();
    EXPECT_TRUE(isTruthExtension(".gltf"));
    EXPECT_TRUE(isTruthExtension(".OBJ"));
    EXPECT_EQ(readGroundTruth(folder / "a.gltf").surface.faces.size(), 2U);
}

TEST(GroundTruthOfMeshes, isTransformed_fromTheWorldToTheFirstView) {
    const test::TempFolder folder;
    Sample sample = findSample(std::filesystem::path(THREEFOLD_RESOURCES) /
                               "samples/ShapeNetRendering/02691156/p0001");
    writeMesh(folder / "world.xyz", MeshFormat::xyz, {{{0.1F, 0.2F, 0.3F}}, {}});
    sample.truth = {folder / "world.xyz", MeshSpace::world};
    const Camera camera = Camera::fromRow(sample.cameraRows[6]);
    const glm::dvec3 back = camera.toWorld(loadGroundTruth(sample, 6).points.at(0));
    EXPECT_NEAR(back.x, 0.1, 1e-6);
    EXPECT_NEAR(back.y, 0.2, 1e-6);
    EXPECT_NEAR(back.z, 0.3, 1e-6);
}

}  // namespace
}  // namespace threefold
