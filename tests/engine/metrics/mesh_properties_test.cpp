#include "engine/metrics/mesh_properties.h"

#include <cmath>

#include <gtest/gtest.h>

namespace threefold {
namespace {

const Points kCorners = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
const Faces kTetrahedron = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

TEST(MeshProperties, areThoseOfATetrahedron) {
    const MeshProperties found = meshProperties(kCorners, kTetrahedron);
    EXPECT_EQ(found.size, glm::dvec3(1, 2, 3));
    EXPECT_DOUBLE_EQ(found.area, 1 + 1.5 + 3 + std::sqrt(36 + 9 + 4) / 2);
    EXPECT_EQ(found.components, 1U);
    EXPECT_TRUE(found.isWatertight());
}

TEST(MeshProperties, countTheBorder_whereAFaceIsMissing) {
    Faces open = kTetrahedron;
    open.pop_back();
    const MeshProperties found = meshProperties(kCorners, open);
    EXPECT_FALSE(found.isWatertight());
    EXPECT_EQ(found.borderEdges, 3U);
    EXPECT_EQ(found.crowdedEdges, 0U);
    EXPECT_EQ(found.components, 1U);
}

TEST(MeshProperties, countEdgesOfThreeFaces) {
    Faces crowded = kTetrahedron;
    Points corners = kCorners;
    corners.emplace_back(-1, -1, -1);
    crowded.emplace_back(0, 1, 4);  // a fin at the edge from 0 to 1
    const MeshProperties found = meshProperties(corners, crowded);
    EXPECT_FALSE(found.isWatertight());
    EXPECT_EQ(found.crowdedEdges, 1U);
    EXPECT_EQ(found.borderEdges, 2U);
}

// As OBJ files with texture seams and STL files have them.
TEST(MeshProperties, takeVerticesAtOnePosition_asOne) {
    Points corners;
    Faces faces;
    for (const glm::u32vec3& face : kTetrahedron) {
        const auto first = static_cast<std::uint32_t>(corners.size());
        for (int corner = 0; corner < 3; ++corner) corners.push_back(kCorners[face[corner]]);
        faces.emplace_back(first, first + 1, first + 2);
    }
    corners[0].z = -0.0F;
    const MeshProperties found = meshProperties(corners, faces);
    EXPECT_TRUE(found.isWatertight());
    EXPECT_EQ(found.components, 1U);
}

TEST(MeshProperties, countPartsThatShareNoVertex_butNoPointsWithoutFaces) {
    Points corners = kCorners;
    Faces faces = kTetrahedron;
    for (const glm::vec3& corner : kCorners) corners.push_back(corner + glm::vec3(5));
    for (const glm::u32vec3& face : kTetrahedron) faces.push_back(face + 4U);
    corners.emplace_back(9, 9, 9);
    const MeshProperties found = meshProperties(corners, faces);
    EXPECT_EQ(found.components, 2U);
    EXPECT_TRUE(found.isWatertight());
    EXPECT_EQ(found.size, glm::dvec3(9));

    const MeshProperties points = meshProperties(kCorners, Faces{});
    EXPECT_EQ(points.components, 0U);
    EXPECT_EQ(points.area, 0);
    EXPECT_FALSE(points.isWatertight());
}

// A face without area adds none of its edges, which other faces have as well.
TEST(MeshProperties, areTheSame_withFacesOfTwoEqualCorners) {
    Faces faces = kTetrahedron;
    faces.emplace_back(0, 0, 1);
    EXPECT_TRUE(meshProperties(kCorners, faces).isWatertight());
}

}  // namespace
}  // namespace threefold
