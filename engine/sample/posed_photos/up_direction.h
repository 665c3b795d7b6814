#pragma once

#include <optional>
#include <span>

#include <glm/vec3.hpp>

#include "engine/sample/posed_photos/camera_file.h"

namespace threefold {

/// Estimated up direction of the photographs' world.
struct UpDirection {
    glm::dvec3 up{0, 1, 0};   ///< of length 1
    const char* reason = "";  ///< how it was estimated, as a phrase: "assuming level cameras"
};

/// Estimates the up direction from the cameras: the direction most perpendicular to their x axes,
/// exact for level cameras; or, if this direction contradicts their up vectors, the mean of the up
/// vectors; if the up vectors disagree but all photographs lie on their side, the direction most
/// perpendicular to the up vectors, on the side of the cameras. nullopt if the up vectors cancel
/// out. `photos`: one or more.
std::optional<UpDirection> estimateUp(std::span<const Photo> photos);

}  // namespace threefold
