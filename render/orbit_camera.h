#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace threefold::render {

/// A perspective camera on a sphere around a target. A value: panes are linked by sharing one.
/// Every function leaves the camera unchanged when given a pane of no area or values that are not
/// finite.
struct OrbitCamera {
    glm::vec3 target{0.0F, 0.0F, -0.8F};
    float distance = 1.0F;  ///< target to eye, > 0
    float yaw = 0.0F;       ///< radians around +y, −π…π; 0 looks along −z, as view 0 does
    float pitch = 0.0F;     ///< radians, −π/2…π/2, positive looks down on the target
    float fieldOfView = 0.7F;  ///< vertical, radians

    glm::vec3 eye() const;
    glm::mat4 viewMatrix() const;
    /// Vulkan clip space (y down, z 0…1). The near plane follows from `distance`; there is no far
    /// plane, so nothing is cut off behind.
    glm::mat4 projectionMatrix(float aspect) const;

    /// Drag by pixels in a pane of the given height: half a turn across the height. The object
    /// turns with the cursor.
    void orbit(glm::vec2 pixels, float paneHeight);
    /// The point under the cursor at the target's depth follows the cursor.
    void pan(glm::vec2 pixels, float paneHeight);
    /// Zoom by wheel steps (positive: closer, an eighth of the distance a step) so that what is
    /// under the cursor, at the target's depth, stays there. `cursor` in pixels from the pane's
    /// top left.
    void zoom(float steps, glm::vec2 cursor, glm::vec2 paneSize);
    /// Looks at the box from the present direction so that it fills the pane with a margin.
    /// `aspect` is the pane's width ÷ height.
    void fit(glm::vec3 lowest, glm::vec3 highest, float aspect);

    bool operator==(const OrbitCamera&) const = default;
};

/// Distances of the near plane and the eye stand in this ratio.
inline constexpr float kNearShare = 0.01F;

}  // namespace threefold::render
