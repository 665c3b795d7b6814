#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "engine/network/backend.h"

namespace threefold::cuda {

/// What a captured graph was captured for; any difference needs another one.
struct GraphKey {
    int batch = 1;
    int views = 3;
    Precision precision = Precision::float16;
    bool libraryKernels = false;
    std::string modelHash;
    std::size_t imagePixels = 0;  ///< that its input buffers hold for one view

    bool operator==(const GraphKey&) const = default;
};

struct GraphCacheCounters {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t evictions = 0;
    std::uint64_t notKept = 0;  ///< inserted, but no room could be made
    std::size_t bytesKept = 0;
    std::size_t peakKept = 0;
};

/// Captured graphs (with the device memory that they own), the least recently used dropped first,
/// never more than `limit` bytes kept. `Graph` is whatever owns one; it is destroyed as soon as
/// neither the cache nor a user holds it. Not thread-safe.
template <class Graph>
class GraphCache {
  public:
    explicit GraphCache(std::size_t limitBytes) : limit_(limitBytes) {}

    /// The graph of this key, now the most recently used, or null. As long as the pointer is held,
    /// the entry is in use and not evicted.
    std::shared_ptr<Graph> find(const GraphKey& key) {
        const auto found = locate(key);
        if (found == entries_.end()) {
            ++counters_.misses;
            return nullptr;
        }
        ++counters_.hits;
        entries_.splice(entries_.begin(), entries_, found);
        return found->graph;
    }

    /// Keeps `graph`, which holds `bytes`, in the place of an earlier one of this key. Entries not
    /// in use are evicted as far as needed; where that cannot make room, none is, and `graph` is
    /// not kept: the caller uses it and it dies with the pointer. `graph` is not null.
    void insert(const GraphKey& key, const std::shared_ptr<Graph>& graph, std::size_t bytes) {
        if (const auto earlier = locate(key); earlier != entries_.end()) drop(earlier);
        if (bytes > limit_ || counters_.bytesKept - idleBytes() > limit_ - bytes) {
            ++counters_.notKept;
            return;
        }
        while (counters_.bytesKept > limit_ - bytes) evictOldestIdle();
        entries_.push_front({key, graph, bytes});
        counters_.bytesKept += bytes;
        counters_.peakKept = std::max(counters_.peakKept, counters_.bytesKept);
    }

    /// Forgets all entries; those in use live on until their users let go.
    void clear() {
        entries_.clear();
        counters_.bytesKept = 0;
    }

    std::size_t size() const { return entries_.size(); }
    std::size_t limitBytes() const { return limit_; }
    const GraphCacheCounters& counters() const { return counters_; }

  private:
    struct Entry {
        GraphKey key;
        std::shared_ptr<Graph> graph;
        std::size_t bytes;

        bool idle() const { return graph.use_count() == 1; }
    };
    using Entries = std::list<Entry>;

    typename Entries::iterator locate(const GraphKey& key) {
        return std::find_if(entries_.begin(), entries_.end(),
                            [&](const Entry& entry) { return entry.key == key; });
    }

    std::size_t idleBytes() const {
        std::size_t sum = 0;
        for (const Entry& entry : entries_) sum += entry.idle() ? entry.bytes : 0;
        return sum;
    }

    void drop(typename Entries::iterator entry) {
        counters_.bytesKept -= entry->bytes;
        entries_.erase(entry);
    }

    void evictOldestIdle() {
        auto entry = std::prev(entries_.end());
        while (!entry->idle()) --entry;
        drop(entry);
        ++counters_.evictions;
    }

    const std::size_t limit_;
    Entries entries_;  ///< most recently used first
    GraphCacheCounters counters_;
};

}  // namespace threefold::cuda
