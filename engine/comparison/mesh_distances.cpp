#include "engine/comparison/mesh_distances.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <glm/geometric.hpp>

#include "engine/geometry/nearest.h"
#include "engine/order_statistics.h"

namespace threefold {
namespace {

/// Whether vertices with the same index correspond to each other.
bool haveCommonIndices(const Mesh& first, const Mesh& second) {
    return first.vertices.size() == second.vertices.size() &&
           (first.faces.empty() || second.faces.empty() || first.faces == second.faces);
}

Points finiteOf(const Points& points) {
    Points finite;
    std::ranges::copy_if(points, std::back_inserter(finite),
                         [](const glm::vec3& point) { return isFinite(point); });
    return finite;
}

}  // namespace

void MeshDistanceAccumulator::addDistance(double distance) {
    distances_.push_back(static_cast<float>(distance));
    sum_ += distance;
    partial_.max = std::max(partial_.max, distance);
}

std::optional<double> MeshDistanceAccumulator::add(const Mesh& first, const Mesh& second) {
    if (first.vertices.empty() || second.vertices.empty()) return std::nullopt;
    std::optional<double> largest;
    const auto addFinite = [&](double distance) {
        if (!std::isfinite(distance)) return;
        addDistance(distance);
        largest = std::max(largest.value_or(0), distance);
    };
    if (haveCommonIndices(first, second)) {
        for (std::size_t i = 0; i < first.vertices.size(); ++i)
            addFinite(glm::distance(glm::dvec3(first.vertices[i]), glm::dvec3(second.vertices[i])));
        if (largest) {
            ++partial_.sampleCount;
            ++partial_.vertexByVertexCount;
        }
        return largest;
    }
    const Points firstPoints = finiteOf(first.vertices);
    const Points secondPoints = finiteOf(second.vertices);
    if (firstPoints.empty() || secondPoints.empty()) return std::nullopt;
    const CloudPair clouds{firstPoints, secondPoints};
    const BidirectionalNeighbours nearest = bidirectionalNeighbours({&clouds, 1}).pairs.front();
    for (const Neighbours* direction : {&nearest.firstToSecond, &nearest.secondToFirst})
        for (const double squared : direction->squaredDistances) addFinite(std::sqrt(squared));
    if (largest) ++partial_.sampleCount;
    return largest;
}

std::optional<MeshDistances> MeshDistanceAccumulator::distances() const {
    if (distances_.empty()) return std::nullopt;
    MeshDistances result = partial_;
    result.mean = sum_ / static_cast<double>(distances_.size());
    result.p995 = double{*quantile(distances_, 0.995)};
    return result;
}

}  // namespace threefold
