#include "engine/sample_rendering/prepared_mesh.h"

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/sample_rendering/crease_normals.h"
#include "tests/engine/sample_rendering/shapes.h"
#include "tests/support/message_of.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;

glm::vec3 boxOf(const Points& points, glm::vec3& centre) {
    glm::vec3 least = points.front();
    glm::vec3 most = points.front();
    for (const glm::vec3& point : points) {
        least = glm::min(least, point);
        most = glm::max(most, point);
    }
    centre = (least + most) / 2.0F;
    return most - least;
}

TEST(PreparedMesh, isCentred_andScaledToTheObjectDiagonal) {
    Mesh mesh = box({3, 4, 12});
    for (glm::vec3& vertex : mesh.vertices) vertex += glm::vec3(100, -50, 7);
    const PreparedMesh subject = prepareMesh(plain(mesh));
    glm::vec3 centre;
    const glm::vec3 size = boxOf(subject.mesh.vertices, centre);
    EXPECT_NEAR(glm::length(size), 0.57, 1e-6);
    EXPECT_NEAR(glm::length(centre), 0, 1e-6);
    EXPECT_NEAR(size.x / size.y, 3.0 / 4, 1e-5);
    EXPECT_NEAR(size.y / size.z, 4.0 / 12, 1e-5);
    EXPECT_EQ(subject.mesh.faces, mesh.faces);
}

TEST(PreparedMesh, isPlacedAlike_inAnyUnit) {
    for (const float unit : {1e-30F, 1.0F, 1e30F}) {
        const PreparedMesh subject = prepareMesh(plain(box(glm::vec3(3, 4, 12) * unit)));
        glm::vec3 centre;
        EXPECT_NEAR(glm::length(boxOf(subject.mesh.vertices, centre)), 0.57, 1e-6) << unit;
    }
}

TEST(PreparedMesh, isTurnedUpright_whenZPointsUp) {
    const PreparedMesh subject = prepareMesh(plain(box({1, 2, 5})), {.isZUp = true});
    glm::vec3 centre;
    const glm::vec3 size = boxOf(subject.mesh.vertices, centre);
    EXPECT_NEAR(size.y / size.x, 5, 1e-5);
    EXPECT_NEAR(size.y / size.z, 2.5, 1e-5);
    // The mesh is rotated, not mirrored: normals still point outwards.
    for (std::size_t i = 0; i < subject.mesh.faces.size(); ++i)
        EXPECT_GT(glm::dot(subject.normals[3 * i], subject.mesh.vertices[subject.mesh.faces[i].x]),
                  0);
}

TEST(PreparedMesh, keepsItsPosition_whenAsked) {
    const Mesh mesh = box({0.1F, 0.2F, 0.1F});
    EXPECT_EQ(prepareMesh(plain(mesh), {.keepsCoordinates = true}).mesh.vertices, mesh.vertices);
}

TEST(PreparedMesh, losesFacesWithoutAreaAndVerticesWithoutFace) {
    TexturedMesh textured = plain(box({1, 1, 1}));
    textured.mesh.vertices.emplace_back(1e30F);  // unused and far away
    textured.mesh.faces.insert(textured.mesh.faces.begin(), {0, 0, 1});
    textured.mesh.vertices.emplace_back(0.0F, -1.0F, -1.0F);  // collinear with vertices 0 and 1
    textured.mesh.faces.emplace_back(0, 9, 1);
    textured.appearance.materials = {{}, {}};
    textured.appearance.materialOfFace.assign(14, 1);
    textured.appearance.materialOfFace.front() = 0;
    textured.appearance.textureCoordinates.resize(42);
    textured.mesh.colours.assign(10, glm::vec3(0.5F));
    const PreparedMesh subject = prepareMesh(textured);
    EXPECT_EQ(subject.degenerateFaceCount, 2U);
    EXPECT_EQ(subject.mesh.faces.size(), 12U);
    EXPECT_EQ(subject.mesh.vertices.size(), 8U);
    EXPECT_EQ(subject.colours.size(), 8U);
    EXPECT_EQ(subject.faceMaterials.textureCoordinates.size(), 36U);
    EXPECT_EQ(subject.faceMaterials.materialOfFace, std::vector<std::uint32_t>(12, 1));
    glm::vec3 centre;
    EXPECT_NEAR(glm::length(boxOf(subject.mesh.vertices, centre)), 0.57, 1e-6);
}

TEST(PreparedMesh, isRefused_whenThereIsNoSurface) {
    TexturedMesh cloud = plain(box({1, 1, 1}));
    cloud.mesh.faces.clear();
    EXPECT_THAT(messageOf<InputError>([&] { prepareMesh(cloud); }),
                HasSubstr("shape.obj: holds 8 points and no faces"));
    EXPECT_THAT(messageOf<InputError>([] {
                    prepareMesh(plain(box({1, 0, 0})));
                }),
                HasSubstr("none of its 12 faces has an area"));
}

TEST(PreparedMesh, isAbandoned_whenCancelled) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(prepareMesh(plain(box({1, 1, 1})), {}, stop.get_token()), Cancelled);
    EXPECT_THROW(creaseNormals(box({1, 1, 1}), stop.get_token()), Cancelled);
}

TEST(CreaseNormals, areSmoothOnABall_andFlatOnABox) {
    const Mesh sphere = ball(24);
    const PreparedMesh round = prepareMesh(plain(sphere));
    for (std::size_t i = 0; i < round.mesh.faces.size(); ++i)
        for (int k = 0; k < 3; ++k) {
            const glm::vec3 out = glm::normalize(round.mesh.vertices[round.mesh.faces[i][k]]);
            EXPECT_GT(glm::dot(round.normals[3 * i + static_cast<std::size_t>(k)], out), 0.998);
        }
    for (const glm::vec3& normal : creaseNormals(box({1, 2, 3})))
        EXPECT_NEAR(std::max({std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)}), 1,
                    1e-5);
}

TEST(CreaseNormals, areTheSame_whenVerticesAreRepeatedForEachFace) {
    const Mesh shared = ball(12);
    Mesh apart;
    for (const glm::u32vec3& face : shared.faces) {
        const auto first = static_cast<std::uint32_t>(apart.vertices.size());
        for (int k = 0; k < 3; ++k) apart.vertices.push_back(shared.vertices[face[k]]);
        apart.faces.emplace_back(first, first + 1, first + 2);
    }
    const std::vector<glm::vec3> one = creaseNormals(shared);
    const std::vector<glm::vec3> other = creaseNormals(apart);
    for (std::size_t i = 0; i < one.size(); ++i)
        EXPECT_LT(glm::length(one[i] - other[i]), 1e-5) << i;
}

}  // namespace
}  // namespace threefold::test
