#include "engine/views/mask.h"

#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(Mask, isMixed_whenItHasObjectAndBackground) {
    EXPECT_TRUE(isMixed(Mask{2, 1, {0, 1}}));
    EXPECT_FALSE(isMixed(Mask{2, 1, {0, 0}}));
    EXPECT_FALSE(isMixed(Mask{2, 1, {1, 1}}));
    EXPECT_FALSE(isMixed(Mask{}));
}

}  // namespace
}  // namespace threefold
