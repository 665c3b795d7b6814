#include "engine/geometry/nearest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/geometry/nearest_tree.h"
#include "engine/mesh.h"
#include "engine/profile/stopwatch.h"
#include <fmt/core.h>

namespace threefold {
namespace {

void requireFinite(std::span<const glm::vec3> points) {
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!isFinite(points[i]))
            throw InputError({"points", fmt::format("point {}", i),
                              "has a coordinate that is not finite", "Remove or repair it."});
}

/// Number of queries per work item of a thread.
constexpr std::size_t kQueryChunk = 1024;

/// Minimum queries for several threads: with fewer queries, waking a thread on a busy machine costs
/// more than the thread saves.
constexpr std::size_t kMinParallelQueries = 1U << 14U;

constexpr unsigned kBitsPerAxis = 10;

/// Inserts two zero bits between bits, for the other axes: abc → a00b00c.
std::uint32_t spread(std::uint32_t bits) {
    bits = (bits | bits << 16U) & 0x030000FFU;
    bits = (bits | bits << 8U) & 0x0300F00FU;
    bits = (bits | bits << 4U) & 0x030C30C3U;
    return (bits | bits << 2U) & 0x09249249U;
}

struct KeyedIndex {
    std::uint32_t key;
    std::uint32_t index;
};

/// A pass of a stable radix sort, by the kBitsPerAxis bits from `shift` on.
void sortByDigit(const std::vector<KeyedIndex>& source, std::vector<KeyedIndex>& destination,
                 unsigned shift) {
    constexpr std::size_t kDigits = std::size_t{1} << kBitsPerAxis;
    std::array<std::size_t, kDigits> starts{};
    const auto digit = [&](const KeyedIndex& item) { return (item.key >> shift) & (kDigits - 1); };
    for (const KeyedIndex& item : source) ++starts[digit(item)];
    std::size_t sum = 0;
    for (std::size_t& start : starts) sum += std::exchange(start, sum);
    for (const KeyedIndex& item : source) destination[starts[digit(item)]++] = item;
}

/// Indices of points along a Z-order curve (Morton 1966) through their box: neighbours in the order
/// are mostly neighbours in space. Coordinates must be finite. Deterministic.
std::vector<std::uint32_t> mortonOrder(std::span<const glm::vec3> points) {
    if (points.empty()) return {};
    const auto [low, high] = boundsOf(points);
    // In double precision: a width may leave the range of float32.
    const glm::dvec3 width = glm::dvec3(high) - glm::dvec3(low);
    const double cells = (1U << kBitsPerAxis) - 1;
    glm::dvec3 scale(0.0);
    for (int axis = 0; axis < 3; ++axis)
        if (width[axis] > 0) scale[axis] = cells / width[axis];
    std::vector<KeyedIndex> items(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const glm::dvec3 cell = (glm::dvec3(points[i]) - glm::dvec3(low)) * scale;
        items[i] = {spread(static_cast<std::uint32_t>(cell.x)) |
                        spread(static_cast<std::uint32_t>(cell.y)) << 1U |
                        spread(static_cast<std::uint32_t>(cell.z)) << 2U,
                    static_cast<std::uint32_t>(i)};
    }
    std::vector<KeyedIndex> buffer(items.size());
    for (unsigned shift = 0; shift < 3 * kBitsPerAxis; shift += kBitsPerAxis) {
        sortByDigit(items, buffer, shift);
        items.swap(buffer);
    }
    std::vector<std::uint32_t> order(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) order[i] = items[i].index;
    return order;
}

}  // namespace

NearestIndex::NearestIndex(std::span<const glm::vec3> reference) {
    requireFinite(reference);
    if (!reference.empty()) tree_ = std::make_shared<const PackedKdTree>(reference);
}

Neighbours NearestIndex::find(std::span<const glm::vec3> queries) const {
    if (!tree_ && !queries.empty())
        throw InputError({"points", "", "there are queries, but no reference points",
                          "Give a reference with at least one point."});
    requireFinite(queries);
    Neighbours nearest;
    nearest.squaredDistances.resize(queries.size());
    nearest.indices.resize(queries.size());
    if (queries.empty()) return nearest;
    const std::vector<std::uint32_t> order = mortonOrder(queries);
    const simd::NearestTree tree = tree_->view();
    const simd::NearestSearch& search = *simd::runnableNearestSearches().front();
    const auto findRange = [&](std::size_t begin, std::size_t end) {
        const std::size_t count = end - begin;
        std::array<glm::vec3, kQueryChunk> points{};
        std::array<double, kQueryChunk> squared{};
        std::array<std::uint32_t, kQueryChunk> position{};
        for (std::size_t i = 0; i < count; ++i) points[i] = queries[order[begin + i]];
        search.find(tree, &points[0].x, count, squared.data(), position.data());
        for (std::size_t i = 0; i < count; ++i) {
            nearest.squaredDistances[order[begin + i]] = squared[i];
            nearest.indices[order[begin + i]] = tree_->indexOf(position[i]);
        }
    };
    const int threads = queries.size() < kMinParallelQueries ? 1 : resolveThreadCount(0);
    parallelForChunks(threads, queries.size(), kQueryChunk, {}, findRange);
    return nearest;
}

Neighbours nearestNeighbours(std::span<const glm::vec3> queries,
                             std::span<const glm::vec3> reference) {
    return NearestIndex(reference).find(queries);
}

void requireComparable(const CloudPair& clouds) {
    if (clouds.first.empty() != clouds.second.empty())
        throw InputError({"points", "", "one of two clouds is empty",
                          "Give two clouds with at least one point each."});
    requireFinite(clouds.first);
    requireFinite(clouds.second);
}

NeighbourResults bidirectionalNeighbours(std::span<const CloudPair> pairs) {
    const Stopwatch watch;
    NeighbourResults results;
    for (const CloudPair& pair : pairs) {
        requireComparable(pair);
        results.pairs.push_back({nearestNeighbours(pair.first, pair.second),
                                 nearestNeighbours(pair.second, pair.first)});
    }
    results.milliseconds = watch.milliseconds();
    return results;
}

}  // namespace threefold
