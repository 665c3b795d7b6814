#include "render/orbit_camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

namespace threefold::render {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kZoomStep = 0.875F;  // factor of the distance
constexpr float kMinDistance = 1e-5F;
constexpr float kMaxDistance = 1e6F;

struct Axes {
    glm::vec3 right, up, back;
};

// Converts a direction from a world with y up to a world in which `up` is up; x stays x.
glm::vec3 fromYUp(glm::vec3 v, UpAxis up) {
    return up == UpAxis::y ? v : glm::vec3(v.x, -v.z, v.y);
}
glm::vec3 toYUp(glm::vec3 v, UpAxis up) {
    return up == UpAxis::y ? v : glm::vec3(v.x, v.z, -v.y);
}

// Camera axes in world space, computed from the angles, not from a direction, so that they are
// valid even for a camera that looks straight down.
Axes cameraAxes(const OrbitCamera& camera) {
    const float sinYaw = std::sin(camera.yaw), cosYaw = std::cos(camera.yaw);
    const float sinPitch = std::sin(camera.pitch), cosPitch = std::cos(camera.pitch);
    const auto inWorld = [&](float x, float y, float z) {
        return fromYUp({x, y, z}, camera.upAxis);
    };
    return {inWorld(cosYaw, 0.0F, -sinYaw),
            inWorld(-sinPitch * sinYaw, cosPitch, -sinPitch * cosYaw),
            inWorld(cosPitch * sinYaw, sinPitch, cosPitch * cosYaw)};
}

float tanHalfFov(const OrbitCamera& camera) {
    return std::tan(0.5F * camera.fieldOfView);
}

bool isFinite(glm::vec2 v) {
    return std::isfinite(v.x) && std::isfinite(v.y);
}
bool isPositive(float v) {
    return std::isfinite(v) && v > 0.0F;
}

}  // namespace

ViewAngles anglesOf(glm::vec3 fromTarget, UpAxis up) {
    const glm::vec3 direction = toYUp(fromTarget, up);
    const float length = std::max(glm::length(direction), std::numeric_limits<float>::min());
    return {std::atan2(direction.x, direction.z),
            std::asin(std::clamp(direction.y / length, -1.0F, 1.0F))};
}

glm::vec3 OrbitCamera::centre() const {
    return target + distance * cameraAxes(*this).back;
}

glm::mat4 OrbitCamera::viewMatrix() const {
    const auto [right, up, back] = cameraAxes(*this);
    const glm::vec3 position = centre();
    return {{right.x, up.x, back.x, 0.0F},
            {right.y, up.y, back.y, 0.0F},
            {right.z, up.z, back.z, 0.0F},
            {-glm::dot(right, position), -glm::dot(up, position), -glm::dot(back, position), 1.0F}};
}

float OrbitCamera::nearDistance() const {
    return std::max(kMinNearFraction * distance, distance - clipDepth);
}

glm::mat4 OrbitCamera::projectionMatrix(float aspect) const {
    const float scale = 1.0F / tanHalfFov(*this);
    return {{scale / aspect, 0.0F, 0.0F, 0.0F},
            {0.0F, -scale, 0.0F, 0.0F},
            {0.0F, 0.0F, -1.0F, -1.0F},
            {0.0F, 0.0F, -nearDistance(), 0.0F}};
}

void OrbitCamera::orbit(glm::vec2 pixels, float paneHeight) {
    if (!isFinite(pixels) || !isPositive(paneHeight)) return;
    const float angle = kPi / paneHeight;
    yaw = std::remainder(yaw - angle * pixels.x, 2.0F * kPi);
    pitch = std::clamp(pitch + angle * pixels.y, -0.5F * kPi, 0.5F * kPi);
}

void OrbitCamera::pan(glm::vec2 pixels, float paneHeight) {
    if (!isFinite(pixels) || !isPositive(paneHeight)) return;
    const Axes axes = cameraAxes(*this);
    const float unitsPerPixel = 2.0F * distance * tanHalfFov(*this) / paneHeight;
    target += unitsPerPixel * (pixels.y * axes.up - pixels.x * axes.right);
}

void OrbitCamera::zoom(float steps, glm::vec2 pointer, glm::vec2 paneSize) {
    if (!std::isfinite(steps) || !isFinite(pointer)) return;
    if (!isPositive(paneSize.x) || !isPositive(paneSize.y)) return;
    const float scaled = distance * std::pow(kZoomStep, steps);
    const float newDistance = std::clamp(scaled, kMinDistance, kMaxDistance);
    const glm::vec2 fromCentre = pointer - 0.5F * paneSize;
    const float unitsPerPixel = 2.0F * tanHalfFov(*this) / paneSize.y;
    const Axes axes = cameraAxes(*this);
    // The pointer's offset from the target shrinks with the distance; move the target to
    // compensate.
    const float shift = (distance - newDistance) * unitsPerPixel;
    target += shift * (fromCentre.x * axes.right - fromCentre.y * axes.up);
    distance = newDistance;
}

OrbitCamera withCentre(const OrbitCamera& camera, glm::vec3 centre) {
    const glm::vec3 offset = centre - camera.target;
    const float distance = glm::length(offset);
    if (!isPositive(distance)) return camera;
    OrbitCamera moved = camera;
    moved.distance = distance;
    const ViewAngles angles = anglesOf(offset, camera.upAxis);
    moved.yaw = angles.yaw;
    moved.pitch = angles.pitch;
    moved.fieldOfView = 2 * std::atan(tanHalfFov(camera) * camera.distance / distance);
    return moved;
}

glm::vec3 nearestCentre(const OrbitCamera& camera, std::span<const glm::vec3> centres) {
    const glm::vec3 towards = camera.centre() - camera.target;
    const auto cosine = [&](glm::vec3 centre) {
        const glm::vec3 offset = centre - camera.target;
        return glm::dot(towards, offset) / std::max(glm::length(offset), kMinDistance);
    };
    return *std::ranges::max_element(centres, {}, cosine);
}

}  // namespace threefold::render
