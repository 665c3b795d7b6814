#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

#include "cuda/runtime/batch_limit.h"

namespace threefold::cuda {
namespace {

/// Number of full batches after which the limit rises.
std::size_t batchesUntilClimb(BatchLimit& limit) {
    const std::size_t before = limit.size();
    std::size_t batches = 0;
    while (limit.size() == before && batches < 10 * BatchLimit::kMaxWait) {
        limit.recordSuccess(limit.size());
        ++batches;
    }
    return batches;
}

TEST(BatchLimit, halves_whenOutOfMemory_downToOne) {
    BatchLimit limit(16);
    limit.recordOutOfMemory(16);
    EXPECT_EQ(limit.size(), 8U);
    limit.recordOutOfMemory(5);
    EXPECT_EQ(limit.size(), 2U);
    limit.recordOutOfMemory(2);
    limit.recordOutOfMemory(1);
    EXPECT_EQ(limit.size(), 1U);
    EXPECT_THROW(BatchLimit(0), std::logic_error);
}

TEST(BatchLimit, staysLow_whenAnEarlierLargerBatchFails) {
    BatchLimit limit(64);
    limit.recordOutOfMemory(8);
    limit.recordOutOfMemory(64);
    EXPECT_EQ(limit.size(), 4U);
}

TEST(BatchLimit, climbsAgain_afterEnoughFullBatches) {
    BatchLimit limit(20);
    limit.recordOutOfMemory(20);
    limit.recordOutOfMemory(10);
    ASSERT_EQ(limit.size(), 5U);
    for (int i = 0; i < 100; ++i) limit.recordSuccess(4);
    EXPECT_EQ(limit.size(), 5U) << "only full batches may raise the limit";
    EXPECT_EQ(batchesUntilClimb(limit), BatchLimit::kFirstWait);
    EXPECT_EQ(limit.size(), 10U);
    EXPECT_EQ(batchesUntilClimb(limit), BatchLimit::kFirstWait);
    EXPECT_EQ(limit.size(), 20U);
    for (int i = 0; i < 100; ++i) limit.recordSuccess(20);
    EXPECT_EQ(limit.size(), 20U);
}

TEST(BatchLimit, waitsTwiceAsLong_afterEachFailedClimb) {
    BatchLimit limit(8);
    limit.recordOutOfMemory(8);
    std::size_t wait = BatchLimit::kFirstWait;
    for (int climb = 0; climb < 12; ++climb) {
        EXPECT_EQ(batchesUntilClimb(limit), wait);
        limit.recordSuccess(8);
        limit.recordOutOfMemory(8);
        wait = std::min(2 * wait, BatchLimit::kMaxWait);
    }
}

TEST(BatchLimit, waitsAsLongAsAtFirst_afterASuccessfulClimb) {
    BatchLimit limit(8);
    limit.recordOutOfMemory(8);
    batchesUntilClimb(limit);
    limit.recordOutOfMemory(8);
    EXPECT_EQ(batchesUntilClimb(limit), 2 * BatchLimit::kFirstWait);
    for (std::size_t i = 0; i < 2 * BatchLimit::kFirstWait; ++i) limit.recordSuccess(8);
    // Runs out of memory for another reason, long after the limit has risen.
    limit.recordOutOfMemory(8);
    EXPECT_EQ(batchesUntilClimb(limit), BatchLimit::kFirstWait);
}

}  // namespace
}  // namespace threefold::cuda
