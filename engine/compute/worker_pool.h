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

/// Threads that do the same work; resize() sets how many of them are active. Call resize() and
/// join() from one thread only, the other functions from any.
class WorkerPool {
  public:
    /// Starts no thread yet. `work`: called once by each thread, with the thread's index.
    explicit WorkerPool(std::function<void(std::size_t thread)> work) : work_(std::move(work)) {}
    /// Joins the threads, see join().
    ~WorkerPool() { join(); }
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Lets `size` threads work; starts missing threads. Throws std::system_error if not even one
    /// thread can be started; may start fewer than `size`.
    void resize(std::size_t size) {
        while (threads_.size() < size) {
            try {
                threads_.emplace_back([this, thread = threads_.size()] { work_(thread); });
            } catch (const std::system_error&) {
                if (threads_.empty()) throw;
                size = threads_.size();
            }
        }
        const std::scoped_lock lock(mutex_);
        size_ = size;
        changed_.notify_all();
    }

    /// Waits while the calling thread is inactive. True: the thread may take the next work. False:
    /// the thread is inactive and the pool dismissed; the thread must return.
    bool waitUntilActive(std::size_t thread) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return dismissed_ || thread < size_; });
        return thread < size_;
    }

    /// Ends the inactive threads.
    void dismiss() {
        const std::scoped_lock lock(mutex_);
        dismissed_ = true;
        changed_.notify_all();
    }

    /// Dismisses the pool and waits for all threads; active ones end when their work does.
    void join() {
        dismiss();
        threads_.clear();
    }

    std::size_t size() const { return size_; }

  private:
    const std::function<void(std::size_t thread)> work_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<std::size_t> size_ = 0;
    bool dismissed_ = false;
    std::vector<std::jthread> threads_;  ///< last: threads use all members above
};

}  // namespace threefold
