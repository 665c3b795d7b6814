#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace threefold {

/// Pool of threads that run one function. setActiveCount() lets the first n threads work; the other
/// threads wait. Call setActiveCount() and join() from one thread only, the other functions from
/// any thread.
class WorkerPool {
  public:
    /// Starts no thread yet. `work`: called once by each thread, with the thread's index; an
    /// exception of `work` ends the process.
    explicit WorkerPool(std::function<void(std::size_t thread)> work) : work_(std::move(work)) {}
    ~WorkerPool() { join(); }
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Lets `count` threads work; starts missing threads. Throws std::system_error if not even one
    /// thread can be started; may start fewer than `count`.
    void setActiveCount(std::size_t count) {
        while (threads_.size() < count) {
            try {
                threads_.emplace_back([this, thread = threads_.size()] { work_(thread); });
            } catch (const std::system_error&) {
                if (threads_.empty()) throw;
                count = threads_.size();
            }
        }
        const std::scoped_lock lock(mutex_);
        activeCount_ = count;
        changed_.notify_all();
    }

    /// Waits while the calling thread is inactive. Returns true if the thread may take the next
    /// work, false if it is inactive and endInactive() was called: then the thread must return.
    bool waitUntilActive(std::size_t thread) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return inactiveEnd_ || thread < activeCount_; });
        return thread < activeCount_;
    }

    /// Ends the inactive threads.
    void endInactive() {
        const std::scoped_lock lock(mutex_);
        inactiveEnd_ = true;
        changed_.notify_all();
    }

    /// Ends the inactive threads and waits for all threads. An active thread ends when its function
    /// returns.
    void join() {
        endInactive();
        threads_.clear();
    }

    std::size_t activeCount() const { return activeCount_; }

  private:
    const std::function<void(std::size_t thread)> work_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<std::size_t> activeCount_ = 0;
    bool inactiveEnd_ = false;
    std::vector<std::jthread> threads_;  ///< last: threads use all members above
};

}  // namespace threefold
