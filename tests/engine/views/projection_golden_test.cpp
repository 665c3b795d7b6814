#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/sample/sample.h"
#include "engine/views/camera.h"
#include "tests/support/decode_all.h"
#include "tests/support/models.h"

namespace threefold {
namespace {

class ProjectionGolden : public testing::TestWithParam<std::pair<const char*, const char*>> {};

/// Compares the template's vertices in all three views. The tolerance of about 0.0005 pixels is the
/// error of the reference's ten float32 roundings of values up to 223.
TEST_P(ProjectionGolden, equalsTheReference_whenTheTemplateIsProjected) {
    constexpr double kTolerance = 2e-6 * 223;
    const auto [golden, category] = GetParam();
    const ArrayMap arrays =
        test::readNpz(std::string(THREEFOLD_TEST_DATA) + "/golden/" + golden + ".npz");
    const std::vector<float> rows = arrays.at("template_h").toFloat();
    const std::vector<float> columns = arrays.at("template_w").toFloat();
    const Points& vertices = test::testModel()->templateMesh.vertices;
    const Sample sample = findSample(std::string(THREEFOLD_RESOURCES) +
                                     "/samples/ShapeNetRendering/" + category + "/p0001");
    ASSERT_EQ(rows.size(), kPublishedViews.size() * vertices.size());
    ASSERT_EQ(columns.size(), rows.size());

    const auto cameraOf = [&](int view) {
        return Camera::fromRow(sample.cameraRows[static_cast<std::size_t>(view)]);
    };
    const Camera first = cameraOf(kPublishedViews.front());
    std::size_t at = 0;
    for (int view : kPublishedViews) {
        const Camera camera = cameraOf(view);
        for (const glm::vec3& vertex : vertices) {
            const glm::dvec2 pixel = projectToPixel(transformBetweenCameras(first, camera, vertex));
            EXPECT_NEAR(std::clamp(pixel.y, 0.0, 223.0), rows[at], kTolerance);
            EXPECT_NEAR(std::clamp(pixel.x, 0.0, 223.0), columns[at], kTolerance);
            ++at;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, ProjectionGolden,
                         testing::Values(std::pair("plane_each", "02691156"),
                                         std::pair("chair_each", "03001627"),
                                         std::pair("car_published", "02958343")));

}  // namespace
}  // namespace threefold
