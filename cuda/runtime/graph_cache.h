#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>

namespace threefold::cuda {

/// Keeps captured graphs (with the device memory that they own) up to a limit of bytes and drops
/// the least recently used first. `Key`: what a graph was captured for, any difference needs
/// another one. `Graph` owns one; it is destroyed once neither the cache nor a user holds it. Not
/// thread-safe.
template <class Key, class Graph>
class GraphCache {
  public:
    explicit GraphCache(std::size_t limitBytes) : limit_(limitBytes) {}

    /// The graph of this key, now the most recently used, or null. As long as the pointer is held,
    /// the entry is in use and not evicted.
    std::shared_ptr<Graph> find(const Key& key) {
        const auto found = locate(key);
        if (found == entries_.end()) return nullptr;
        entries_.splice(entries_.begin(), entries_, found);
        return found->graph;
    }

    /// Keeps `graph`, which holds `bytes`, in the place of an earlier one of this key. Entries not
    /// in use are evicted as far as needed; where that cannot make room, none is, and `graph` is
    /// not kept: the caller uses it and it dies with the pointer. `graph` is not null.
    void insert(const Key& key, const std::shared_ptr<Graph>& graph, std::size_t bytes) {
        if (const auto earlier = locate(key); earlier != entries_.end()) drop(earlier);
        if (bytes > limit_ || bytesKept_ - idleBytes() > limit_ - bytes) return;
        while (bytesKept_ > limit_ - bytes) evictOldestIdle();
        entries_.push_front({key, graph, bytes});
        bytesKept_ += bytes;
    }

    /// Forgets all entries; those in use live on until their users let go.
    void clear() {
        entries_.clear();
        bytesKept_ = 0;
    }

    std::size_t size() const { return entries_.size(); }
    std::size_t bytesKept() const { return bytesKept_; }

  private:
    struct Entry {
        Key key;
        std::shared_ptr<Graph> graph;
        std::size_t bytes;

        bool idle() const { return graph.use_count() == 1; }
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
