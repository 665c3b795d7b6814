#include "engine/network/hypothesis_block.h"

#include <limits>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/system/processor.h"
#include "tests/support/models.h"

namespace threefold::test {
namespace {

OperandRanges rangesOf(float value) {
    OperandRanges ranges{std::vector<float>(kStage2FeatureWidth - 3, value), {}};
    ranges.inputs.fill(value);
    return ranges;
}

TEST(OperandRanges, keepTheLarger_whenOthersAreIncluded) {
    OperandRanges ranges;
    ranges.include({{1.0F, 5.0F}, {0.5F, 0.0F, 7.0F, 0.0F}});
    ranges.include({{2.0F, 3.0F}, {0.25F, 1.0F, 0.0F, 0.0F}});
    EXPECT_EQ(ranges.features, (std::vector<float>{2.0F, 5.0F}));
    EXPECT_EQ(ranges.inputs, (std::array<float, 4>{0.5F, 1.0F, 7.0F, 0.0F}));
}

TEST(HypothesisBlock, refuses_whenRangesOfInt8AreMissingOrNotFinite) {
    if (!processorHasVnni()) GTEST_SKIP() << "this processor has no 8-bit products";
    const auto make = [&](const OperandRanges& ranges) {
        return HypothesisBlock(*testModel(), 0, Precision::int8, 1,
                               *simd::runnableNetworkKernels().front(), ranges);
    };
    EXPECT_THROW(make({}), InputError);
    for (const float bad :
         {-1.0F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        OperandRanges ranges = rangesOf(1.0F);
        ranges.inputs[2] = bad;
        EXPECT_THROW(make(ranges), InputError) << bad;
        ranges = rangesOf(1.0F);
        ranges.features.back() = bad;
        EXPECT_THROW(make(ranges), InputError) << bad;
    }
    EXPECT_NO_THROW(make(rangesOf(0.0F))) << "all ranges are 0, so every quantisation scale is 0";
}

}  // namespace
}  // namespace threefold::test
