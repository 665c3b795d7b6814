#pragma once

#include <span>
#include <vector>

#include <glm/vec3.hpp>

namespace threefold {

struct Nearest {
    std::vector<float> squaredDistance;  ///< for each query, to its nearest reference point
    std::vector<std::uint32_t> index;    ///< of that point
};

/// Exact. Throws InputError when `reference` is empty and `queries` is not, or a value is not
/// finite.
Nearest nearestNeighbours(std::span<const glm::vec3> queries, std::span<const glm::vec3> reference);

}  // namespace threefold
