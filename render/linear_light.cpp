#include "render/linear_light.h"

#include <cmath>

namespace threefold::render {
namespace {

float channel(float encoded) {
    return encoded <= 0.04045F ? encoded / 12.92F : std::pow((encoded + 0.055F) / 1.055F, 2.4F);
}

}  // namespace

glm::vec3 toLinear(glm::vec3 encoded) {
    return {channel(encoded.x), channel(encoded.y), channel(encoded.z)};
}

}  // namespace threefold::render
