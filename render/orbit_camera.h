#pragma once

#include <limits>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace threefold::render {

/// A perspective camera on a sphere around a target. Linked panes share one value. Every function
/// leaves the camera unchanged for a pane without area or for values that are not finite.
struct OrbitCamera {
    glm::vec3 target{0.0F, 0.0F, -0.8F};
    float distance = 1.0F;  ///< target to eye, > 0
    float yaw = 0.0F;       ///< radians around +y, −π…π; 0 looks along −z, as view 0 does
    float pitch = 0.0F;     ///< radians, −π/2…π/2, positive looks down on the target
    float fieldOfView = 0.7F;  ///< vertical, radians
    /// What lies nearer than this in front of the target is cut away: world units, below 0 behind
    /// it. Infinite: nothing is cut.
    float cut = std::numeric_limits<float>::infinity();

    glm::vec3 eye() const;
    glm::mat4 viewMatrix() const;
    /// Distance of the near plane from the eye: kNearShare of `distance`, or where `cut` is.
    float nearest() const;
    /// Vulkan clip space (y down, z 0…1). No far plane.
    glm::mat4 projectionMatrix(float aspect) const;
    /// A point of the world in clip space, in a pane of that size.
    glm::vec4 clip(glm::vec3 point, glm::vec2 paneSize) const {
        return projectionMatrix(paneSize.x / paneSize.y) * viewMatrix() * glm::vec4(point, 1.0F);
    }

    /// Turns the object with the cursor: half a turn across the pane's height.
    void orbit(glm::vec2 pixels, float paneHeight);
    /// Moves so that the point under the cursor, at the target's depth, follows it.
    void pan(glm::vec2 pixels, float paneHeight);
    /// Zooms by wheel steps (positive: an eighth of the distance closer per step) and keeps the
    /// point under the cursor, at the target's depth. `cursor`: pixels from the pane's top left.
    void zoom(float steps, glm::vec2 cursor, glm::vec2 paneSize);

    bool operator==(const OrbitCamera&) const = default;
};

/// Least distance of the near plane as a share of OrbitCamera::distance.
inline constexpr float kNearShare = 0.01F;

}  // namespace threefold::render
