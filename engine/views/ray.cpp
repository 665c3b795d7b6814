#include "engine/views/ray.h"

#include <cmath>

#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

namespace threefold {

std::optional<glm::dvec3> nearestPoint(std::span<const Ray> rays) {
    glm::dmat3 sum(0.0);
    glm::dvec3 right(0.0);
    for (const Ray& ray : rays) {
        const glm::dmat3 across = glm::dmat3(1.0) - glm::outerProduct(ray.direction, ray.direction);
        sum += across;
        right += across * ray.origin;
    }
    // Parallel rays leave one direction free; 1e-6 is where two rays are 0.1° apart.
    constexpr double kParallel = 1e-6;
    const auto count = static_cast<double>(rays.size());
    if (std::abs(glm::determinant(sum / count)) < kParallel) return std::nullopt;
    return glm::inverse(sum) * right;
}

}  // namespace threefold
