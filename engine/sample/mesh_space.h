#pragma once

#include <span>
#include <string_view>

#include <glm/vec3.hpp>

namespace threefold {

/// The coordinate space of a mesh or point file (METHOD.md §2).
enum class MeshSpace {
    view,   ///< camera space of a view: the object near z = −0.8
    world,  ///< ShapeNet's, around the origin
};

/// `view` if all points are in front of the camera and their box's middle is nearer to z = −0.8
/// than to 0; else `world`. `origin` is added to the points.
MeshSpace guessSpace(std::span<const glm::vec3> points, glm::dvec3 origin = glm::dvec3(0.0));

/// The coordinate space assumed for ground-truth files.
enum class TruthSpace {
    unset,   ///< as findSample() sets it: a view's for pickles, detected for others
    view,    ///< of the view that the file's name ends with
    world,   ///< ShapeNet's
    detect,  ///< detected from the points
};

std::string_view truthSpaceName(TruthSpace space);     ///< "", "view", "world", "auto"
TruthSpace truthSpaceFromName(std::string_view name);  ///< Throws UsageError.

}  // namespace threefold
