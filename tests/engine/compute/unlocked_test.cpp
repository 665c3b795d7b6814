#include "engine/compute/unlocked.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(Unlocked, releasesTheLock_untilItsEnd) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    {
        const Unlocked unlocked(lock);
        EXPECT_FALSE(lock.owns_lock());
    }
    EXPECT_TRUE(lock.owns_lock());
}

TEST(Unlocked, takesTheLockAgain_whenAnExceptionPasses) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    const auto throwUnlocked = [&] {
        const Unlocked unlocked(lock);
        throw std::runtime_error("a callback's");
    };
    EXPECT_THROW(throwUnlocked(), std::runtime_error);
    EXPECT_TRUE(lock.owns_lock());
}

}  // namespace
}  // namespace threefold
