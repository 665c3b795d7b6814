#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace threefold {

/// First-in, first-out queue between threads, of at most `capacity` items. Thread-safe.
template <class Item>
class BoundedQueue {
  public:
    explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

    /// Waits for room. Returns false if the queue is closed; the item is then dropped.
    bool push(Item item) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || items_.size() < capacity_; });
        if (closed_) return false;
        items_.push_back(std::move(item));
        changed_.notify_all();
        return true;
    }

    /// Waits for an item and takes it. Returns std::nullopt if the queue is closed and empty.
    std::optional<Item> pop() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
        if (items_.empty()) return std::nullopt;
        std::optional<Item> item(std::move(items_.front()));
        items_.pop_front();
        changed_.notify_all();
        return item;
    }

    /// Waits for an item, then takes all items. Returns no item if the queue is closed and empty.
    std::vector<Item> popAll() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
        std::vector<Item> taken(std::make_move_iterator(items_.begin()),
                                std::make_move_iterator(items_.end()));
        items_.clear();
        changed_.notify_all();
        return taken;
    }

    /// Whether `count` items can be taken without waiting, or the queue is closed.
    bool canPop(std::size_t count) const {
        const std::scoped_lock lock(mutex_);
        return closed_ || items_.size() >= count;
    }

    /// Waits for `count` items, at most `timeout`; ends early if the queue is closed. Returns the
    /// queue's size.
    std::size_t waitForItems(std::size_t count, std::chrono::duration<double, std::milli> timeout) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, timeout, [&] { return closed_ || items_.size() >= count; });
        return items_.size();
    }

    std::size_t size() const {
        const std::scoped_lock lock(mutex_);
        return items_.size();
    }

    bool isClosed() const {
        const std::scoped_lock lock(mutex_);
        return closed_;
    }

    std::size_t capacity() const {
        const std::scoped_lock lock(mutex_);
        return capacity_;
    }

    /// Sets the capacity. Items beyond a smaller capacity stay in the queue.
    void setCapacity(std::size_t capacity) {
        const std::scoped_lock lock(mutex_);
        capacity_ = capacity;
        changed_.notify_all();
    }

    /// Refuses further items; those in the queue can still be taken.
    void close() {
        const std::scoped_lock lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }

  private:
    std::size_t capacity_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Item> items_;
    bool closed_ = false;
};

}  // namespace threefold
