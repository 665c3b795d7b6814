#include "engine/fitting/mesh_levels.h"

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/geometry/vertex_normals.h"
#include "tests/engine/fitting/sphere.h"

namespace threefold::fitting {
namespace {

TEST(Subdivision, splitsEachFaceInFour_keepingItsOrientation) {
    const TemplateMesh mesh = test::sphereTemplate(1);
    const MeshLevels levels(mesh);
    const Points coarse = test::sphereVertices(mesh);
    const SubdividedMesh fine = subdivide(levels, coarse);
    EXPECT_EQ(fine.levels.faces().size(), 4 * levels.faces().size());
    ASSERT_EQ(fine.vertices.size(), coarse.size() + levels.interiorEdges().size());
    EXPECT_EQ(fine.levels.vertexCount(), fine.vertices.size());
    // In a closed mesh each edge joins two faces, so there are 3/2 times as many edges as faces.
    EXPECT_EQ(fine.levels.interiorEdges().size(), fine.levels.faces().size() * 3 / 2);
    const Points normals = vertexNormals(fine.vertices, fine.levels.faces());
    for (std::size_t v = 0; v < fine.vertices.size(); ++v)
        EXPECT_GT(glm::dot(normals[v], glm::normalize(fine.vertices[v])), 0.95);

    // The coarser level is the former mesh.
    ASSERT_EQ(fine.levels.levelCount(), 2U);
    Points midpoints = coarse;
    fine.levels.interpolate(0, midpoints);
    ASSERT_EQ(midpoints.size(), fine.vertices.size());
    for (std::size_t v = 0; v < midpoints.size(); ++v)
        EXPECT_LT(glm::distance(midpoints[v], fine.vertices[v]), 0.3);
}

TEST(Subdivision, approachesASmoothSurface_withEachLevel) {
    const TemplateMesh mesh = test::sphereTemplate(1);
    SubdividedMesh fine = subdivide(MeshLevels(mesh), test::sphereVertices(mesh));
    const double before = meanCrease(fine.levels, fine.vertices);
    fine = subdivide(fine.levels, fine.vertices);
    EXPECT_LT(meanCrease(fine.levels, fine.vertices), 0.4 * before);
}

TEST(Subdivision, keepsAPlaneFlat_andItsBorder) {
    const Points square = {{0, 0, 5}, {2, 0, 5}, {2, 2, 5}, {0, 2, 5}};
    const SubdividedMesh fine = subdivide(MeshLevels(4, {{0, 1, 2}, {0, 2, 3}}), square);
    ASSERT_EQ(fine.vertices.size(), 9U);
    for (std::size_t v = 0; v < square.size(); ++v) EXPECT_EQ(fine.vertices[v], square[v]);
    for (const glm::vec3 point : {glm::vec3(1, 0, 5), {2, 1, 5}, {1, 2, 5}, {0, 1, 5}, {1, 1, 5}})
        EXPECT_THAT(fine.vertices, testing::Contains(point));
}

}  // namespace
}  // namespace threefold::fitting
