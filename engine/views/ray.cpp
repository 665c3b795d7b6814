#include "engine/views/ray.h"

#include <cmath>

#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

namespace threefold {

std::optional<glm::dvec3> triangulate(std::span<const Ray> rays) {
    glm::dmat3 normalMatrix(0.0);
    glm::dvec3 rightSide(0.0);
    for (const Ray& ray : rays) {
        const glm::dmat3 projector =
            glm::dmat3(1.0) - glm::outerProduct(ray.direction, ray.direction);
        normalMatrix += projector;
        rightSide += projector * ray.origin;
    }
    // Parallel rays leave one direction undetermined; two rays 0.1° apart give a determinant of
    // 1e-6.
    constexpr double kMinDeterminant = 1e-6;
    const auto count = static_cast<double>(rays.size());
    // Negated: without rays the determinant is NaN.
    if (!(std::abs(glm::determinant(normalMatrix / count)) >= kMinDeterminant)) return std::nullopt;
    return glm::inverse(normalMatrix) * rightSide;
}

}  // namespace threefold
