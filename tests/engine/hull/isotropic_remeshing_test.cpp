#include "engine/hull/isotropic_remeshing.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/engine/hull/topology.h"

namespace threefold::hull {
namespace {

constexpr double kRingRadius = 0.5;
constexpr double kTubeRadius = 0.15;

float torus(glm::dvec3 point, float /*maxDistance*/) {
    const double fromRing = glm::length(glm::dvec2(point)) - kRingRadius;
    return static_cast<float>(glm::length(glm::dvec2(fromRing, point.z)) - kTubeRadius);
}

Mesh fineTorus() {
    return marchingCubesWithVertexCount(torus, 12'000, {1, 0.02, 1, 2, {}});
}

double tubeArea() {
    return 4 * std::numbers::pi * std::numbers::pi * kRingRadius * kTubeRadius;
}

TEST(IsotropicRemeshing, hasTheVerticesAskedFor_onTheZeroLevel) {
    constexpr std::size_t kVertices = 1'500;
    const Mesh mesh = remeshIsotropically(fineTorus(), kVertices, torus, 2, {});
    EXPECT_EQ(mesh.vertices.size(), kVertices);
    const double edge = std::sqrt(2 * tubeArea() / (std::sqrt(3.0) * kVertices));
    for (const glm::vec3& vertex : mesh.vertices)
        EXPECT_LT(std::abs(torus(vertex, 1)), 0.02 * edge);
}

TEST(IsotropicRemeshing, keepsTheTopology) {
    const test::Topology topology =
        test::topologyOf(remeshIsotropically(fineTorus(), 1'500, torus, 2, {}));
    EXPECT_TRUE(topology.isManifold);
    EXPECT_EQ(topology.componentCount, 1);
    EXPECT_EQ(topology.genus, 1);
    EXPECT_NEAR(topology.volume, tubeArea() * kTubeRadius / 2, 0.01 * tubeArea() * kTubeRadius);
}

TEST(IsotropicRemeshing, hasEdgesOfOneLength_whenItsInputHasSlivers) {
    const auto shortestToMeanEdge = [](const Mesh& mesh) {
        double shortest = 1;
        double sum = 0;
        for (const glm::u32vec3& face : mesh.faces) {
            for (const auto& [a, b] :
                 {std::pair(face.x, face.y), {face.y, face.z}, {face.z, face.x}}) {
                const double length = glm::distance(mesh.vertices[a], mesh.vertices[b]);
                shortest = std::min(shortest, length);
                sum += length;
            }
        }
        return shortest / (sum / double(3 * mesh.faces.size()));
    };
    const Mesh fine = fineTorus();
    EXPECT_LT(shortestToMeanEdge(fine), 0.1);
    EXPECT_GT(shortestToMeanEdge(remeshIsotropically(fine, 1'500, torus, 2, {})), 0.4);
}

TEST(IsotropicRemeshing, isTheSame_forAnyNumberOfThreads) {
    const Mesh fine = fineTorus();
    const Mesh one = remeshIsotropically(fine, 1'000, torus, 1, {});
    const Mesh three = remeshIsotropically(fine, 1'000, torus, 3, {});
    EXPECT_EQ(one.vertices, three.vertices);
    EXPECT_EQ(one.faces, three.faces);
}

TEST(IsotropicRemeshing, isRefused_whenTheMeshIsOpenOrInsideOut) {
    const DistanceField field = [](glm::dvec3, float) { return 0.0F; };
    const Mesh tetrahedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                           {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
    EXPECT_NO_THROW(remeshIsotropically(tetrahedron, 4, field, 1, {}));
    Mesh open = tetrahedron;
    open.faces.pop_back();
    EXPECT_THROW(remeshIsotropically(open, 4, field, 1, {}), InputError);
    Mesh turned = tetrahedron;
    std::swap(turned.faces[3].x, turned.faces[3].y);
    EXPECT_THROW(remeshIsotropically(turned, 4, field, 1, {}), InputError);
}

TEST(IsotropicRemeshing, endsWithCancelled_whenStopped) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(remeshIsotropically(fineTorus(), 1'000, torus, 2, stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace threefold::hull
