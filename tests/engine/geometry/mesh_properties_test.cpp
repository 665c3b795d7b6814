#include "engine/geometry/mesh_properties.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace threefold {
namespace {

const Points kTetrahedronCorners = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
const Faces kTetrahedronFaces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

TEST(MeshProperties, areThoseOfATetrahedron) {
    const MeshProperties found = meshProperties(kTetrahedronCorners, kTetrahedronFaces);
    EXPECT_EQ(found.size, glm::dvec3(1, 2, 3));
    EXPECT_DOUBLE_EQ(found.area, 1 + 1.5 + 3 + std::sqrt(36 + 9 + 4) / 2);
    EXPECT_EQ(found.componentCount, 1U);
    EXPECT_TRUE(found.isWatertight());
}

TEST(MeshProperties, countTheBorder_whenAFaceIsMissing) {
    Faces open = kTetrahedronFaces;
    open.pop_back();
    const MeshProperties found = meshProperties(kTetrahedronCorners, open);
    EXPECT_FALSE(found.isWatertight());
    EXPECT_EQ(found.boundaryEdgeCount, 3U);
    EXPECT_EQ(found.nonManifoldEdgeCount, 0U);
    EXPECT_EQ(found.componentCount, 1U);
}

TEST(MeshProperties, countEdgesOfThreeFaces) {
    Faces crowded = kTetrahedronFaces;
    Points corners = kTetrahedronCorners;
    corners.emplace_back(-1, -1, -1);
    crowded.emplace_back(0, 1, 4);  // a third face at the edge from 0 to 1
    const MeshProperties found = meshProperties(corners, crowded);
    EXPECT_FALSE(found.isWatertight());
    EXPECT_EQ(found.nonManifoldEdgeCount, 1U);
    EXPECT_EQ(found.boundaryEdgeCount, 2U);
}

// OBJ files with texture seams and STL files have several vertices at one position.
TEST(MeshProperties, mergeVertices_atOnePosition) {
    Points corners;
    Faces faces;
    for (const glm::u32vec3& face : kTetrahedronFaces) {
        const auto first = static_cast<std::uint32_t>(corners.size());
        for (int corner = 0; corner < 3; ++corner)
            corners.push_back(kTetrahedronCorners[face[corner]]);
        faces.emplace_back(first, first + 1, first + 2);
    }
    corners[0].z = -0.0F;
    const MeshProperties found = meshProperties(corners, faces);
    EXPECT_TRUE(found.isWatertight());
    EXPECT_EQ(found.componentCount, 1U);
}

TEST(MeshProperties, countComponents_butNoPointsWithoutFaces) {
    Points corners = kTetrahedronCorners;
    Faces faces = kTetrahedronFaces;
    for (const glm::vec3& corner : kTetrahedronCorners) corners.push_back(corner + glm::vec3(5));
    for (const glm::u32vec3& face : kTetrahedronFaces) faces.push_back(face + 4U);
    corners.emplace_back(9, 9, 9);
    const MeshProperties found = meshProperties(corners, faces);
    EXPECT_EQ(found.componentCount, 2U);
    EXPECT_TRUE(found.isWatertight());
    EXPECT_EQ(found.size, glm::dvec3(9));

    const MeshProperties points = meshProperties(kTetrahedronCorners, Faces{});
    EXPECT_EQ(points.componentCount, 0U);
    EXPECT_EQ(points.area, 0);
    EXPECT_FALSE(points.isWatertight());
}

// Degenerate faces do not count; otherwise, an edge of this mesh would have more than two faces.
TEST(MeshProperties, areTheSame_withFacesOfTwoEqualCorners) {
    Faces faces = kTetrahedronFaces;
    faces.emplace_back(0, 0, 1);
    faces.emplace_back(2, 2, 2);
    const MeshProperties found = meshProperties(kTetrahedronCorners, faces);
    EXPECT_TRUE(found.isWatertight());
    EXPECT_EQ(found.genus(), 0U);

    Points corners = kTetrahedronCorners;
    corners.emplace_back(9, 9, 9);
    faces.emplace_back(4, 4, 4);
    EXPECT_EQ(meshProperties(corners, faces).componentCount, 1U);
    EXPECT_EQ(meshProperties(corners, faces).genus(), 0U);
}

/// Appends a torus of `around` × `across` quadrilaterals, of two faces each.
void addRing(Points& corners, Faces& faces, std::uint32_t around, std::uint32_t across) {
    const auto first = static_cast<std::uint32_t>(corners.size());
    const auto at = [&](std::uint32_t i, std::uint32_t j) {
        return first + i % around * across + j % across;
    };
    for (std::uint32_t i = 0; i < around; ++i)
        for (std::uint32_t j = 0; j < across; ++j) {
            corners.emplace_back(static_cast<float>(first), static_cast<float>(i),
                                 static_cast<float>(j));
            faces.emplace_back(at(i, j), at(i + 1, j), at(i + 1, j + 1));
            faces.emplace_back(at(i, j), at(i + 1, j + 1), at(i, j + 1));
        }
}

TEST(MeshProperties, countTheHandlesOfAllComponents) {
    EXPECT_EQ(meshProperties(kTetrahedronCorners, kTetrahedronFaces).genus(), 0U);
    Points corners;
    Faces faces;
    addRing(corners, faces, 5, 4);
    EXPECT_EQ(meshProperties(corners, faces).genus(), 1U);
    EXPECT_EQ(meshProperties(corners, faces).eulerCharacteristic, 0);
    addRing(corners, faces, 3, 7);
    EXPECT_EQ(meshProperties(corners, faces).componentCount, 2U);
    EXPECT_EQ(meshProperties(corners, faces).genus(), 2U);
}

TEST(MeshProperties, countTwoComponents_whenAFaceOfTwoEqualCornersLinksThem) {
    Points corners = kTetrahedronCorners;
    Faces faces = kTetrahedronFaces;
    for (const glm::vec3& corner : kTetrahedronCorners) corners.push_back(corner + glm::vec3(5));
    for (const glm::u32vec3& face : kTetrahedronFaces) faces.push_back(face + 4U);
    faces.emplace_back(0, 0, 4);
    const MeshProperties found = meshProperties(corners, faces);
    EXPECT_EQ(found.componentCount, 2U);
    EXPECT_EQ(found.eulerCharacteristic, 4);
    EXPECT_EQ(found.genus(), 0U);
}

TEST(MeshProperties, countNoHandles_whenTheMeshIsOpenOrPinched) {
    Faces open = kTetrahedronFaces;
    open.pop_back();
    EXPECT_EQ(meshProperties(kTetrahedronCorners, open).genus(), std::nullopt);
    EXPECT_EQ(meshProperties(kTetrahedronCorners, Faces{}).genus(), std::nullopt);

    Points corners = kTetrahedronCorners;
    Faces pinched = kTetrahedronFaces;
    for (const glm::vec3& corner : kTetrahedronCorners) corners.push_back(-corner);
    for (const glm::u32vec3& face : kTetrahedronFaces)
        // Both tetrahedra have a corner at the origin.
        pinched.emplace_back(face.x + 4U, face.z + 4U, face.y + 4U);
    EXPECT_TRUE(meshProperties(corners, pinched).isWatertight());
    EXPECT_EQ(meshProperties(corners, pinched).genus(), std::nullopt);
}

/// The tetrahedron, scaled and moved along all axes; `inward` reverses its faces.
Mesh bodyAt(float offset, float scale, bool inward = false) {
    Mesh body{kTetrahedronCorners, kTetrahedronFaces};
    for (glm::vec3& corner : body.vertices) corner = corner * scale + offset;
    if (inward)
        for (glm::u32vec3& face : body.faces) std::swap(face.y, face.z);
    return body;
}

EnclosureDefects defectsOf(const std::vector<Mesh>& bodies) {
    Mesh whole;
    for (const Mesh& body : bodies) {
        const auto base = static_cast<std::uint32_t>(whole.vertices.size());
        for (const glm::u32vec3& face : body.faces) whole.faces.push_back(face + base);
        whole.vertices.insert(whole.vertices.end(), body.vertices.begin(), body.vertices.end());
    }
    return enclosureDefects(whole.vertices, whole.faces);
}

TEST(EnclosureDefects, areNone_forClosedBodiesAndCavities) {
    EXPECT_FALSE(defectsOf({bodyAt(0, 1)}).any());
    EXPECT_FALSE(defectsOf({bodyAt(0, 1), bodyAt(10, 1)}).any());
    EXPECT_FALSE(defectsOf({bodyAt(0, 1), bodyAt(0.1F, 0.2F, true)}).any());
    EXPECT_FALSE(defectsOf({bodyAt(0, 1), bodyAt(0.1F, 0.2F, true), bodyAt(0.12F, 0.05F)}).any());
    Mesh split;  // no two faces share a vertex
    for (const glm::u32vec3& face : kTetrahedronFaces) {
        const auto base = static_cast<std::uint32_t>(split.vertices.size());
        for (int corner = 0; corner < 3; ++corner)
            split.vertices.push_back(kTetrahedronCorners[face[corner]]);
        split.faces.emplace_back(base, base + 1, base + 2);
    }
    EXPECT_FALSE(defectsOf({split}).any());
}

TEST(EnclosureDefects, countMisorientedComponents_whenFacesPointInwardOrBodiesAreNested) {
    EXPECT_EQ(defectsOf({bodyAt(0, 1, true)}).misorientedComponentCount, 1U);
    EXPECT_EQ(defectsOf({bodyAt(0, 1), bodyAt(0.1F, 0.2F)}).misorientedComponentCount, 1U);
    EXPECT_EQ(defectsOf({bodyAt(0, 1), bodyAt(10, 1, true)}).misorientedComponentCount, 1U);
    EXPECT_EQ(defectsOf({{kTetrahedronCorners, {{1, 2, 3}, {1, 3, 2}}}}).misorientedComponentCount,
              1U);
}

TEST(EnclosureDefects, countEdgesAndIntersectingFaces) {
    Mesh open = bodyAt(0, 1);
    open.faces.pop_back();
    EXPECT_EQ(defectsOf({open}).boundaryEdgeCount, 3U);
    Mesh turned = bodyAt(0, 1);
    std::swap(turned.faces[2].y, turned.faces[2].z);
    EXPECT_EQ(defectsOf({turned}).misorientedEdgeCount, 3U);
    EXPECT_GT(defectsOf({bodyAt(0, 1), bodyAt(0.1F, 1)}).intersectingFaceCount, 0U);
}

}  // namespace
}  // namespace threefold
