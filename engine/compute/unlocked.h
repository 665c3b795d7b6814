#pragma once

#include <mutex>

namespace threefold {

/// Unlocks a lock in a scope; locks it again at the end of the scope.
class Unlocked {
  public:
    /// `lock` must be held, and outlive the object.
    explicit Unlocked(std::unique_lock<std::mutex>& lock) : lock_(lock) { lock_.unlock(); }
    ~Unlocked() { lock_.lock(); }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

  private:
    std::unique_lock<std::mutex>& lock_;
};

}  // namespace threefold
