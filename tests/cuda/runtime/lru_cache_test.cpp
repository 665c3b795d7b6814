#include "cuda/runtime/lru_cache.h"

#include <deque>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace threefold::cuda {
namespace {

struct Graph {
    int number = 0;
};

using Cache = LruCache<int, Graph>;

TEST(LruCache, distinguishesValues_byTheirKey) {
    Cache cache(1000);
    for (int i = 0; i < 7; ++i) cache.insert(i, std::make_shared<Graph>(Graph{i}), 1);
    for (int i = 0; i < 7; ++i) EXPECT_EQ(cache.find(i)->number, i);
}

TEST(LruCache, evictsTheLeastRecentlyUsed) {
    Cache cache(30);
    for (int i = 1; i <= 3; ++i) cache.insert(i, std::make_shared<Graph>(), 10);
    EXPECT_TRUE(cache.find(1));
    cache.insert(4, std::make_shared<Graph>(), 10);
    EXPECT_FALSE(cache.find(2));
    for (const int kept : {1, 3, 4}) EXPECT_TRUE(cache.find(kept));
    EXPECT_EQ(cache.bytesKept(), 30U);
}

TEST(LruCache, keepsAnEntry_whileInUse) {
    Cache cache(20);
    cache.insert(1, std::make_shared<Graph>(), 10);
    cache.insert(2, std::make_shared<Graph>(), 10);
    const std::shared_ptr<Graph> used = cache.find(1);
    EXPECT_TRUE(cache.find(2));
    cache.insert(3, std::make_shared<Graph>(), 10);
    EXPECT_EQ(cache.find(1), used);
    EXPECT_FALSE(cache.find(2));
    EXPECT_TRUE(cache.find(3));
}

TEST(LruCache, keepsItsEntries_whenNoSpaceCanBeMade) {
    Cache cache(20);
    cache.insert(1, std::make_shared<Graph>(), 10);
    cache.insert(2, std::make_shared<Graph>(), 10);
    const std::shared_ptr<Graph> used = cache.find(1);
    const auto large = std::make_shared<Graph>(Graph{7});
    cache.insert(3, large, 21);
    cache.insert(4, large, 11);
    EXPECT_EQ(large.use_count(), 1);
    EXPECT_EQ(cache.size(), 2U);
}

TEST(LruCache, replacesAnEarlierValueOfTheSameKey) {
    Cache cache(20);
    cache.insert(1, std::make_shared<Graph>(Graph{1}), 15);
    cache.insert(1, std::make_shared<Graph>(Graph{2}), 12);
    EXPECT_EQ(cache.find(1)->number, 2);
    EXPECT_EQ(cache.bytesKept(), 12U);
}

TEST(LruCache, isEmpty_whenCleared) {
    Cache cache(20);
    cache.insert(1, std::make_shared<Graph>(Graph{5}), 10);
    const std::shared_ptr<Graph> used = cache.find(1);
    cache.clear();
    EXPECT_FALSE(cache.find(1));
    EXPECT_EQ(used->number, 5);
    EXPECT_EQ(used.use_count(), 1);
    EXPECT_EQ(cache.bytesKept(), 0U);
}

TEST(LruCache, agreesWithASimpleList_inThousandsOfRandomOperations) {
    struct Entry {
        int key;
        std::size_t bytes;
    };
    constexpr std::size_t kLimit = 100;
    Cache cache(kLimit);
    std::deque<Entry> model;  // most recently used first
    std::map<int, std::vector<std::shared_ptr<Graph>>> held;
    std::mt19937 random(3);
    const auto below = [&](int limit) {
        return std::uniform_int_distribution<int>(0, limit - 1)(random);
    };
    const auto positionOf = [&](int key) {
        return std::find_if(model.begin(), model.end(),
                            [&](const Entry& entry) { return entry.key == key; });
    };
    const auto bytesOf = [&](bool onlyHeld) {
        std::size_t sum = 0;
        for (const Entry& entry : model) {
            if (!onlyHeld || held.contains(entry.key)) sum += entry.bytes;
        }
        return sum;
    };
    for (int step = 0; step < 20'000; ++step) {
        const int key = below(20);
        const std::shared_ptr<Graph> graph = cache.find(key);
        const auto at = positionOf(key);
        ASSERT_EQ(graph != nullptr, at != model.end());
        if (graph) {
            const Entry entry = *at;
            model.erase(at);
            model.push_front(entry);
            if (below(4) == 0) held[key].push_back(graph);
        } else {
            const auto bytes = 1 + static_cast<std::size_t>(below(below(10) == 0 ? 120 : 30));
            cache.insert(key, std::make_shared<Graph>(Graph{key}), bytes);
            if (bytesOf(true) + bytes <= kLimit) {
                while (bytesOf(false) + bytes > kLimit) {
                    auto oldest = std::prev(model.end());
                    while (held.contains(oldest->key)) --oldest;
                    model.erase(oldest);
                }
                model.push_front({key, bytes});
            }
        }
        if (below(3) == 0 && !held.empty()) {
            held.erase(std::next(held.begin(), below(static_cast<int>(held.size()))));
        }
        ASSERT_EQ(cache.bytesKept(), bytesOf(false));
        ASSERT_LE(cache.bytesKept(), kLimit);
        ASSERT_EQ(cache.size(), model.size());
    }
}

}  // namespace
}  // namespace threefold::cuda
