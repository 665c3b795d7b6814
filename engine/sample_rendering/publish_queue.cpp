#include "engine/sample_rendering/publish_queue.h"

#include <utility>

#include "engine/error.h"

namespace threefold {

PublishQueue::PublishQueue(std::filesystem::path root, std::size_t most, Publishing publish)
    : root_(std::move(root)),
      most_(most),
      publish_(std::move(publish)),
      thread_([this] { run(); }) {}

PublishQueue::~PublishQueue() {
    try {
        finish();
    } catch (...) {
        // Whoever wanted to know has called finish() before.
    }
}

void PublishQueue::add(Item item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < most_ || failure_; });
    if (failure_) std::rethrow_exception(failure_);
    waiting_.push_back(std::move(item));
    changed_.notify_all();
}

void PublishQueue::finish() {
    {
        const std::scoped_lock lock(mutex_);
        ended_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
    if (failure_) std::rethrow_exception(failure_);
}

void PublishQueue::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return !waiting_.empty() || ended_; });
        if (waiting_.empty()) return;
        std::vector<Item> items = std::exchange(waiting_, {});
        lock.unlock();
        changed_.notify_all();
        std::exception_ptr failure;
        try {
            publishAll(std::move(items));
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        if (!failure) continue;
        failure_ = failure;
        waiting_.clear();
        changed_.notify_all();
        return;
    }
}

void PublishQueue::publishAll(std::vector<Item> items) {
    std::exception_ptr failure;
    try {
        flushDisk(root_);
    } catch (const Error&) {
        failure = std::current_exception();
    }
    for (Item& item : items) publish_(std::move(item), failure);
}

}  // namespace threefold
