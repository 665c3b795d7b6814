#include "engine/hull/hull_field.h"

#include <algorithm>
#include <array>
#include <utility>

#include <glm/common.hpp>

namespace threefold::hull {
namespace {

constexpr std::size_t kMaxTolerated = 15;

}  // namespace

HullField::HullField(std::vector<const SilhouetteField*> views, std::size_t toleratedCount)
    : views_(std::move(views)), rank_(1 + std::min(toleratedCount, kMaxTolerated)) {}

float HullField::signedDistance(glm::dvec3 world, float maxDistance) const {
    std::array<float, kMaxTolerated + 1> largest;  // the rank_ largest so far, descending
    std::fill_n(largest.begin(), rank_, SilhouetteField::kNoInformation);
    for (const SilhouetteField* view : views_) {
        float value = view->signedDistance(world);
        for (std::size_t i = 0; i < rank_; ++i)
            if (value > largest[i]) std::swap(value, largest[i]);
        if (largest[rank_ - 1] > maxDistance) break;
    }
    const glm::dvec3 outside = glm::abs(world) - kHullHalfSide;
    const double beyond = std::max({outside.x, outside.y, outside.z, baseHeight_ - world.y});
    return std::max(largest[rank_ - 1], static_cast<float>(beyond));
}

}  // namespace threefold::hull
