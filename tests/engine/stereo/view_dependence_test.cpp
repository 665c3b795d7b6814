#include "engine/stereo/view_dependence.h"

#include <vector>

#include <gtest/gtest.h>

#include "engine/raster/camera_depths.h"
#include "tests/engine/hull/shapes.h"
#include "tests/engine/stereo/photographs.h"

namespace threefold::stereo {
namespace {

double dependenceOf(double contrast, test::Lamp lamp, int count = 12) {
    constexpr int kSide = 120;
    const Mesh mesh = test::pit(0.05F);
    std::vector<StereoView> views;
    std::vector<DepthMap> maps;
    for (const Camera& camera : test::camerasAround(count)) {
        const Image photograph = test::texturedPhotograph(mesh, camera, kSide, contrast, lamp);
        views.push_back(stereoView(camera, photograph, foregroundOf(photograph).value(), kSide));
        maps.emplace_back().base = cameraDepths(mesh, camera, kSide);
    }
    return viewDependence(views, maps, mesh);
}

TEST(ViewDependence, isLarge_whereTheLightTurnsWithTheCamera) {
    EXPECT_GT(dependenceOf(0, test::Lamp::besideCamera), 0.5);
    EXPECT_GT(dependenceOf(40, test::Lamp::besideCamera), 0.2);
}

TEST(ViewDependence, isSmall_whereTheLightIsFixed) {
    EXPECT_LT(dependenceOf(40, test::Lamp::fixed), 0.1);
}

TEST(ViewDependence, isOne_whereTooLittleIsSeen) {
    EXPECT_EQ(viewDependence({}, {}, Mesh{}), 1);
}

}  // namespace
}  // namespace threefold::stereo
