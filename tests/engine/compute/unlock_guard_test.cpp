#include "engine/compute/unlock_guard.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(UnlockGuard, releasesTheLock_untilItsEnd) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    {
        const UnlockGuard unlocked(lock);
        EXPECT_FALSE(lock.owns_lock());
    }
    EXPECT_TRUE(lock.owns_lock());
}

TEST(UnlockGuard, takesTheLockAgain_whenAnExceptionPasses) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    const auto throwUnlocked = [&] {
        const UnlockGuard unlocked(lock);
        throw std::runtime_error("an error of a callback");
    };
    EXPECT_THROW(throwUnlocked(), std::runtime_error);
    EXPECT_TRUE(lock.owns_lock());
}

}  // namespace
}  // namespace threefold
