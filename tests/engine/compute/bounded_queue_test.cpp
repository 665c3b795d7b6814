#include "engine/compute/bounded_queue.h"

#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(BoundedQueue, keepsTheOrder) {
    BoundedQueue<int> queue(3);
    for (int i = 1; i <= 3; ++i) EXPECT_TRUE(queue.push(i));
    EXPECT_EQ(queue.pop(), 1);
    EXPECT_THAT(queue.popAll(), ElementsAre(2, 3));
    EXPECT_EQ(queue.size(), 0U);
}

TEST(BoundedQueue, pushWaitsForRoom_whenFull) {
    BoundedQueue<int> queue(1);
    queue.push(1);
    std::jthread producer([&] { queue.push(2); });
    EXPECT_EQ(queue.pop(), 1);
    EXPECT_EQ(queue.pop(), 2);
}

TEST(BoundedQueue, takesMore_whenCapacityGrows) {
    BoundedQueue<int> queue(1);
    queue.push(1);
    std::jthread producer([&] { queue.push(2); });
    queue.setCapacity(2);
    producer.join();
    EXPECT_EQ(queue.capacity(), 2U);
    EXPECT_THAT(queue.popAll(), ElementsAre(1, 2));
}

TEST(BoundedQueue, keepsItems_whenCapacityShrinks) {
    BoundedQueue<int> queue(3);
    for (int i = 1; i <= 3; ++i) queue.push(i);
    queue.setCapacity(1);
    EXPECT_THAT(queue.popAll(), ElementsAre(1, 2, 3));
}

TEST(BoundedQueue, refusesItemsAndGivesTheRest_whenClosed) {
    BoundedQueue<int> queue(2);
    queue.push(1);
    queue.close();
    EXPECT_TRUE(queue.isClosed());
    EXPECT_FALSE(queue.push(2));
    EXPECT_EQ(queue.pop(), 1);
    EXPECT_EQ(queue.pop(), std::nullopt);
    EXPECT_THAT(queue.popAll(), IsEmpty());
}

TEST(BoundedQueue, wakesWaitingThreads_whenClosed) {
    BoundedQueue<int> full(1);
    full.push(1);
    BoundedQueue<int> empty(1);
    bool pushed = true;
    std::optional<int> popped = 1;
    {
        const std::jthread producer([&] { pushed = full.push(2); });
        const std::jthread consumer([&] { popped = empty.pop(); });
        full.close();
        empty.close();
    }
    EXPECT_FALSE(pushed);
    EXPECT_EQ(popped, std::nullopt);
}

TEST(BoundedQueue, waitForReturnsTheSize_afterItemsOrTimeout) {
    BoundedQueue<int> queue(4);
    queue.push(1);
    EXPECT_FALSE(queue.canPop(2));
    EXPECT_EQ(queue.waitForItems(2, std::chrono::milliseconds(1)), 1U);
    std::jthread producer([&] { queue.push(2); });
    EXPECT_EQ(queue.waitForItems(2, std::chrono::minutes(1)), 2U);
    EXPECT_TRUE(queue.canPop(2));
    queue.close();
    EXPECT_TRUE(queue.canPop(9));
    EXPECT_EQ(queue.waitForItems(9, std::chrono::minutes(1)), 2U);
}

}  // namespace
}  // namespace threefold
