#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/sample_rendering/make_sample.h"

namespace threefold {

/// Samples on their way to their places. A thread of its own waits for the disk, once for all that
/// have come meanwhile, and then publishes them; who makes the next ones need not wait.
class PublishQueue {
  public:
    struct Item {
        std::size_t mesh = 0;  ///< which of them
        PreparedSample sample;
        double milliseconds = 0;  ///< that it took so far
    };
    /// Publishes one; `failure` is what the disk said, or null. From one thread.
    using Publishing = std::function<void(Item item, const std::exception_ptr& failure)>;

    /// At most `most` wait.
    PublishQueue(std::filesystem::path root, std::size_t most, Publishing publish);
    ~PublishQueue();  ///< Publishes what waits.
    PublishQueue(const PublishQueue&) = delete;
    PublishQueue& operator=(const PublishQueue&) = delete;

    /// Any thread. Throws what publishing has thrown; then, `item` is dropped.
    void add(Item item);

    /// Waits until all are published. Throws what publishing has thrown.
    void finish();

  private:
    void run();
    void publishAll(std::vector<Item> items);

    const std::filesystem::path root_;
    const std::size_t most_;
    const Publishing publish_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Item> waiting_;
    std::exception_ptr failure_;
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace threefold
