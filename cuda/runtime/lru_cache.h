#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>

namespace threefold::cuda {

/// LRU cache of captured networks, limited by the bytes of device memory that they own. `Key`:
/// parameters of the capture; any difference needs another capture. `Value` is destroyed once
/// neither the cache nor a user holds it. Not thread-safe.
template <class Key, class Value>
class LruCache {
  public:
    explicit LruCache(std::size_t limitBytes) : limit_(limitBytes) {}

    /// Value of this key, or null; the entry becomes the most recently used. While the pointer is
    /// held, the entry is in use and not evicted.
    std::shared_ptr<Value> find(const Key& key) {
        const auto match = locate(key);
        if (match == entries_.end()) return nullptr;
        entries_.splice(entries_.begin(), entries_, match);
        return match->value;
    }

    /// Inserts `value`, which holds `bytes`. Removes an earlier value of this key in any case, and
    /// evicts unused entries of other keys as needed; if that cannot make room, evicts none and
    /// does not insert `value`, which then lives as long as the caller's pointer. `value` is not
    /// null.
    void insert(const Key& key, const std::shared_ptr<Value>& value, std::size_t bytes) {
        if (const auto earlier = locate(key); earlier != entries_.end()) drop(earlier);
        if (bytes > limit_ || bytesKept_ - idleBytes() > limit_ - bytes) return;
        while (bytesKept_ > limit_ - bytes) evictOldestIdle();
        entries_.push_front({key, value, bytes});
        bytesKept_ += bytes;
    }

    /// Removes all entries; values in use live on until released.
    void clear() {
        entries_.clear();
        bytesKept_ = 0;
    }

    std::size_t size() const { return entries_.size(); }
    std::size_t bytesKept() const { return bytesKept_; }

  private:
    struct Entry {
        Key key;
        std::shared_ptr<Value> value;
        std::size_t bytes;

        bool idle() const { return value.use_count() == 1; }
    };
    using Entries = std::list<Entry>;

    typename Entries::iterator locate(const Key& key) {
        return std::find_if(entries_.begin(), entries_.end(),
                            [&](const Entry& entry) { return entry.key == key; });
    }

    std::size_t idleBytes() const {
        std::size_t sum = 0;
        for (const Entry& entry : entries_) sum += entry.idle() ? entry.bytes : 0;
        return sum;
    }

    void drop(typename Entries::iterator entry) {
        bytesKept_ -= entry->bytes;
        entries_.erase(entry);
    }

    void evictOldestIdle() {
        auto entry = std::prev(entries_.end());
        while (!entry->idle()) --entry;
        drop(entry);
    }

    const std::size_t limit_;
    Entries entries_;  ///< most recently used first
    std::size_t bytesKept_ = 0;
};

}  // namespace threefold::cuda
