#pragma once

#include <limits>
#include <span>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace threefold::render {

/// Coordinate that points up in the world.
enum class UpAxis { y, z };

/// Angles of a camera around its target, radians, as in OrbitCamera.
struct ViewAngles {
    float yaw = 0, pitch = 0;
};
/// Angles of a camera in the direction `fromTarget`, a vector of any length, from its target. Both
/// angles are 0 for a zero vector.
ViewAngles anglesOf(glm::vec3 fromTarget, UpAxis up = UpAxis::y);

/// A perspective camera on a sphere around a target. Linked panes share one value. orbit(), pan()
/// and zoom() do nothing for a pane without area or values that are not finite.
struct OrbitCamera {
    glm::vec3 target{0.0F, 0.0F, -0.8F};  ///< default: ShapeNet's object in view 0's space
    float distance = 1.0F;                ///< target to centre, > 0
    UpAxis upAxis = UpAxis::y;
    /// Radians around `upAxis`, −π…π. 0 looks along −z as view 0 does; along +y if `upAxis` is z.
    float yaw = 0.0F;
    float pitch = 0.0F;        ///< radians, −π/2…π/2, positive looks down on the target
    float fieldOfView = 0.7F;  ///< vertical, radians
    /// Signed distance from the target towards the camera to the clipping plane, in world units;
    /// below 0 behind the target. Parts nearer to the camera are clipped; infinite: no clipping.
    float clipDepth = std::numeric_limits<float>::infinity();

    glm::vec3 centre() const;  ///< centre of projection
    glm::mat4 viewMatrix() const;
    /// Distance of the near plane from the centre: the clipping plane's distance, at least
    /// kMinNearFraction of `distance`.
    float nearDistance() const;
    /// Vulkan clip space (y down, z 0…1). No far plane.
    glm::mat4 projectionMatrix(float aspect) const;
    /// Transforms a world point to clip space, in a pane of a given size.
    glm::vec4 toClipSpace(glm::vec3 point, glm::vec2 paneSize) const {
        return projectionMatrix(paneSize.x / paneSize.y) * viewMatrix() * glm::vec4(point, 1.0F);
    }

    /// Rotates the object with the pointer: half a turn across the pane's height.
    void orbit(glm::vec2 pixels, float paneHeight);
    /// Pans so that the point under the pointer, at the target's depth, follows the pointer.
    void pan(glm::vec2 pixels, float paneHeight);
    /// Zooms by wheel steps (positive: closer by an eighth of the distance per step); keeps the
    /// point under the pointer, at the target's depth, in place. `pointer`: pixels from the pane's
    /// top left.
    void zoom(float steps, glm::vec2 pointer, glm::vec2 paneSize);

    bool operator==(const OrbitCamera&) const = default;
};

/// Returns the camera moved to another centre: it looks at the same target, with its field of view
/// changed so that the target keeps its size. Unchanged for a centre at the target.
OrbitCamera withCentre(const OrbitCamera& camera, glm::vec3 centre);

/// Chooses the centre whose direction from the target differs least from that of the camera's own
/// centre; `centres` must not be empty.
glm::vec3 nearestCentre(const OrbitCamera& camera, std::span<const glm::vec3> centres);

/// Minimum distance of the near plane, relative to OrbitCamera::distance.
inline constexpr float kMinNearFraction = 0.01F;

}  // namespace threefold::render
