#pragma once

#include <optional>
#include <span>

#include <glm/vec3.hpp>

namespace threefold {

/// Half line from a camera's centre.
struct Ray {
    glm::dvec3 origin{0.0};
    glm::dvec3 direction{0.0, 0.0, -1.0};  ///< of length 1
};

/// Point with the least sum of squared distances to the rays' lines; nullopt if all lines are
/// parallel to within about 0.1°.
std::optional<glm::dvec3> triangulate(std::span<const Ray> rays);

}  // namespace threefold
