#pragma once

#include <mutex>

namespace threefold {

/// Unlocks a lock in a scope; locks it again at the end of the scope.
class UnlockGuard {
  public:
    /// `lock` must be held, and outlive the object.
    explicit UnlockGuard(std::unique_lock<std::mutex>& lock) : lock_(lock) { lock_.unlock(); }
    ~UnlockGuard() { lock_.lock(); }
    UnlockGuard(const UnlockGuard&) = delete;
    UnlockGuard& operator=(const UnlockGuard&) = delete;

  private:
    std::unique_lock<std::mutex>& lock_;
};

}  // namespace threefold
