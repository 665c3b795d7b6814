#include "render/colour_map.h"

#include <cmath>
#include <limits>
#include <string>

#include <gmock/gmock.h>

#include <glm/geometric.hpp>

#include "tests/render/lab.h"

namespace threefold::render {
namespace {

class Map : public testing::TestWithParam<ColourMap> {};

class LightnessMap : public Map {};

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

TEST_P(Map, equalsItsTable_atEntriesAndBetween) {
    const std::span<const glm::vec3> table = colourTable(GetParam());
    for (std::size_t i = 0; i + 1 < table.size(); ++i) {
        const auto at = [&](float offset) {
            return colourAt(GetParam(), (static_cast<float>(i) + offset) / 255.0F);
        };
        EXPECT_LT(glm::distance(at(0.0F), table[i]), 1e-4F);
        EXPECT_LT(glm::distance(at(0.5F), 0.5F * (table[i] + table[i + 1])), 1e-4F);
    }
}

TEST_P(Map, hasANameOfItsOwn) {
    for (const ColourMap other : kAllColourMaps) {
        EXPECT_EQ(colourMapName(other) == colourMapName(GetParam()), other == GetParam());
    }
    EXPECT_THAT(colourMapName(GetParam()), testing::MatchesRegex("[a-z-]+"));
}

TEST_P(LightnessMap, growsLighterInEvenSteps) {
    const std::span<const glm::vec3> table = colourTable(GetParam());
    const float range = labOf(table.back()).x - labOf(table.front()).x;
    EXPECT_GT(range, 70.0F);
    for (std::size_t i = 0; i + 16 < table.size(); i += 16) {
        const float step = labOf(table[i + 16]).x - labOf(table[i]).x;
        EXPECT_GT(step, 0.5F * range * 16.0F / 255.0F) << i;
        EXPECT_LT(step, 1.6F * range * 16.0F / 255.0F) << i;
    }
}

TEST(CoolWarm, isLightestAndGreyAtItsCentre_darkerToBothEndsInEvenSteps) {
    const std::span<const glm::vec3> table = colourTable(ColourMap::coolWarm);
    for (std::size_t i = 0; i + 1 < 128; ++i) {
        const glm::vec3 cool = labOf(table[i]), lessCool = labOf(table[i + 1]);
        const glm::vec3 warm = labOf(table[255 - i]), lessWarm = labOf(table[254 - i]);
        EXPECT_LT(cool.x, lessCool.x) << i;
        EXPECT_LT(warm.x, lessWarm.x) << i;
        const float first = glm::distance(labOf(table[0]), labOf(table[1]));
        EXPECT_NEAR(glm::distance(cool, lessCool), first, 0.05F * first) << i;
        const float last = glm::distance(labOf(table[255]), labOf(table[254]));
        EXPECT_NEAR(glm::distance(warm, lessWarm), last, 0.05F * last) << i;
    }
    const glm::vec3 middle = labOf(colourAt(ColourMap::coolWarm, 0.5F));
    EXPECT_GT(middle.x, 85.0F);
    EXPECT_LT(std::hypot(middle.y, middle.z), 3.0F);
    EXPECT_LT(labOf(table.front()).z, -40.0F);
    EXPECT_GT(labOf(table.back()).y, 40.0F);
}

std::string nameOf(const testing::TestParamInfo<ColourMap>& test) {
    std::string name(colourMapName(test.param));
    std::erase(name, '-');
    return name;
}

INSTANTIATE_TEST_SUITE_P(All, Map, testing::ValuesIn(kAllColourMaps), nameOf);
INSTANTIATE_TEST_SUITE_P(Sequential, LightnessMap,
                         testing::Values(ColourMap::viridis, ColourMap::inferno,
                                         ColourMap::cividis),
                         nameOf);

}  // namespace
}  // namespace threefold::render
