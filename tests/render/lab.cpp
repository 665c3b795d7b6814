#include "tests/render/lab.h"

#include <cmath>

#include "engine/formats/pictures/srgb.h"

namespace threefold::render {
namespace {

float labCurve(float fraction) {
    constexpr float kLinearEnd = 216.0F / 24389.0F, kSlope = 24389.0F / 27.0F;
    return fraction > kLinearEnd ? std::cbrt(fraction) : (kSlope * fraction + 16.0F) / 116.0F;
}

}  // namespace

glm::vec3 labOf(glm::vec3 encoded) {
    const glm::vec3 light = linearFromSrgb(encoded);
    const float x = 0.4124564F * light.x + 0.3575761F * light.y + 0.1804375F * light.z;
    const float y = 0.2126729F * light.x + 0.7151522F * light.y + 0.0721750F * light.z;
    const float z = 0.0193339F * light.x + 0.1191920F * light.y + 0.9503041F * light.z;
    const float fx = labCurve(x / 0.95047F), fy = labCurve(y), fz = labCurve(z / 1.08883F);
    return {116.0F * fy - 16.0F, 500.0F * (fx - fy), 200.0F * (fy - fz)};
}

}  // namespace threefold::render
