#include "cuda/runtime/warm_up.h"

#include <array>

#include <gtest/gtest.h>

#include "tests/cuda/runtime/fake_device.h"

namespace threefold::cuda {
namespace {

/// Two pools that begin sealed, as after an earlier warm-up.
class WarmUp : public testing::Test {
  protected:
    WarmUp() {
        for (MemoryPool* pool : pools_) pool->seal();
    }
    bool sealed() const { return device_.sealed() && staging_.sealed(); }

    test::FakeDevice fake_;
    MemoryPool device_{fake_, MemoryKind::device};
    MemoryPool staging_{fake_, MemoryKind::pinned};
    std::array<MemoryPool*, 2> pools_{&device_, &staging_};
};

TEST_F(WarmUp, sealsThePoolsAfterTheLastRun) {
    int runs = 0;
    EXPECT_EQ(warmUp(
                  kWarmUpRuns, {},
                  [&] {
                      ++runs;
                      EXPECT_FALSE(device_.sealed());
                      const PooledMemory memory = device_.allocate(1000, nullptr);
                  },
                  pools_),
              15);
    EXPECT_EQ(runs, 15);
    EXPECT_TRUE(sealed());
    EXPECT_EQ(device_.counters().allocations, 1U);
    EXPECT_EQ(device_.counters().lateAllocations, 0U);
}

TEST_F(WarmUp, stopsEarlyAndLeavesThePoolsOpen_whenCancelled) {
    std::stop_source source;
    int runs = 0;
    const auto cancelThird = [&] {
        if (++runs == 3) source.request_stop();
    };
    EXPECT_EQ(warmUp(15, source.get_token(), cancelThird, pools_), 3);
    EXPECT_FALSE(device_.sealed() || staging_.sealed());
    EXPECT_EQ(warmUp(
                  15, {}, [] { throw Cancelled(); }, pools_),
              0);
    EXPECT_FALSE(device_.sealed() || staging_.sealed());
}

TEST_F(WarmUp, passesFailuresOn) {
    EXPECT_THROW(warmUp(
                     15, {},
                     [] {
                         throw DeviceLost({"", "", "gone", ""});
                     },
                     pools_),
                 DeviceLost);
    EXPECT_FALSE(device_.sealed());
}

TEST_F(WarmUp, doesNothing_whenNoRunsAreAskedFor) {
    EXPECT_EQ(warmUp(
                  0, {}, [] { FAIL(); }, pools_),
              0);
    EXPECT_EQ(warmUp(
                  -1, {}, [] { FAIL(); }, pools_),
              0);
    EXPECT_TRUE(sealed());
}

}  // namespace
}  // namespace threefold::cuda
