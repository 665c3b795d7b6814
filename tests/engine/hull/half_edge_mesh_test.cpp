#include "engine/hull/half_edge_mesh.h"

#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/engine/hull/topology.h"

namespace threefold::hull {
namespace {

constexpr float kLong = 10;

Mesh octahedron() {
    return {
        {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
        {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
}

/// Prism of height 1 over a rhombus with diagonals 4 and 2, in which the longer diagonals split
/// both rhombi.
Mesh rhombicPrism() {
    Mesh prism;
    for (const float height : {0.0F, 1.0F})
        prism.vertices.insert(prism.vertices.end(),
                              {{-2, 0, height}, {0, -1, height}, {2, 0, height}, {0, 1, height}});
    prism.faces = {{4, 5, 6}, {4, 6, 7}, {0, 2, 1}, {0, 3, 2}};
    for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t j = (i + 1) % 4;
        prism.faces.insert(prism.faces.end(), {{i, j, j + 4}, {i, j + 4, i + 4}});
    }
    return prism;
}

/// Half-edge between two vertices; HalfEdgeMesh::kNone if there is none.
std::uint32_t edgeBetween(const HalfEdgeMesh& mesh, std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t edge = 0; edge < mesh.halfEdgeCapacity(); ++edge)
        if (mesh.isAlive(edge) && mesh.fromVertex(edge) == from && mesh.toVertex(edge) == to)
            return edge;
    return HalfEdgeMesh::kNone;
}

void expectSphere(const Mesh& mesh) {
    const test::Topology topology = test::topologyOf(mesh);
    EXPECT_TRUE(topology.isManifold);
    EXPECT_EQ(topology.componentCount, 1);
    EXPECT_EQ(topology.genus, 0);
}

TEST(HalfEdgeMesh, returnsItsMesh) {
    const Mesh mesh = HalfEdgeMesh(octahedron()).mesh();
    EXPECT_EQ(mesh.vertices, octahedron().vertices);
    EXPECT_EQ(mesh.faces, octahedron().faces);
}

TEST(HalfEdgeMesh, isRefused_whenTheMeshHasABorder) {
    Mesh open = octahedron();
    open.faces.pop_back();
    EXPECT_THROW(HalfEdgeMesh{open}, InputError);
}

TEST(HalfEdgeMesh, isRefused_whenAFaceIsTurnedOver) {
    Mesh turned = octahedron();
    std::swap(turned.faces[0].x, turned.faces[0].y);
    EXPECT_THROW(HalfEdgeMesh{turned}, InputError);
}

TEST(HalfEdgeMesh, collapsesToTheMidpoint) {
    HalfEdgeMesh mesh(octahedron());
    ASSERT_TRUE(mesh.collapse(edgeBetween(mesh, 0, 2), kLong));
    EXPECT_EQ(mesh.aliveVertexCount(), 5U);
    EXPECT_EQ(mesh.outgoingHalfEdge(0), HalfEdgeMesh::kNone);
    EXPECT_EQ(mesh.position(2), glm::vec3(0.5F, 0.5F, 0));
    EXPECT_EQ(mesh.mesh().faces.size(), 6U);
    expectSphere(mesh.mesh());
}

TEST(HalfEdgeMesh, doesNotCollapse_whenAnEdgeWouldBecomeTooLong) {
    HalfEdgeMesh mesh(octahedron());
    EXPECT_FALSE(mesh.collapse(edgeBetween(mesh, 0, 2), 1.5F));
    EXPECT_EQ(mesh.mesh().faces, octahedron().faces);
}

TEST(HalfEdgeMesh, doesNotCollapse_whenTheMeshIsATetrahedron) {
    const Mesh tetrahedron{{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}},
                           {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    HalfEdgeMesh mesh(tetrahedron);
    for (std::uint32_t edge = 0; edge < mesh.halfEdgeCapacity(); ++edge)
        EXPECT_FALSE(mesh.collapse(edge, kLong)) << edge;
    EXPECT_EQ(mesh.mesh().faces, tetrahedron.faces);
}

TEST(HalfEdgeMesh, flipsToTheShorterDiagonal_once) {
    HalfEdgeMesh mesh(rhombicPrism());
    ASSERT_TRUE(mesh.flip(edgeBetween(mesh, 4, 6)));
    EXPECT_EQ(edgeBetween(mesh, 4, 6), HalfEdgeMesh::kNone);
    const std::uint32_t flipped = edgeBetween(mesh, 5, 7);
    ASSERT_NE(flipped, HalfEdgeMesh::kNone);
    EXPECT_FALSE(mesh.flip(flipped));
    expectSphere(mesh.mesh());
    EXPECT_NEAR(test::topologyOf(mesh.mesh()).volume, 4, 1e-5);
}

TEST(HalfEdgeMesh, doesNotFlip_whenTheEdgeIsACrease) {
    HalfEdgeMesh mesh(rhombicPrism());
    EXPECT_FALSE(mesh.flip(edgeBetween(mesh, 4, 5)));
    EXPECT_EQ(mesh.mesh().faces, rhombicPrism().faces);
}

TEST(HalfEdgeMesh, movesAVertex_unlessAFaceWouldTurnOver) {
    HalfEdgeMesh mesh(octahedron());
    EXPECT_TRUE(mesh.move(0, {1.1F, 0, 0}));
    EXPECT_EQ(mesh.position(0), glm::vec3(1.1F, 0, 0));
    EXPECT_FALSE(mesh.move(0, {-2, 0, 0}));
    EXPECT_EQ(mesh.position(0), glm::vec3(1.1F, 0, 0));
}

}  // namespace
}  // namespace threefold::hull
