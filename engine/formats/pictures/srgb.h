#pragma once

#include <cmath>

#include <glm/common.hpp>
#include <glm/vec3.hpp>

namespace threefold {

/// Clamped to 0…1; what is no number becomes 0.
template <class Vector>
Vector shares(const Vector& values) {
    return glm::min(glm::max(Vector(0.0F), values), Vector(1.0F));
}

/// IEC 61966-2-1, both ways, of shares().
inline glm::vec3 srgbFromLinear(glm::vec3 linear) {
    linear = shares(linear);
    for (int i = 0; i < 3; ++i) {
        if (linear[i] == 1) continue;  // the formula gives a little less in float
        linear[i] = linear[i] <= 0.0031308F ? 12.92F * linear[i]
                                            : 1.055F * std::pow(linear[i], 1 / 2.4F) - 0.055F;
    }
    return linear;
}

inline glm::vec3 linearFromSrgb(glm::vec3 encoded) {
    encoded = shares(encoded);
    for (int i = 0; i < 3; ++i)
        encoded[i] = encoded[i] <= 0.04045F ? encoded[i] / 12.92F
                                            : std::pow((encoded[i] + 0.055F) / 1.055F, 2.4F);
    return encoded;
}

}  // namespace threefold
