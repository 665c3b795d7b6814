#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

namespace threefold {

/// The points' indices along a Z-order curve (Morton 1966) through their box: points after each
/// other are mostly near each other. All coordinates finite; the same every time.
std::vector<std::uint32_t> curveOrder(std::span<const glm::vec3> points);

}  // namespace threefold
