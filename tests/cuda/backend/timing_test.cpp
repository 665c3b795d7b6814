#include "cuda/library/timing.h"

#include <gtest/gtest.h>

#include "engine/devices/device_error.h"
#include "tests/cuda/backend/plain_cuda.h"

namespace threefold::cuda::library {
namespace {

class Timing : public testing::Test {
  protected:
    void SetUp() override { test::takeReplays(); }
};

TEST_F(Timing, isAFractionOfAReplay_whenWorkIsShort) {
    test::setElapsed(0.02F);
    int captured = 0;
    const auto milliseconds =
        bestReplayMilliseconds(nullptr, [&] { captured += test::capturing() ? 1 : 0; });
    ASSERT_TRUE(milliseconds.has_value());
    ASSERT_GT(captured, 1);
    EXPECT_FLOAT_EQ(*milliseconds, 0.02F / static_cast<float>(captured));
    EXPECT_GT(test::takeReplays(), 1);
}

TEST_F(Timing, isAReplay_whenWorkIsLong) {
    test::setElapsed(20);
    int direct = 0;
    int captured = 0;
    const auto milliseconds =
        bestReplayMilliseconds(nullptr, [&] { ++(test::capturing() ? captured : direct); });
    EXPECT_GE(direct, 1) << "nothing may be loaded while capturing";
    EXPECT_EQ(captured, 1);
    EXPECT_EQ(milliseconds, 20.0F);
}

TEST_F(Timing, givesEveryReplay_whenAskedForAll) {
    test::setElapsed(0.25F);
    test::setNodes(6);
    int captured = 0;
    const ReplayTimes times = replayTimes(
        nullptr, [&] { captured += test::capturing() ? 1 : 0; }, 7);
    EXPECT_EQ(captured, 2);
    EXPECT_EQ(times.nodes, 3U);
    EXPECT_EQ(times.milliseconds, std::vector<float>(7, 0.125F));
    EXPECT_EQ(test::takeReplays(), 7);
}

TEST_F(Timing, isEmpty_whenWorkFails) {
    const auto fails = [] { throw DeviceError({"GPU", "", "no", ""}); };
    EXPECT_EQ(bestReplayMilliseconds(nullptr, fails), std::nullopt);
    EXPECT_EQ(test::takeReplays(), 0);
}

TEST_F(Timing, endsItsCapture_whenWorkCannotBeCaptured) {
    const auto fails = [] {
        if (test::capturing()) throw DeviceError({"GPU", "", "not while capturing", ""});
    };
    EXPECT_EQ(bestReplayMilliseconds(nullptr, fails), std::nullopt);
    EXPECT_FALSE(test::capturing());
    EXPECT_EQ(test::takeReplays(), 0);
}

TEST_F(Timing, rethrows_whenTheDeviceIsLostOrFull) {
    EXPECT_THROW(bestReplayMilliseconds(nullptr,
                                        [] {
                                            throw DeviceLost({"GPU", "", "lost", ""});
                                        }),
                 DeviceLost);
    EXPECT_THROW(bestReplayMilliseconds(nullptr,
                                        [] {
                                            throw OutOfDeviceMemory({"GPU", "", "full", ""});
                                        }),
                 OutOfDeviceMemory);
}

}  // namespace
}  // namespace threefold::cuda::library
