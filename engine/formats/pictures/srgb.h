#pragma once

#include <cmath>

#include <glm/common.hpp>
#include <glm/vec3.hpp>

namespace threefold {

/// Clamps each component to 0…1; NaN becomes 0.
template <class Vector>
Vector clampedToUnit(const Vector& values) {
    return glm::min(glm::max(Vector(0.0F), values), Vector(1.0F));
}

/// Encodes linear values as sRGB (IEC 61966-2-1); clamps to 0…1.
inline glm::vec3 srgbFromLinear(glm::vec3 linear) {
    linear = clampedToUnit(linear);
    for (int i = 0; i < 3; ++i) {
        if (linear[i] == 1) continue;  // the formula gives a little less in float
        linear[i] = linear[i] <= 0.0031308F ? 12.92F * linear[i]
                                            : 1.055F * std::pow(linear[i], 1 / 2.4F) - 0.055F;
    }
    return linear;
}

/// Decodes sRGB to linear values; clamps to 0…1.
inline glm::vec3 linearFromSrgb(glm::vec3 encoded) {
    encoded = clampedToUnit(encoded);
    for (int i = 0; i < 3; ++i)
        encoded[i] = encoded[i] <= 0.04045F ? encoded[i] / 12.92F
                                            : std::pow((encoded[i] + 0.055F) / 1.055F, 2.4F);
    return encoded;
}

}  // namespace threefold
