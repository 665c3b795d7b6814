#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace threefold {

/// Hands items from some threads to others, oldest first; holds `capacity` of them at most, so that
/// the faster side waits. Any thread.
template <class Item>
class BoundedQueue {
  public:
    explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

    /// Waits for room. False: closed, the item is dropped.
    bool push(Item item) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || items_.size() < capacity_; });
        if (closed_) return false;
        items_.push_back(std::move(item));
        lock.unlock();
        changed_.notify_all();
        return true;
    }

    /// Waits for an item. Nothing: closed, and empty.
    std::optional<Item> pop() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
        if (items_.empty()) return std::nullopt;
        std::optional<Item> item(std::move(items_.front()));
        items_.pop_front();
        lock.unlock();
        changed_.notify_all();
        return item;
    }

    /// All that wait; waits for one. None: closed, and empty.
    std::vector<Item> popAll() {
        std::vector<Item> taken;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
            for (Item& item : items_) taken.push_back(std::move(item));
            items_.clear();
        }
        changed_.notify_all();
        return taken;
    }

    /// Whether so many can be taken without waiting, or no more come.
    bool ready(std::size_t count) {
        const std::scoped_lock lock(mutex_);
        return closed_ || items_.size() >= count;
    }

    /// Nothing more comes; what is in it is still handed out.
    void close() {
        {
            const std::scoped_lock lock(mutex_);
            closed_ = true;
        }
        changed_.notify_all();
    }

  private:
    const std::size_t capacity_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Item> items_;
    bool closed_ = false;
};

}  // namespace threefold
