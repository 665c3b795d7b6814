#include "engine/order_statistics.h"

#include <numeric>

#include <gtest/gtest.h>

namespace threefold::test {
namespace {

TEST(NearestRank, isThatOfTheExactFraction_whenItsBinaryValueIsLarger) {
    EXPECT_EQ(nearestRank(0.55, 100), 55U);
    EXPECT_EQ(nearestRank(1 - 0.99, 100), 1U);
    EXPECT_EQ(nearestRank(0, 100), 1U);
    EXPECT_EQ(nearestRank(1, 100), 100U);
}

TEST(PercentileOfSorted, agreesWithPercentile_forOneList) {
    for (std::size_t count = 1; count <= 200; ++count) {
        std::vector<float> values(count);
        std::iota(values.begin(), values.end(), 0.0F);
        const std::vector<float>* const lists[] = {&values};
        for (int hundredths = 1; hundredths < 100; ++hundredths)
            for (const double fraction : {hundredths / 100.0, 1 - hundredths / 100.0})
                ASSERT_EQ(quantileOfSorted(lists, fraction),
                          quantile(std::span<const float>(values), fraction))
                    << count << ' ' << fraction;
    }
}

}  // namespace
}  // namespace threefold::test
