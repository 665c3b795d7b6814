#include "engine/comparison/mesh_distances.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <glm/geometric.hpp>

#include "engine/geometry/nearest.h"

namespace threefold {
namespace {

// A bin holds the distances that round to one float of 12 fraction bits: the relative error is at
// most 2⁻¹³. The bits of floats that are not negative rise with their values.
constexpr int kDroppedBits = 11;
constexpr std::size_t kDistanceBins = std::size_t{1} << (31 - kDroppedBits);

std::size_t binOf(double distance) {
    const auto value =
        static_cast<float>(std::min(distance, double{std::numeric_limits<float>::max()}));
    return (std::bit_cast<std::uint32_t>(value) + (1U << (kDroppedBits - 1))) >> kDroppedBits;
}

double valueOfBin(std::size_t bin) {
    return double{std::bit_cast<float>(static_cast<std::uint32_t>(bin << kDroppedBits))};
}

/// Whether vertices of one index belong together.
bool haveCommonIndices(const Mesh& first, const Mesh& second) {
    return first.vertices.size() == second.vertices.size() &&
           (first.faces.empty() || second.faces.empty() || first.faces == second.faces);
}

}  // namespace

void MeshDistanceSums::addDistance(double distance) {
    if (bins_.empty()) bins_.resize(kDistanceBins);
    ++bins_[binOf(distance)];
    ++count_;
    sum_ += distance;
    made_.largest = std::max(made_.largest, distance);
}

std::optional<double> MeshDistanceSums::add(const Mesh& first, const Mesh& second) {
    if (first.vertices.empty() || second.vertices.empty()) return std::nullopt;
    ++made_.samples;
    std::optional<double> largest;
    const auto addFinite = [&](double distance) {
        if (!std::isfinite(distance)) return;
        addDistance(distance);
        largest = std::max(largest.value_or(0), distance);
    };
    if (haveCommonIndices(first, second)) {
        ++made_.vertexByVertex;
        for (std::size_t i = 0; i < first.vertices.size(); ++i)
            addFinite(glm::distance(glm::dvec3(first.vertices[i]), glm::dvec3(second.vertices[i])));
        return largest;
    }
    const CloudPair clouds{first.vertices, second.vertices};
    const NeighboursBothWays nearest = nearestBidirectional({&clouds, 1}).pairs.front();
    for (const Neighbours* direction : {&nearest.firstToSecond, &nearest.secondToFirst})
        for (const double squared : direction->squaredDistances) addFinite(std::sqrt(squared));
    return largest;
}

double MeshDistanceSums::percentile(double fraction) const {
    const auto rank = static_cast<std::uint64_t>(
        std::max(1.0, std::ceil(fraction * static_cast<double>(count_))));
    std::uint64_t below = 0;
    for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
        below += bins_[bin];
        if (below >= rank) return std::min(valueOfBin(bin), made_.largest);
    }
    return made_.largest;
}

std::optional<MeshDistances> MeshDistanceSums::distances() const {
    if (count_ == 0) return std::nullopt;
    MeshDistances made = made_;
    made.mean = sum_ / static_cast<double>(count_);
    made.p995 = percentile(0.995);
    return made;
}

}  // namespace threefold
