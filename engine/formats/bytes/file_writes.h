#pragma once

#include <mutex>
#include <shared_mutex>

namespace threefold {

/// Waits until no writeFileWhole() runs, and blocks new ones while the lock is held: for ending the
/// process while other threads work.
std::unique_lock<std::shared_mutex> waitForWrites();

}  // namespace threefold
