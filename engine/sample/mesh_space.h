#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <glm/vec3.hpp>

namespace threefold {

/// The coordinate space of a mesh or point file (METHOD.md §2).
enum class MeshSpace {
    camera,  ///< camera space of a view: the object near z = −0.8
    world,   ///< object space; for truths of posed photographs, the photographs' world
};

/// Detects the space of points: `camera` if all are in front of the camera and the centre of their
/// bounding box is nearer to z = −0.8 than to 0; else `world`. Adds `origin` to the points.
MeshSpace detectSpace(std::span<const glm::vec3> points, glm::dvec3 origin = glm::dvec3(0.0));

/// Ratio of the diagonals of the bounding boxes, mesh : truth, if it is above 5 or below 1/5: the
/// units may differ. nullopt: similar sizes, or one of the two is empty or a point.
std::optional<double> suspiciousSizeRatio(std::span<const glm::vec3> mesh,
                                          std::span<const glm::vec3> truth);

/// Choice of the coordinate space of ground-truth files.
enum class TruthSpaceChoice {
    /// The default: defaultSpaceOfFormat(), or if that is nullopt, detected from the points.
    byFormat,
    camera,    ///< camera space of the view whose number ends the file name
    world,     ///< MeshSpace::world
    detected,  ///< detected from the points of every file
};

/// Name of a choice in options and journals: "", "view", "world" or "auto", in the order of
/// TruthSpaceChoice.
std::string_view truthSpaceName(TruthSpaceChoice space);
/// The choice of that name. Throws UsageError for other names.
TruthSpaceChoice truthSpaceFromName(std::string_view name);

}  // namespace threefold
