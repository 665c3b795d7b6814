#pragma once

#include <mutex>
#include <shared_mutex>

namespace threefold {

/// Waits until no writeFileWhole() is at work, and lets none begin: for who ends the process amid
/// the work of other threads.
std::unique_lock<std::shared_mutex> waitForWrites();

}  // namespace threefold
