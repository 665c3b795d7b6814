#include "engine/metrics/nearest.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/core.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/metrics/curve_order.h"
#include "engine/metrics/nearest_tree.h"

namespace threefold {
namespace {

void requireFinite(std::span<const glm::vec3> points) {
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!std::isfinite(points[i].x) || !std::isfinite(points[i].y) ||
            !std::isfinite(points[i].z))
            throw InputError({"points", fmt::format("point {}", i),
                              "has a coordinate that is not finite", "Remove or repair it."});
}

/// Queries that a thread takes at a time.
constexpr std::size_t kChunk = 1024;

/// Queries below which a second thread gains less than waking it costs where others are at work.
constexpr std::size_t kWorthThreads = 1U << 14U;

}  // namespace

struct NearestIndex::Tree {
    explicit Tree(std::span<const glm::vec3> points) : packed(points) {}

    PackedTree packed;
};

NearestIndex::NearestIndex(std::span<const glm::vec3> reference) {
    requireFinite(reference);
    if (!reference.empty()) tree_ = std::make_unique<Tree>(reference);
}

NearestIndex::~NearestIndex() = default;
NearestIndex::NearestIndex(NearestIndex&&) noexcept = default;
NearestIndex& NearestIndex::operator=(NearestIndex&&) noexcept = default;

Nearest NearestIndex::find(std::span<const glm::vec3> queries) const {
    if (!tree_ && !queries.empty())
        throw InputError({"points", "", "there is no point to be near to",
                          "Give a reference with at least one point."});
    requireFinite(queries);
    Nearest nearest;
    nearest.squaredDistance.resize(queries.size());
    nearest.index.resize(queries.size());
    if (queries.empty()) return nearest;
    const std::vector<std::uint32_t> order = curveOrder(queries);
    const simd::NearestTree tree = tree_->packed.view();
    const simd::NearestSearch& search = *simd::availableSearches().front();
    const auto findChunk = [&](std::size_t chunk, std::size_t /*thread*/) {
        const std::size_t first = chunk * kChunk;
        const std::size_t count = std::min(kChunk, queries.size() - first);
        std::array<glm::vec3, kChunk> points{};
        std::array<double, kChunk> squared{};
        std::array<std::uint32_t, kChunk> place{};
        for (std::size_t i = 0; i < count; ++i) points[i] = queries[order[first + i]];
        search.find(tree, &points[0].x, count, squared.data(), place.data());
        for (std::size_t i = 0; i < count; ++i) {
            nearest.squaredDistance[order[first + i]] = squared[i];
            nearest.index[order[first + i]] = tree_->packed.indexOf(place[i]);
        }
    };
    const std::size_t chunks = (queries.size() + kChunk - 1) / kChunk;
    const int threads = queries.size() < kWorthThreads ? 1 : omp_get_max_threads();
    parallelFor(threads, chunks, {}, findChunk);
    return nearest;
}

Nearest nearestNeighbours(std::span<const glm::vec3> queries,
                          std::span<const glm::vec3> reference) {
    return NearestIndex(reference).find(queries);
}

}  // namespace threefold
