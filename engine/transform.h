#pragma once

#include <algorithm>
#include <cmath>

#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec3.hpp>

namespace threefold {

/// Rigid transform: x ↦ rotation · x + translation.
struct RigidTransform {
    glm::dmat3 rotation{1.0};
    glm::dvec3 translation{0.0};

    glm::dvec3 apply(glm::dvec3 point) const { return rotation * point + translation; }
};

/// Similarity transform: x ↦ scale · rotation · (x − sourceOrigin) + targetOrigin.
struct SimilarityTransform {
    glm::dmat3 rotation{1.0};
    double scale = 1;  ///< above 0
    glm::dvec3 sourceOrigin{0.0}, targetOrigin{0.0};

    glm::dvec3 apply(glm::dvec3 point) const {
        return scale * (rotation * (point - sourceOrigin)) + targetOrigin;
    }
    glm::dvec3 applyInverse(glm::dvec3 point) const {
        return glm::transpose(rotation) * (point - targetOrigin) / scale + sourceOrigin;
    }
    /// Angle of the rotation, degrees, 0 to 180.
    double rotationDegrees() const {
        const double trace = rotation[0][0] + rotation[1][1] + rotation[2][2];
        return glm::degrees(std::acos(std::clamp((trace - 1) / 2, -1.0, 1.0)));
    }
};

}  // namespace threefold
