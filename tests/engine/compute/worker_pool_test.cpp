#include "engine/compute/worker_pool.h"

#include <atomic>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "engine/compute/bounded_queue.h"

namespace threefold {
namespace {

/// Fixture whose threads report their index once per turn.
class WorkerPoolTest : public testing::Test {
  protected:
    /// Number of reports of each thread among the next `turns` reports.
    std::vector<int> turnsOfThreads(std::size_t turns) {
        std::vector<int> counts(4, 0);
        for (std::size_t i = 0; i < turns; ++i) ++counts.at(reports_.pop().value());
        return counts;
    }

    void TearDown() override {
        stopped_ = true;
        reports_.close();
        pool_.join();
    }

    BoundedQueue<std::size_t> reports_{1};
    std::atomic<bool> stopped_ = false;
    WorkerPool pool_{[this](std::size_t thread) {
        while (pool_.waitUntilActive(thread) && !stopped_)
            if (!reports_.push(thread)) return;
    }};
};

TEST_F(WorkerPoolTest, startsNoThread_beforeOneIsActive) {
    EXPECT_EQ(pool_.activeCount(), 0U);
    EXPECT_EQ(reports_.size(), 0U);
}

TEST_F(WorkerPoolTest, startsThreads_whenMoreAreActive) {
    pool_.setActiveCount(1);
    EXPECT_EQ(pool_.activeCount(), 1U);
    EXPECT_EQ(turnsOfThreads(5).at(0), 5);
    pool_.setActiveCount(3);
    EXPECT_EQ(pool_.activeCount(), 3U);
    std::vector<bool> seen(3, false);
    while (!(seen[0] && seen[1] && seen[2])) seen.at(reports_.pop().value()) = true;
}

TEST_F(WorkerPoolTest, pausesThreads_whenFewerAreActive) {
    pool_.setActiveCount(3);
    turnsOfThreads(1);
    pool_.setActiveCount(1);
    const std::vector<int> counts = turnsOfThreads(50);
    // One item may be in the queue, and threads 1 and 2 may each have begun a push.
    EXPECT_LE(counts.at(1) + counts.at(2), 3);
}

TEST(WorkerPool, endsInactiveThreads_whenJoined) {
    std::atomic<int> ended = 0;
    WorkerPool* self = nullptr;
    WorkerPool pool([&](std::size_t thread) {
        while (self->waitUntilActive(thread)) {
        }
        ++ended;
    });
    self = &pool;
    pool.setActiveCount(2);
    pool.setActiveCount(0);
    pool.join();
    EXPECT_EQ(ended, 2);
}

TEST(WorkerPool, endsInactiveThreads_whenDestroyedWithoutJoin) {
    std::atomic<int> ended = 0;
    {
        WorkerPool* self = nullptr;
        WorkerPool pool([&](std::size_t thread) {
            while (self->waitUntilActive(thread)) {
            }
            ++ended;
        });
        self = &pool;
        pool.setActiveCount(2);
        pool.setActiveCount(0);
    }
    EXPECT_EQ(ended, 2);
}

}  // namespace
}  // namespace threefold
