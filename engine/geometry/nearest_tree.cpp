#include "engine/geometry/nearest_tree.h"

#include <algorithm>
#include <array>
#include <limits>

#include <glm/common.hpp>

#include "engine/compute/parallel.h"

namespace threefold {
namespace {

using simd::kLeafPoints;
using simd::kNodeChildren;
using simd::NearestLeaf;
using simd::NearestNode;

constexpr float kFar = std::numeric_limits<float>::infinity();

/// Minimum points for several threads; below it, waking them takes longer than the work.
constexpr std::size_t kMinParallelPoints = 1U << 14U;

struct Entry {
    glm::vec3 point;
    std::uint32_t index;
};

struct Box {
    void include(const glm::vec3& point) {
        low = glm::min(low, point);
        high = glm::max(high, point);
    }
    void include(const Box& other) {
        low = glm::min(low, other.low);
        high = glm::max(high, other.high);
    }

    glm::vec3 low{kFar};
    glm::vec3 high{-kFar};
};

struct Range {
    std::size_t begin;
    std::size_t end;
    std::size_t count() const { return end - begin; }
};

int widestAxis(std::span<const Entry> entries) {
    Box box;
    for (const Entry& entry : entries) box.include(entry.point);
    // In double precision: a width may leave the range of float32.
    const glm::dvec3 width = glm::dvec3(box.high) - glm::dvec3(box.low);
    if (width.x >= width.y && width.x >= width.z) return 0;
    return width.y >= width.z ? 1 : 2;
}

template <int Axis>
void partitionAt(std::span<Entry> entries, std::size_t middle) {
    std::nth_element(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(middle),
                     entries.end(),
                     [](const Entry& a, const Entry& b) { return a.point[Axis] < b.point[Axis]; });
}

/// Splits a range of more than one leaf in two and returns the position of the split: a multiple of
/// the largest subtree's size, so that every subtree but the last is full.
std::size_t split(std::vector<Entry>& entries, const Range& range) {
    std::size_t subtree = kLeafPoints;
    while (subtree * kNodeChildren < range.count()) subtree *= kNodeChildren;
    const std::size_t subtrees = (range.count() + subtree - 1) / subtree;
    const std::size_t middle = subtrees / 2 * subtree;
    const std::span<Entry> slice(entries.data() + range.begin, range.count());
    constexpr std::array kPartitions{partitionAt<0>, partitionAt<1>, partitionAt<2>};
    kPartitions[static_cast<std::size_t>(widestAxis(slice))](slice, middle);
    return range.begin + middle;
}

void order(std::vector<Entry>& entries, const Range& range) {
    if (range.count() <= kLeafPoints) return;
    const std::size_t middle = split(entries, range);
    order(entries, {range.begin, middle});
    order(entries, {middle, range.end});
}

/// Splits level by level, the ranges of a level in parallel, until there are enough ranges for all
/// threads; then orders these in parallel.
void orderInParallel(std::vector<Entry>& entries, int threads) {
    constexpr std::size_t kRangesPerThread = 8;
    std::vector<Range> ranges = {{0, entries.size()}};
    while (ranges.size() < kRangesPerThread * static_cast<std::size_t>(threads)) {
        std::vector<Range> halves(2 * ranges.size());
        parallelFor(threads, ranges.size(), {}, [&](std::size_t i, std::size_t) {
            const std::size_t middle = split(entries, ranges[i]);
            halves[2 * i] = {ranges[i].begin, middle};
            halves[2 * i + 1] = {middle, ranges[i].end};
        });
        ranges = std::move(halves);
    }
    parallelFor(threads, ranges.size(), {},
                [&](std::size_t i, std::size_t) { order(entries, ranges[i]); });
}

NearestLeaf emptyLeaf() {
    NearestLeaf leaf;
    for (float* axis : {leaf.x, leaf.y, leaf.z}) std::fill_n(axis, kLeafPoints, kFar);
    return leaf;
}

NearestNode emptyNode() {
    NearestNode node;
    for (int axis = 0; axis < 3; ++axis) {
        std::fill_n(node.low[axis], kNodeChildren, kFar);
        std::fill_n(node.high[axis], kNodeChildren, kFar);
    }
    return node;
}

/// Builds the level above leaves or nodes with these boxes; replaces `boxes` by that level's boxes.
std::vector<NearestNode> levelAbove(std::vector<Box>& boxes) {
    std::vector<NearestNode> nodes((boxes.size() + kNodeChildren - 1) / kNodeChildren, emptyNode());
    std::vector<Box> parents(nodes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        NearestNode& node = nodes[i / kNodeChildren];
        for (int axis = 0; axis < 3; ++axis) {
            node.low[axis][i % kNodeChildren] = boxes[i].low[axis];
            node.high[axis][i % kNodeChildren] = boxes[i].high[axis];
        }
        parents[i / kNodeChildren].include(boxes[i]);
    }
    boxes = std::move(parents);
    return nodes;
}

}  // namespace

PackedTree::PackedTree(std::span<const glm::vec3> points) {
    std::vector<Entry> entries(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        entries[i] = {points[i], static_cast<std::uint32_t>(i)};
    const bool bruteForce = points.size() <= kMaxBruteForcePoints;
    if (points.size() >= kMinParallelPoints)
        orderInParallel(entries, resolveThreadCount(0));
    else if (!bruteForce)
        order(entries, {0, entries.size()});

    leaves_.assign((points.size() + kLeafPoints - 1) / kLeafPoints, emptyLeaf());
    index_.resize(points.size());
    std::vector<Box> boxes(leaves_.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        NearestLeaf& leaf = leaves_[i / kLeafPoints];
        leaf.x[i % kLeafPoints] = entries[i].point.x;
        leaf.y[i % kLeafPoints] = entries[i].point.y;
        leaf.z[i % kLeafPoints] = entries[i].point.z;
        index_[i] = entries[i].index;
        boxes[i / kLeafPoints].include(entries[i].point);
    }
    while (!bruteForce && boxes.size() > 1) levels_.push_back(levelAbove(boxes));
}

simd::NearestTree PackedTree::view() const {
    simd::NearestTree tree{leaves_.data(), leaves_.size(), static_cast<int>(levels_.size()), {}};
    for (std::size_t i = 0; i < levels_.size(); ++i) tree.level[i] = levels_[i].data();
    return tree;
}

}  // namespace threefold
