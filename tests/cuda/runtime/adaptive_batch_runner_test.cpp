#include "cuda/runtime/adaptive_batch_runner.h"

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace threefold::cuda {
namespace {

[[noreturn]] void failForMemory() {
    throw OutOfDeviceMemory({"GPU 0", "cudaMallocAsync", "out of memory", ""}, std::size_t{3} << 20,
                            std::size_t{1} << 20);
}

TEST(AdaptiveBatchRunner, halvesTheBatchUntilItFits_andKeepsItsSize) {
    std::vector<std::size_t> tried;
    int roomMade = 0;
    AdaptiveBatchRunner batches(16, [&] { ++roomMade; });
    const auto holdsFive = [&](std::size_t, std::size_t count) {
        tried.push_back(count);
        if (count > 5) failForMemory();
    };
    batches.run(10, holdsFive);
    EXPECT_EQ(tried, (std::vector<std::size_t>{10, 5, 5}));
    EXPECT_EQ(roomMade, 1);
    EXPECT_EQ(batches.size(), 5U);
    tried.clear();
    batches.run(7, holdsFive);
    EXPECT_EQ(tried, (std::vector<std::size_t>{5, 2}));
}

TEST(AdaptiveBatchRunner, growsAgain_whenMemoryIsFree) {
    std::size_t held = 4;
    std::vector<std::size_t> failed;
    AdaptiveBatchRunner batches(16, {});
    const auto run = [&](std::size_t, std::size_t count) {
        if (count <= held) return;
        failed.push_back(count);
        failForMemory();
    };
    batches.run(16 + 4 * BatchLimit::kFirstWait, run);
    EXPECT_EQ(failed, (std::vector<std::size_t>{16, 8, 8}));
    EXPECT_EQ(batches.size(), 4U);
    held = 64;
    batches.run(1000, run);
    EXPECT_EQ(batches.size(), 16U);
    EXPECT_EQ(failed.size(), 3U);
    // Batches that ran elsewhere count as full batches, too.
    held = 8;
    batches.run(16, run);
    EXPECT_EQ(batches.size(), 8U);
    for (std::size_t i = 0; i < BatchLimit::kMaxWait; ++i) batches.recordSuccess(8);
    EXPECT_EQ(batches.size(), 16U);
}

TEST(AdaptiveBatchRunner, runsEachItemOnceAndInOrder_whenBatchesFail) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](std::size_t limit) {
            return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
        };
        const std::size_t items = below(60);
        std::vector<std::size_t> done;
        bool failedLast = false;
        AdaptiveBatchRunner batches(1 + below(20), {});
        batches.run(items, [&](std::size_t first, std::size_t count) {
            ASSERT_GE(count, 1U);
            ASSERT_EQ(first, done.size());
            // A single item is tried only twice, so it must not fail twice here.
            failedLast = below(3) == 0 && !(count == 1 && failedLast);
            if (failedLast) failForMemory();
            for (std::size_t i = 0; i < count; ++i) done.push_back(first + i);
        });
        ASSERT_EQ(done.size(), items);
        for (std::size_t i = 0; i < items; ++i) ASSERT_EQ(done[i], i);
    }
}

TEST(AdaptiveBatchRunner, namesTheMissingMemory_whenOneItemDoesNotFit) {
    int roomMade = 0;
    std::vector<std::size_t> tried;
    std::vector<std::string> lines;
    AdaptiveBatchRunner batches(
        4, [&] { ++roomMade; }, [&](LogLevel, std::string_view line) { lines.emplace_back(line); });
    try {
        batches.run(3, [&](std::size_t, std::size_t count) {
            tried.push_back(count);
            failForMemory();
        });
        FAIL();
    } catch (const OutOfDeviceMemory& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("3.0 MiB"), std::string::npos) << text;
        EXPECT_NE(text.find("1.0 MiB"), std::string::npos) << text;
        EXPECT_NE(text.find("`backend=cpu`"), std::string::npos) << text;
        EXPECT_EQ(error.requestedBytes(), std::size_t{3} << 20);
    }
    EXPECT_EQ(tried, (std::vector<std::size_t>{3, 1, 1}));
    EXPECT_EQ(roomMade, 2);
    EXPECT_EQ(lines.size(), 2U);
}

TEST(AdaptiveBatchRunner, passesOnEveryOtherException) {
    int roomMade = 0;
    AdaptiveBatchRunner batches(4, [&] { ++roomMade; });
    EXPECT_THROW(batches.run(9, [](std::size_t, std::size_t) { throw Cancelled(); }), Cancelled);
    EXPECT_THROW(batches.run(9,
                             [](std::size_t, std::size_t) {
                                 throw DeviceLost({"GPU 0", "", "gone", ""});
                             }),
                 DeviceLost);
    EXPECT_EQ(roomMade, 0);
    EXPECT_EQ(batches.size(), 4U);
    EXPECT_THROW(AdaptiveBatchRunner(0, {}), std::logic_error);
}

}  // namespace
}  // namespace threefold::cuda
