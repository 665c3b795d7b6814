#pragma once

#include <array>
#include <cstddef>

#include <glm/mat3x2.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/views/lens.h"

namespace threefold::board {

/// Lens parameters that are solved for, in COLMAP's RADIAL model: focal length and principal point
/// in continuous pixels (the first pixel's centre is at (0.5, 0.5)), radial distortion.
struct RadialLens {
    double focalLength = 1, principalX = 0, principalY = 0, k1 = 0, k2 = 0;

    Lens toLens(ImageSize size) const;
};

/// Number of the parameters of RadialLens, which are ordered as declared.
inline constexpr std::size_t kLensParameters = 5;

/// Pixel of a point in camera space, in OpenCV's axes (y down, looking along +z). A point behind
/// the camera is far outside the photograph.
glm::dvec2 projectRadial(const RadialLens& lens, glm::dvec3 pointInCamera);

/// Derivatives of projectRadial().
struct ProjectionDerivatives {
    std::array<glm::dvec2, kLensParameters> lens;  ///< with respect to each parameter
    glm::dmat3x2 point;  ///< a column for each coordinate of the point in camera space
};

ProjectionDerivatives projectionDerivatives(const RadialLens& lens, glm::dvec3 pointInCamera);

}  // namespace threefold::board
