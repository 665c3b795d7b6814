#include "engine/geometry/nearest_tree.h"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/bounding_box.h"
#include "engine/compute/parallel.h"

namespace threefold {
namespace {

using simd::kLeafPoints;
using simd::kNodeChildren;
using simd::NearestLeaf;
using simd::NearestNode;

constexpr float kFar = std::numeric_limits<float>::infinity();

/// Minimum number of points for several threads; for fewer points, waking the threads takes longer
/// than the work.
constexpr std::size_t kMinParallelPoints = 1U << 14U;

struct IndexedPoint {
    glm::vec3 point;
    std::uint32_t index;
};

struct Range {
    std::size_t begin;
    std::size_t end;
    std::size_t count() const { return end - begin; }
};

int widestAxis(std::span<const IndexedPoint> entries) {
    Box3f box;
    for (const IndexedPoint& entry : entries) box.include(entry.point);
    // In double precision: a width may leave the range of float32.
    const glm::dvec3 width = glm::dvec3(box.max) - glm::dvec3(box.min);
    if (width.x >= width.y && width.x >= width.z) return 0;
    return width.y >= width.z ? 1 : 2;
}

template <int Axis>
void partitionAt(std::span<IndexedPoint> entries, std::size_t middle) {
    std::nth_element(
        entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(middle), entries.end(),
        [](const IndexedPoint& a, const IndexedPoint& b) { return a.point[Axis] < b.point[Axis]; });
}

/// Splits a range of more than one leaf in two and returns the position of the split: a multiple of
/// the largest subtree's size, so that every subtree but the last is full.
std::size_t split(std::vector<IndexedPoint>& entries, const Range& range) {
    std::size_t subtree = kLeafPoints;
    while (subtree * kNodeChildren < range.count()) subtree *= kNodeChildren;
    const std::size_t subtrees = (range.count() + subtree - 1) / subtree;
    const std::size_t middle = subtrees / 2 * subtree;
    const std::span<IndexedPoint> slice(entries.data() + range.begin, range.count());
    constexpr std::array kPartitions{partitionAt<0>, partitionAt<1>, partitionAt<2>};
    kPartitions[static_cast<std::size_t>(widestAxis(slice))](slice, middle);
    return range.begin + middle;
}

void orderForLeaves(std::vector<IndexedPoint>& entries, const Range& range) {
    if (range.count() <= kLeafPoints) return;
    const std::size_t middle = split(entries, range);
    orderForLeaves(entries, {range.begin, middle});
    orderForLeaves(entries, {middle, range.end});
}

/// Splits level by level, the ranges of a level in parallel, until there are enough ranges for all
/// threads; then orders the ranges in parallel.
void orderForLeavesInParallel(std::vector<IndexedPoint>& entries, int threads) {
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
                [&](std::size_t i, std::size_t) { orderForLeaves(entries, ranges[i]); });
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
std::vector<NearestNode> levelAbove(std::vector<Box3f>& boxes) {
    std::vector<NearestNode> nodes((boxes.size() + kNodeChildren - 1) / kNodeChildren, emptyNode());
    std::vector<Box3f> parents(nodes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        NearestNode& node = nodes[i / kNodeChildren];
        for (int axis = 0; axis < 3; ++axis) {
            node.low[axis][i % kNodeChildren] = boxes[i].min[axis];
            node.high[axis][i % kNodeChildren] = boxes[i].max[axis];
        }
        parents[i / kNodeChildren].include(boxes[i].min);
        parents[i / kNodeChildren].include(boxes[i].max);
    }
    boxes = std::move(parents);
    return nodes;
}

}  // namespace

PackedKdTree::PackedKdTree(std::span<const glm::vec3> points) {
    std::vector<IndexedPoint> entries(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        entries[i] = {points[i], static_cast<std::uint32_t>(i)};
    const bool bruteForce = points.size() <= kMaxBruteForcePoints;
    if (points.size() >= kMinParallelPoints)
        orderForLeavesInParallel(entries, resolveThreadCount(0));
    else if (!bruteForce)
        orderForLeaves(entries, {0, entries.size()});

    leaves_.assign((points.size() + kLeafPoints - 1) / kLeafPoints, emptyLeaf());
    index_.resize(points.size());
    std::vector<Box3f> boxes(leaves_.size());
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

simd::NearestTree PackedKdTree::view() const {
    simd::NearestTree tree{leaves_.data(), leaves_.size(), static_cast<int>(levels_.size()), {}};
    for (std::size_t i = 0; i < levels_.size(); ++i) tree.levels[i] = levels_[i].data();
    return tree;
}

}  // namespace threefold
