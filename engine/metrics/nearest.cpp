#include "engine/metrics/nearest.h"

#include <cmath>
#include <cstddef>

#include <fmt/core.h>
#include <nanoflann.hpp>

#include "engine/error.h"

namespace threefold {
namespace {

void requireFinite(std::span<const glm::vec3> points) {
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!std::isfinite(points[i].x) || !std::isfinite(points[i].y) ||
            !std::isfinite(points[i].z))
            throw InputError({"points", fmt::format("point {}", i),
                              "has a coordinate that is not finite", "Remove or repair it."});
}

/// What nanoflann asks its data for. Coordinates are handed out as double, so that differences are
/// taken in double precision.
struct Cloud {
    std::span<const glm::vec3> points;

    std::size_t kdtree_get_point_count() const { return points.size(); }
    double kdtree_get_pt(std::size_t index, std::size_t axis) const {
        return static_cast<double>(points[index][static_cast<int>(axis)]);
    }
    template <class Box>
    bool kdtree_get_bbox(Box&) const {
        return false;
    }
};

using KdTree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud, double>, Cloud,
                                        3, std::uint32_t>;

/// The fastest of 4 to 64 for clouds of some thousand points.
constexpr std::size_t kLeafSize = 16;

}  // namespace

struct NearestIndex::Tree {
    explicit Tree(std::span<const glm::vec3> points)
        : cloud{points}, index(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(kLeafSize)) {}

    Cloud cloud;
    KdTree index;
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
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const double query[3] = {queries[i].x, queries[i].y, queries[i].z};
        tree_->index.knnSearch(query, 1, &nearest.index[i], &nearest.squaredDistance[i]);
    }
    return nearest;
}

Nearest nearestNeighbours(std::span<const glm::vec3> queries,
                          std::span<const glm::vec3> reference) {
    return NearestIndex(reference).find(queries);
}

}  // namespace threefold
