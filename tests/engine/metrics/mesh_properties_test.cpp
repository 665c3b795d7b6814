#include "engine/metrics/mesh_properties.h"

#include <cmath>

#include <gtest/gtest.h>

namespace threefold {
namespace {

const Points kTetrahedronCorners = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
const Faces kCornerTetrahedron = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

TEST(MeshProperties, areThoseOfATetrahedron) {
    const MeshProperties found = meshProperties(kTetrahedronCorners, kCornerTetrahedron);
    EXPECT_EQ(found.size, glm::dvec3(1, 2, 3));
    EXPECT_DOUBLE_EQ(found.area, 1 + 1.5 + 3 + std::sqrt(36 + 9 + 4) / 2);
    EXPECT_EQ(found.components, 1U);
    EXPECT_TRUE(found.isWatertight());
}

TEST(MeshProperties, countTheBorder_whereAFaceIsMissing) {
    Faces open = kCornerTetrahedron;
    open.pop_back();
    const MeshProperties found = meshProperties(kTetrahedronCorners, open);
    EXPECT_FALSE(found.isWatertight());
    EXPECT_EQ(found.borderEdges, 3U);
    EXPECT_EQ(found.crowdedEdges, 0U);
    EXPECT_EQ(found.components, 1U);
}

TEST(MeshProperties, countEdgesOfThreeFaces) {
    Faces crowded = kCornerTetrahedron;
    Points corners = kTetrahedronCorners;
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
    for (const glm::u32vec3& face : kCornerTetrahedron) {
        const auto first = static_cast<std::uint32_t>(corners.size());
        for (int corner = 0; corner < 3; ++corner)
            corners.push_back(kTetrahedronCorners[face[corner]]);
        faces.emplace_back(first, first + 1, first + 2);
    }
    corners[0].z = -0.0F;
    const MeshProperties found = meshProperties(corners, faces);
    EXPECT_TRUE(found.isWatertight());
    EXPECT_EQ(found.components, 1U);
}

TEST(MeshProperties, countPartsThatShareNoVertex_butNoPointsWithoutFaces) {
    Points corners = kTetrahedronCorners;
    Faces faces = kCornerTetrahedron;
    for (const glm::vec3& corner : kTetrahedronCorners) corners.push_back(corner + glm::vec3(5));
    for (const glm::u32vec3& face : kCornerTetrahedron) faces.push_back(face + 4U);
    corners.emplace_back(9, 9, 9);
    const MeshProperties found = meshProperties(corners, faces);
    EXPECT_EQ(found.components, 2U);
    EXPECT_TRUE(found.isWatertight());
    EXPECT_EQ(found.size, glm::dvec3(9));

    const MeshProperties points = meshProperties(kTetrahedronCorners, Faces{});
    EXPECT_EQ(points.components, 0U);
    EXPECT_EQ(points.area, 0);
    EXPECT_FALSE(points.isWatertight());
}

// A face without area adds none of its edges, which other faces have as well.
TEST(MeshProperties, areTheSame_withFacesOfTwoEqualCorners) {
    Faces faces = kCornerTetrahedron;
    faces.emplace_back(0, 0, 1);
    EXPECT_TRUE(meshProperties(kTetrahedronCorners, faces).isWatertight());
}

}  // namespace
}  // namespace threefold
