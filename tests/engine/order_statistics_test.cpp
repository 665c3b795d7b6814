#include "engine/order_statistics.h"

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace threefold {
namespace {

/// 1, 2, … count: the value of each rank is the rank.
std::vector<float> ranks(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 1.0F);
    return values;
}

TEST(Percentile, ignoresTheRoundingOfTheRank_whenTheRankIsWhole) {
    EXPECT_EQ(percentile(std::span<const float>(ranks(100)), 0.55), 55.0F);
    EXPECT_EQ(percentile(std::span<const float>(ranks(100)), 1 - 0.99), 1.0F);
}

TEST(PercentileOfSorted, equalsPercentile_ofTheSameValues) {
    for (std::size_t count = 1; count <= 200; ++count) {
        const std::vector<float> values = ranks(count);
        const std::vector<float>* const list = &values;
        for (int percent = 0; percent <= 100; ++percent)
            for (const double fraction : {percent / 100.0, 1 - percent / 100.0})
                EXPECT_EQ(percentileOfSorted({&list, 1}, fraction),
                          percentile(std::span<const float>(values), fraction))
                    << count << " values, " << fraction;
    }
}

TEST(PercentileOfSorted, isZero_withoutValues) {
    const std::vector<float> none;
    const std::vector<float>* const list = &none;
    EXPECT_EQ(percentileOfSorted({&list, 1}, 0.5), 0.0F);
}

}  // namespace
}  // namespace threefold
