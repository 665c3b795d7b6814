#include "engine/random_numbers.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(SplitMix, givesTheReferenceValues_onEveryMachine) {
    std::uint64_t state = 1234567;
    EXPECT_EQ(splitMix64(state), 6457827717110365317U);
    EXPECT_EQ(splitMix64(state), 3203168211198807973U);
    EXPECT_EQ(splitMix64(state), 9817491932198370423U);
}

TEST(RandomGenerator, givesOneSequence_forEachSeedAndName) {
    const auto first = [](std::uint64_t seed, const std::string& name) {
        return RandomGenerator(seed, name).uniform(0, 1);
    };
    EXPECT_EQ(first(1, "chair"), first(1, "chair"));
    EXPECT_NE(first(1, "chair"), first(2, "chair"));
    EXPECT_NE(first(1, "chair"), first(1, "table"));
}

TEST(RandomGenerator, staysWithinTheLimits) {
    RandomGenerator random(7, "limits");
    for (int i = 0; i < 1000; ++i) {
        const double value = random.uniform(-2, 3);
        ASSERT_GE(value, -2);
        ASSERT_LT(value, 3);
    }
}

}  // namespace
}  // namespace threefold
