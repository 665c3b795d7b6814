#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <thread>
#include <vector>

#include "engine/compute/bounded_queue.h"
#include "engine/sample_rendering/render_sample.h"

namespace threefold {

/// Publishes rendered samples on a thread of its own, which flushes the disk once for all waiting
/// samples, so that rendering does not wait.
class PublishQueue {
  public:
    struct Entry {
        std::size_t mesh = 0;  ///< index of the mesh
        PreparedSample sample;
        double milliseconds = 0;  ///< spent on the sample so far
    };
    /// Publishes one entry; `failure` is the error of the flush, or null. Called on the queue's
    /// thread. An exception of the function ends the queue.
    using PublishFunction = std::function<void(Entry entry, const std::exception_ptr& failure)>;

    /// Queues at most `maxWaiting` samples below `root`.
    PublishQueue(std::filesystem::path root, std::size_t maxWaiting, PublishFunction publish);
    /// Publishes the entries that wait.
    ~PublishQueue();
    PublishQueue(const PublishQueue&) = delete;
    PublishQueue& operator=(const PublishQueue&) = delete;

    /// Queues an entry, from any thread; waits while the queue is full. Rethrows an exception of
    /// the PublishFunction, and drops `entry` then.
    void add(Entry entry);

    /// Waits until all entries are published. Rethrows an exception of the PublishFunction.
    void finish();

  private:
    void run();
    void publishAll(std::vector<Entry> entries);

    const std::filesystem::path root_;
    const PublishFunction publish_;
    BoundedQueue<Entry> waiting_;
    std::exception_ptr failure_;  ///< set before the queue is closed
    std::thread thread_;
};

}  // namespace threefold
