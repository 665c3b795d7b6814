#include "engine/model/expected_weights.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/models.h"

namespace threefold {
namespace {

using Outcome = TensorComparison::Outcome;
using Shape = std::vector<std::size_t>;

template <typename Value>
Array arrayOf(DType type, std::vector<Value> values) {
    Array array{type, {values.size()}, {}};
    array.data.resize(values.size() * sizeof(Value));
    std::memcpy(array.data.data(), values.data(), array.data.size());
    return array;
}

TEST(ExpectedWeights, nameThePublishedTensors_whenTheTemplateIsThePublishedOne) {
    const WeightShapes shapes = expectedWeights(test::testModel()->templateMesh);
    EXPECT_EQ(shapes.size(), 165u + 52u);
    EXPECT_EQ(shapes.at("stage1.cnn.conv1.weight"), (Shape{16, 3, 3, 3}));
    EXPECT_EQ(shapes.at("stage1.cnn.conv15.weight"), (Shape{512, 256, 5, 5}));
    EXPECT_EQ(shapes.at("stage1.cnn.conv18.bias"), (Shape{512}));
    EXPECT_EQ(shapes.at("stage1.gcn1_layers.0.weights.0"), (Shape{2883, 192}));
    EXPECT_EQ(shapes.at("stage1.gcn2_layers.0.weights.1"), (Shape{3075, 192}));
    EXPECT_EQ(shapes.at("stage1.gcn1_layers.13.weights.0"), (Shape{192, 3}));
    EXPECT_EQ(shapes.at("stage1.gcn3_layers.14.bias"), (Shape{3}));
    EXPECT_EQ(shapes.at("stage2.cnn.conv8.weight"), (Shape{64, 64, 3, 3}));
    EXPECT_EQ(shapes.at("stage2.drb1.local_conv1.weights.0"), (Shape{339, 192}));
    EXPECT_EQ(shapes.at("stage2.drb2.local_conv6.weights.1"), (Shape{192, 1}));
    EXPECT_FALSE(shapes.contains("stage1.gcn1_layers.14.bias"));
    EXPECT_FALSE(shapes.contains("stage2.cnn.conv9.weight"));
}

TEST(CompareWeights, givesEveryTensorItsOutcome_whenSomeDoNotFit) {
    const WeightShapes expected = {{"a", {2}}, {"b", {2}}, {"c", {2}}, {"d", {2}}, {"e", {2}}};
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const ArrayMap found = {{"a", makeArray(std::vector<float>{1, 2}, {2})},
                            {"b", makeArray(std::vector<float>{1, 2}, {1, 2})},
                            {"c", makeArray(std::vector<float>{1, nan}, {2})},
                            {"d", makeArray(std::vector<std::int32_t>{1, 2}, {2})},
                            {"z", makeArray(std::vector<float>{1}, {1})}};
    const std::vector<TensorComparison> lines = compareWeights(found, expected);
    const std::vector<std::pair<std::string, Outcome>> outcomes = {
        {"a", Outcome::matched},    {"b", Outcome::wrongShape}, {"c", Outcome::notFinite},
        {"d", Outcome::wrongShape}, {"e", Outcome::missing},    {"z", Outcome::leftOver}};
    ASSERT_EQ(lines.size(), outcomes.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(lines[i].name, outcomes[i].first);
        EXPECT_EQ(lines[i].outcome, outcomes[i].second) << lines[i].name;
    }
    EXPECT_EQ(lines[1].found, "f32 [1, 2]");
    EXPECT_EQ(lines[1].expected, "[2]");
    EXPECT_EQ(lines[4].found, "");
    EXPECT_EQ(lines[5].expected, "");
}

TEST(AllFinite, checksEveryElementType) {
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_TRUE(allFinite(arrayOf<std::uint16_t>(DType::f16, {0x7BFF, 0xFBFF, 0})));
    EXPECT_FALSE(allFinite(arrayOf<std::uint16_t>(DType::f16, {0, 0, 0x7C00})));
    EXPECT_FALSE(allFinite(arrayOf<std::uint16_t>(DType::f16, {0xFE00, 0, 0})));
    EXPECT_TRUE(allFinite(arrayOf<std::uint16_t>(DType::bf16, {0x7C00, 0xFF7F})));
    EXPECT_FALSE(allFinite(arrayOf<std::uint16_t>(DType::bf16, {0x7F80})));
    EXPECT_TRUE(allFinite(arrayOf<float>(DType::f32, {std::numeric_limits<float>::max(), -1})));
    EXPECT_FALSE(allFinite(arrayOf<float>(DType::f32, {1, -infinity})));
    EXPECT_TRUE(allFinite(arrayOf<double>(DType::f64, {1e38})));
    EXPECT_FALSE(allFinite(arrayOf<double>(DType::f64, {1, std::nan("")})));
    EXPECT_TRUE(allFinite(arrayOf<std::int32_t>(DType::i32, {-1})));
    EXPECT_TRUE(allFinite(makeArray(std::vector<float>{}, {0})));
}

TEST(AllFinite, refusesADouble_whenAFloatCannotHoldIt) {
    EXPECT_FALSE(allFinite(arrayOf<double>(DType::f64, {1e39})));
}

}  // namespace
}  // namespace threefold
