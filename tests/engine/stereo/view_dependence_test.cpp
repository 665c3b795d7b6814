#include "engine/stereo/view_dependence.h"

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/raster/camera_depths.h"
#include "engine/views/foreground.h"
#include "tests/engine/hull/shapes.h"
#include "tests/engine/stereo/photographs.h"

namespace threefold::stereo {
namespace {

/// Splits every face into four until there are enough vertices.
Mesh subdivided(Mesh mesh) {
    constexpr std::size_t kEnough = 3000;
    while (mesh.vertices.size() < kEnough) {
        Mesh finer;
        for (const glm::u32vec3& face : mesh.faces) {
            const auto first = static_cast<std::uint32_t>(finer.vertices.size());
            for (int corner = 0; corner < 3; ++corner)
                finer.vertices.push_back(mesh.vertices[face[corner]]);
            for (int corner = 0; corner < 3; ++corner)
                finer.vertices.push_back(
                    (mesh.vertices[face[corner]] + mesh.vertices[face[(corner + 1) % 3]]) / 2.0F);
            for (const glm::u32vec3& part : {glm::u32vec3(0, 3, 5), glm::u32vec3(3, 1, 4),
                                             glm::u32vec3(5, 4, 2), glm::u32vec3(3, 4, 5)})
                finer.faces.push_back(part + first);
        }
        mesh = std::move(finer);
    }
    return mesh;
}

double dependenceOf(double contrast, test::Lamp lamp, int count = 12) {
    constexpr int kPixels = 120;
    const Mesh mesh = subdivided(test::pit(0.05F));
    std::vector<StereoView> views;
    std::vector<DepthMap> maps;
    for (const Camera& camera : test::camerasAround(count)) {
        const Image photograph = test::texturedPhotograph(mesh, camera, kPixels, contrast, lamp);
        views.push_back(stereoView(camera, photograph, foregroundOf(photograph).value(), kPixels));
        maps.emplace_back().searchDepth = cameraDepths(mesh, camera, kPixels);
    }
    return viewDependence(views, maps, mesh);
}

TEST(ViewDependence, isLarge_whenTheLightTurnsWithTheCamera) {
    for (const double contrast : {0.0, 40.0}) {
        const double fraction = dependenceOf(contrast, test::Lamp::besideCamera);
        EXPECT_GT(fraction, 0.2) << contrast;
        EXPECT_LT(fraction, 1) << contrast;
    }
}

TEST(ViewDependence, isSmall_whenTheLightIsFixed) {
    EXPECT_LT(dependenceOf(40, test::Lamp::fixed), 0.1);
}

TEST(ViewDependence, isOne_whenTooLittleIsVisible) {
    EXPECT_EQ(viewDependence({}, {}, Mesh{}), 1);
}

}  // namespace
}  // namespace threefold::stereo
