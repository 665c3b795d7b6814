#include "render/colour_map.h"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "render/linear_light.h"

namespace threefold::render {
namespace {

class Map : public testing::TestWithParam<ColourMap> {};

// CIE L*, 0 to 100.
double lightness(glm::vec3 encoded) {
    const glm::vec3 light = toLinear(encoded);
    const double y = 0.2126 * light.x + 0.7152 * light.y + 0.0722 * light.z;
    return y > 216.0 / 24389.0 ? 116.0 * std::cbrt(y) - 16.0 : y * 24389.0 / 27.0;
}

TEST_P(Map, hasItsEndsAtZeroAndOne) {
    const std::span<const glm::vec3> table = colourTable(GetParam());
    ASSERT_EQ(table.size(), 256U);
    EXPECT_EQ(colourAt(GetParam(), 0.0F), table.front());
    EXPECT_EQ(colourAt(GetParam(), 1.0F), table.back());
}

TEST_P(Map, clampsWhatIsOutside) {
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float t : {-0.5F, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
        EXPECT_EQ(colourAt(GetParam(), t), colourAt(GetParam(), 0.0F)) << t;
    }
    for (const float t : {1.5F, infinity}) {
        EXPECT_EQ(colourAt(GetParam(), t), colourAt(GetParam(), 1.0F)) << t;
    }
}

TEST_P(Map, meetsItsEntriesAndTheirMiddles) {
    const std::span<const glm::vec3> table = colourTable(GetParam());
    for (std::size_t i = 0; i + 1 < table.size(); ++i) {
        const auto at = [&](float offset) {
            return colourAt(GetParam(), (static_cast<float>(i) + offset) / 255.0F);
        };
        EXPECT_LT(glm::distance(at(0.0F), table[i]), 1e-4F);
        EXPECT_LT(glm::distance(at(0.5F), 0.5F * (table[i] + table[i + 1])), 1e-4F);
    }
}

TEST_P(Map, growsLighterInEvenSteps) {
    const std::span<const glm::vec3> table = colourTable(GetParam());
    const double range = lightness(table.back()) - lightness(table.front());
    EXPECT_GT(range, 70.0);
    for (std::size_t i = 0; i + 16 < table.size(); i += 16) {
        const double step = lightness(table[i + 16]) - lightness(table[i]);
        EXPECT_GT(step, 0.5 * range * 16.0 / 255.0) << i;
        EXPECT_LT(step, 1.6 * range * 16.0 / 255.0) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Map, testing::Values(ColourMap::viridis, ColourMap::inferno),
                         [](const auto& test) { return std::string(colourMapName(test.param)); });

}  // namespace
}  // namespace threefold::render
