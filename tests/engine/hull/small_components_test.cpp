#include "engine/hull/small_components.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include "tests/engine/hull/shapes.h"

using namespace threefold;

namespace {

/// Appends a sphere at x = `at` with outward faces; with inward faces if `isCavity`.
void addSphere(Mesh& mesh, double radius, float at, bool isCavity = false) {
    const Mesh sphere = test::sphere(radius);
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const glm::vec3& vertex : sphere.vertices)
        mesh.vertices.push_back(vertex + glm::vec3(at, 0, 0));
    for (glm::u32vec3 face : sphere.faces) {
        if (!isCavity) std::swap(face.y, face.z);  // test::sphere() has inward faces
        mesh.faces.push_back(first + face);
    }
}

std::size_t facesAfterwards(Mesh mesh) {
    hull::dropSmallComponents(mesh);
    for (const glm::u32vec3& face : mesh.faces)
        for (int i = 0; i < 3; ++i) EXPECT_LT(face[i], mesh.vertices.size());
    return mesh.faces.size();
}

TEST(SmallComponents, areDropped_whenTheirVolumeIsTiny) {
    const std::size_t ofSphere = test::sphere(0.3).faces.size();
    Mesh mesh;
    addSphere(mesh, 0.3, 0);
    addSphere(mesh, 0.03, 0.5F);  // has a thousandth of the first volume
    EXPECT_EQ(facesAfterwards(mesh), 2 * ofSphere);
    addSphere(mesh, 0.01, -0.5F);
    EXPECT_EQ(facesAfterwards(mesh), 2 * ofSphere);
}

TEST(SmallComponents, includeTheSurfacesOfCavities) {
    Mesh mesh;
    addSphere(mesh, 0.3, 0);
    const std::size_t outside = mesh.faces.size();
    addSphere(mesh, 0.1, 0, true);
    EXPECT_EQ(facesAfterwards(mesh), outside);
}

TEST(SmallComponents, areNone_whenTheMeshIsEmpty) {
    EXPECT_EQ(facesAfterwards({}), 0U);
}

}  // namespace
