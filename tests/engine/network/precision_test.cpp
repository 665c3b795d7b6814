#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/network/precision.h"

namespace threefold {
namespace {

TEST(PrecisionName, isParsedBack) {
    for (const Precision precision : kAllPrecisions) {
        EXPECT_EQ(precisionFromName(precisionName(precision)), precision);
    }
    EXPECT_EQ(precisionFromName("bf16"), Precision::bfloat16);
    EXPECT_THROW(precisionFromName("half"), UsageError);
}

}  // namespace
}  // namespace threefold
