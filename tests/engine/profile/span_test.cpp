#include "engine/profile/span.h"

#include <gtest/gtest.h>

#include "tests/support/nest_properly.h"

namespace threefold {
namespace {

TEST(LaneName, numbersLanes_whenTheirKindMayHaveSeveral) {
    EXPECT_EQ(laneName({LaneKind::processor, 0}), "CPU");
    EXPECT_EQ(laneName({LaneKind::processor, 1}), "CPU 2");
    EXPECT_EQ(laneName({LaneKind::gpu, 0}), "GPU stream 1");
    EXPECT_EQ(laneName({LaneKind::window, 0}), "window");
    EXPECT_EQ(laneName({LaneKind::render, 0}), "render");
}

TEST(NestProperly, isFalse_whenSpansOfALaneCross) {
    const Lane lane;
    EXPECT_TRUE(test::nestProperly({}));
    EXPECT_TRUE(
        test::nestProperly({{"a", lane, 0, 10, 0}, {"b", lane, 2, 8, 0}, {"c", lane, 2, 3, 0}}));
    EXPECT_TRUE(test::nestProperly({{"b", lane, 10, 1, 0}, {"a", lane, 0, 10, 0}}));
    EXPECT_FALSE(test::nestProperly({{"a", lane, 0, 10, 0}, {"b", lane, 5, 6, 0}}));
    EXPECT_FALSE(
        test::nestProperly({{"a", lane, 0, 10, 0}, {"b", lane, 1, 2, 0}, {"c", lane, 2, 2, 0}}));
    EXPECT_TRUE(test::nestProperly({{"a", lane, 0, 10, 0}, {"b", {LaneKind::gpu, 0}, 5, 6, 0}}));
    EXPECT_FALSE(test::nestProperly({{"a", lane, 0, -1, 0}}));
}

}  // namespace
}  // namespace threefold
