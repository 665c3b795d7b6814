#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold {

/// From a person's own world to the one the network knows (METHOD.md §2): the object around the
/// origin, y up, as large as it was trained with. p → scale · rotation · (p − centre).
struct Similarity {
    glm::dmat3 rotation{1.0};
    double scale = 1;
    glm::dvec3 centre{0.0};

    glm::dvec3 toObject(glm::dvec3 own) const { return scale * (rotation * (own - centre)); }
    glm::dvec3 toOwn(glm::dvec3 object) const;
};

/// Where the object is taken to be, and why.
struct ObjectFrame {
    Similarity world;
    ObjectPlace place;               ///< all of it known
    std::vector<std::string> notes;  ///< what was assumed or estimated, a sentence each
    double meanDistance = 0;         ///< of the cameras from the centre, in object space
};

/// Largest distance of an optical axis (or of the ray through a mask's middle) from the point that
/// all of them are nearest to, as a share of that camera's own distance: 19°.
inline constexpr double kMostMiss = 0.35;

/// The network's object has a bounding box of this diagonal, its cameras stand this far.
inline constexpr double kObjectDiagonal = 0.57;
inline constexpr double kNearestDistance = 0.6;
inline constexpr double kFarthestDistance = 1.0;

/// What of `given` is set is taken as it is. Else
/// - with masks (transparency, or a white background) in six or more of up to twelve photographs,
///   spread evenly: centre and size are those of the box around the points that lie in all masks;
/// - with fewer, the centre is the point nearest to the rays through the masks' middles, and the
/// size
///   a guess from their extents, right to a third;
/// - without, the centre is nearest to the optical axes, and the size such that the mean distance
/// of
///   the cameras is 0.8, as ShapeNet's renderings have it;
/// - up: the direction that the cameras' sideways axes are most perpendicular to, which is exact
///   for cameras held level; where they tell nothing, the mean of the cameras' own.
/// The scale is kObjectDiagonal ÷ size, and is changed where the mean distance of the cameras would
/// leave kNearestDistance…kFarthestDistance, as the network knows no other: the object is then
/// smaller or larger than those it was trained with, but nothing is distorted. A note says so.
/// `read` decodes a photograph for its mask, and is called for none where centre and size are
/// given. Throws InputError where the cameras do not agree on a place: all at one point; axes that
/// are parallel, miss each other, or meet behind the cameras. `file` is the subject.
ObjectFrame placeObject(std::span<const Photo> photos, const ObjectPlace& given,
                        const std::filesystem::path& file,
                        const std::function<Image(const std::filesystem::path&)>& read);

}  // namespace threefold
