#include "engine/compute/parallel.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"

namespace threefold {
namespace {

TEST(ParallelFor, visitsEveryItemOnce_whenItemsOutnumberThreads) {
    std::vector<std::atomic<int>> visits(1000);
    parallelFor(3, visits.size(), {}, [&](std::size_t item, std::size_t thread) {
        EXPECT_LT(thread, 3U);
        ++visits[item];
    });
    for (const auto& count : visits) EXPECT_EQ(count, 1);
}

TEST(ParallelFor, doesNothing_whenThereAreNoItems) {
    parallelFor(2, 0, {}, [](std::size_t, std::size_t) { FAIL(); });
}

TEST(ParallelFor, rethrowsTheFirstException_whenAnItemFails) {
    std::atomic<int> after = 0;
    EXPECT_THROW(parallelFor(2, 100000, {},
                             [&](std::size_t item, std::size_t) {
                                 if (item == 10) throw std::runtime_error("item 10");
                                 ++after;
                             }),
                 std::runtime_error);
    EXPECT_LT(after, 100000);
}

TEST(ParallelFor, throwsCancelled_whenStopIsRequestedInside) {
    std::stop_source stop;
    std::atomic<std::size_t> done = 0;
    EXPECT_THROW(parallelFor(2, 100000, stop.get_token(),
                             [&](std::size_t item, std::size_t) {
                                 if (item == 5) stop.request_stop();
                                 ++done;
                             }),
                 Cancelled);
    EXPECT_LT(done, 100000U);
}

TEST(ParallelForChunks, visitsEveryItemOnce_inRangesOfTheChunksSize) {
    std::vector<std::atomic<int>> visits(100);
    parallelForChunks(3, visits.size(), 32, {}, [&](std::size_t begin, std::size_t end) {
        EXPECT_EQ(begin % 32, 0U);
        EXPECT_EQ(end, std::min<std::size_t>(begin + 32, 100));
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    for (const auto& count : visits) EXPECT_EQ(count, 1);
    parallelForChunks(3, 0, 32, {}, [](std::size_t, std::size_t) { FAIL(); });
}

TEST(UsableThreads, equalsTheRequest_upTo64OrTheMachinesThreads) {
    const int max = std::max(64, omp_get_num_procs());
    EXPECT_EQ(resolveThreadCount(1), 1);
    EXPECT_EQ(resolveThreadCount(max), max);
    EXPECT_EQ(resolveThreadCount(max + 1), max);
    EXPECT_EQ(resolveThreadCount(std::numeric_limits<int>::max()), max);
    EXPECT_EQ(resolveThreadCount(0), std::min(omp_get_max_threads(), max));
}

}  // namespace
}  // namespace threefold
