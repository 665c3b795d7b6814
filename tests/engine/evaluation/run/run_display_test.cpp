#include "engine/evaluation/run/run_display.h"

#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(DisplayCategory, isTheCategorysName_orTheCategoryItself) {
    EXPECT_EQ(displayCategory("02691156"), "airplane");
    EXPECT_EQ(displayCategory("12345678"), "12345678");
    EXPECT_EQ(displayCategory(""), "no category");
}

}  // namespace
}  // namespace threefold
