#pragma once

#include <span>

#include <glm/vec3.hpp>

namespace threefold {

/// The coordinate space of a mesh or point file (METHOD.md §2).
enum class MeshSpace {
    view,   ///< camera space of a view: the object near z = −0.8
    world,  ///< ShapeNet's, around the origin
};

/// `view` if all points are in front of the camera and their box's middle is nearer to z = −0.8
/// than to 0; else `world`.
MeshSpace guessSpace(std::span<const glm::vec3> points);

}  // namespace threefold
