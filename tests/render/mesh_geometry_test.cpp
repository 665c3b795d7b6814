#include "render/mesh_geometry.h"

#include <limits>

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "engine/error.h"
#include "tests/render/shapes.h"

namespace threefold::render {
namespace {

MeshGeometry geometryOf(const ValuedMesh& mesh) {
    return makeGeometry({mesh.vertices, mesh.faces});
}

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

TEST(MeshGeometry, normalsPointOutOfASphere) {
    const ValuedMesh sphere = makeSphere(3);
    const MeshGeometry geometry = geometryOf(sphere);
    for (std::size_t i = 0; i < sphere.vertices.size(); ++i) {
        EXPECT_GT(glm::dot(geometry.vertices[i].normal, sphere.vertices[i]), 0.99F);
        EXPECT_NEAR(glm::length(geometry.vertices[i].normal), 1.0F, 1e-5F);
    }
    EXPECT_NEAR(geometry.bounds.radius, 1.0F, 0.02F);
}

TEST(MeshGeometry, weighsFacesByTheirArea) {
    // Vertex 0 belongs to a large face in the xy plane and to a small one in the yz plane.
    const ValuedMesh mesh{
        {{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 2, 3}}, {}};
    const glm::vec3 normal = geometryOf(mesh).vertices[0].normal;
    EXPECT_NEAR(normal.x / normal.z, 0.1F, 1e-5F);
}

TEST(MeshGeometry, leavesOutFaces_whenTheirVerticesAreNotFinite) {
    ValuedMesh mesh = makeTriangle();
    mesh.vertices.push_back({kNotANumber, 0.0F, 0.0F});
    mesh.faces.push_back({0, 1, 3});
    const MeshGeometry geometry = geometryOf(mesh);
    EXPECT_EQ(geometry.indices.size(), 3U);
    EXPECT_EQ(geometry.vertices[3].hidden, 1U);
    EXPECT_EQ(geometry.vertices[0].hidden, 0U);
}

TEST(MeshGeometry, hasNoNormal_whenNoFaceGivesOne) {
    ValuedMesh mesh = makeTriangle();
    mesh.faces = {{0, 0, 1}};
    EXPECT_EQ(geometryOf(mesh).vertices[2].normal, glm::vec3(0.0F));
    EXPECT_EQ(geometryOf(mesh).vertices[0].normal, glm::vec3(0.0F));
}

TEST(MeshGeometry, isRefused_whenAnIndexDoesNotFit) {
    ValuedMesh face = makeTriangle();
    face.faces[0].y = std::numeric_limits<std::uint32_t>::max();
    EXPECT_THROW(geometryOf(face), InputError);
}

TEST(MeshGeometry, isEmpty_whenTheMeshIs) {
    const MeshGeometry geometry = makeGeometry({});
    EXPECT_TRUE(geometry.vertices.empty());
    EXPECT_EQ(geometry.bounds.radius, 0.0F);
}

}  // namespace
}  // namespace threefold::render
