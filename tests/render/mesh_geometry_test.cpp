#include "render/mesh_geometry.h"

#include <limits>

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "engine/error.h"
#include "tests/render/shapes.h"

namespace threefold::render {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(MeshGeometry, normalsPointOutOfASphere) {
    const SceneMesh sphere = makeSphere(3);
    const MeshGeometry geometry = makeGeometry(sphere);
    for (std::size_t i = 0; i < sphere.vertices.size(); ++i) {
        EXPECT_GT(glm::dot(geometry.vertices[i].normal, sphere.vertices[i]), 0.99F);
        EXPECT_NEAR(glm::length(geometry.vertices[i].normal), 1.0F, 1e-5F);
    }
    EXPECT_NEAR(geometry.radius, 1.0F, 0.02F);
}

TEST(MeshGeometry, weighsFacesByTheirArea) {
    // Vertex 0 belongs to a large face in the xy plane and to a small one in the yz plane.
    const SceneMesh mesh{
        {{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 2, 3}}, {}};
    const glm::vec3 normal = makeGeometry(mesh).vertices[0].normal;
    EXPECT_NEAR(normal.x / normal.z, 0.1F, 1e-5F);
}

TEST(MeshGeometry, leavesOutFacesOfBrokenVertices) {
    SceneMesh mesh = makeTriangle();
    mesh.vertices.push_back({kNan, 0.0F, 0.0F});
    mesh.values.push_back(0.0F);
    mesh.faces.push_back({0, 1, 3});
    const MeshGeometry geometry = makeGeometry(mesh);
    EXPECT_EQ(geometry.indices.size(), 3U);
    EXPECT_EQ(geometry.vertices[3].state, shared::kVertexHidden);
    EXPECT_EQ(geometry.vertices[0].state, shared::kVertexValued);
}

TEST(MeshGeometry, marksWhatHasNoValue) {
    SceneMesh mesh = makeTriangle();
    mesh.values[1] = kNan;
    EXPECT_EQ(makeGeometry(mesh).vertices[1].state, shared::kVertexUnvalued);
    mesh.values.clear();
    EXPECT_EQ(makeGeometry(mesh).vertices[0].state, shared::kVertexUnvalued);
}

TEST(MeshGeometry, hasNoNormal_whereNoFaceGivesOne) {
    SceneMesh mesh = makeTriangle();
    mesh.faces = {{0, 0, 1}};
    EXPECT_EQ(makeGeometry(mesh).vertices[2].normal, glm::vec3(0.0F));
    EXPECT_EQ(makeGeometry(mesh).vertices[0].normal, glm::vec3(0.0F));
}

TEST(MeshGeometry, isRefused_whenIndicesOrValuesDoNotFit) {
    SceneMesh face = makeTriangle();
    face.faces[0].y = std::numeric_limits<std::uint32_t>::max();
    EXPECT_THROW(makeGeometry(face), InputError);
    SceneMesh values = makeTriangle();
    values.values.push_back(0.0F);
    EXPECT_THROW(makeGeometry(values), InputError);
}

TEST(MeshGeometry, isEmpty_whenTheMeshIs) {
    const MeshGeometry geometry = makeGeometry({});
    EXPECT_TRUE(geometry.vertices.empty());
    EXPECT_EQ(geometry.radius, 0.0F);
}

}  // namespace
}  // namespace threefold::render
