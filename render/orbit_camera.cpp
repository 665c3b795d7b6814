#include "render/orbit_camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

namespace threefold::render {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kStepFactor = 0.875F;
constexpr float kLeastDistance = 1e-5F;
constexpr float kMostDistance = 1e6F;

struct Axes {
    glm::vec3 right, up, back;
};

// Computed from the angles, not from a direction: valid when looking straight down, too.
Axes axesOf(const OrbitCamera& camera) {
    const float sinYaw = std::sin(camera.yaw), cosYaw = std::cos(camera.yaw);
    const float sinPitch = std::sin(camera.pitch), cosPitch = std::cos(camera.pitch);
    return {{cosYaw, 0.0F, -sinYaw},
            {-sinPitch * sinYaw, cosPitch, -sinPitch * cosYaw},
            {cosPitch * sinYaw, sinPitch, cosPitch * cosYaw}};
}

float tanHalf(const OrbitCamera& camera) {
    return std::tan(0.5F * camera.fieldOfView);
}

bool finite(glm::vec2 v) {
    return std::isfinite(v.x) && std::isfinite(v.y);
}
bool positive(float v) {
    return std::isfinite(v) && v > 0.0F;
}

}  // namespace

glm::vec3 OrbitCamera::eye() const {
    return target + distance * axesOf(*this).back;
}

glm::mat4 OrbitCamera::viewMatrix() const {
    const auto [right, up, back] = axesOf(*this);
    const glm::vec3 from = eye();
    return {{right.x, up.x, back.x, 0.0F},
            {right.y, up.y, back.y, 0.0F},
            {right.z, up.z, back.z, 0.0F},
            {-glm::dot(right, from), -glm::dot(up, from), -glm::dot(back, from), 1.0F}};
}

float OrbitCamera::nearest() const {
    return std::max(kNearShare * distance, distance - cut);
}

glm::mat4 OrbitCamera::projectionMatrix(float aspect) const {
    const float scale = 1.0F / tanHalf(*this);
    return {{scale / aspect, 0.0F, 0.0F, 0.0F},
            {0.0F, -scale, 0.0F, 0.0F},
            {0.0F, 0.0F, -1.0F, -1.0F},
            {0.0F, 0.0F, -nearest(), 0.0F}};
}

void OrbitCamera::orbit(glm::vec2 pixels, float paneHeight) {
    if (!finite(pixels) || !positive(paneHeight)) return;
    const float angle = kPi / paneHeight;
    yaw = std::remainder(yaw - angle * pixels.x, 2.0F * kPi);
    pitch = std::clamp(pitch + angle * pixels.y, -0.5F * kPi, 0.5F * kPi);
}

void OrbitCamera::pan(glm::vec2 pixels, float paneHeight) {
    if (!finite(pixels) || !positive(paneHeight)) return;
    const Axes axes = axesOf(*this);
    const float unitsPerPixel = 2.0F * distance * tanHalf(*this) / paneHeight;
    target += unitsPerPixel * (pixels.y * axes.up - pixels.x * axes.right);
}

void OrbitCamera::zoom(float steps, glm::vec2 cursor, glm::vec2 paneSize) {
    if (!std::isfinite(steps) || !finite(cursor)) return;
    if (!positive(paneSize.x) || !positive(paneSize.y)) return;
    const float wanted = distance * std::pow(kStepFactor, steps);
    const float reached = std::clamp(wanted, kLeastDistance, kMostDistance);
    const glm::vec2 fromCentre = cursor - 0.5F * paneSize;
    const float unitsPerPixel = 2.0F * tanHalf(*this) / paneSize.y;
    const Axes axes = axesOf(*this);
    // The cursor's offset from the target shrinks with the distance; move the target to compensate.
    const float moved = (distance - reached) * unitsPerPixel;
    target += moved * (fromCentre.x * axes.right - fromCentre.y * axes.up);
    distance = reached;
}

}  // namespace threefold::render
