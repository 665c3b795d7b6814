#include "engine/system/process_memory.h"

#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(ResidentBytes, isPlausible) {
    const auto bytes = residentBytes();
    ASSERT_TRUE(bytes);
    EXPECT_GT(*bytes, 1'000'000U);
}

TEST(PeakResidentBytes, isPlausible) {
    const auto peak = peakResidentBytes();
    ASSERT_TRUE(peak);
    EXPECT_GT(*peak, 1'000'000U);
}

}  // namespace
}  // namespace threefold
