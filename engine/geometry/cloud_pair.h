#pragma once

#include <span>

#include <glm/vec3.hpp>

namespace threefold {

/// Two clouds to compare: views of the caller's points.
struct CloudPair {
    std::span<const glm::vec3> first;
    std::span<const glm::vec3> second;
};

}  // namespace threefold
