#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <glm/vec3.hpp>

namespace threefold {

/// The coordinate space of a mesh or point file (METHOD.md §2).
enum class MeshSpace {
    view,   ///< camera space of a view: the object near z = −0.8
    world,  ///< ShapeNet's world, around the origin
};

/// Guesses the space of points: `view` if all are in front of the camera and the centre of their
/// bounding box is nearer to z = −0.8 than to 0; else `world`. Adds `origin` to the points.
MeshSpace guessSpace(std::span<const glm::vec3> points, glm::dvec3 origin = glm::dvec3(0.0));

/// Ratio of the diagonals of the bounding boxes, mesh : truth, if it is above 5 or below 1/5, as in
/// other units; nullopt: similar sizes, or one of the two is empty or a point.
std::optional<double> ratioOfOtherUnit(std::span<const glm::vec3> mesh,
                                       std::span<const glm::vec3> truth);

/// The coordinate space assumed for ground-truth files.
enum class TruthSpace {
    unset,   ///< default of findSample(): view space for pickles, else detected
    view,    ///< space of the view that ends the file name
    world,   ///< ShapeNet's world
    detect,  ///< detected from the points
};

std::string_view truthSpaceName(TruthSpace space);     ///< "", "view", "world", "auto"
TruthSpace truthSpaceFromName(std::string_view name);  ///< Throws UsageError.

}  // namespace threefold
