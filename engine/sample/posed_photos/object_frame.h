#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/views/foreground.h"

namespace threefold {

/// Maps the photographs' world to the network's (METHOD.md §2): the object around the origin, y up,
/// as large as the training objects. p → scale · rotation · (p − centre).
struct Similarity {
    glm::dmat3 rotation{1.0};
    double scale = 1;
    glm::dvec3 centre{0.0};

    glm::dvec3 toObject(glm::dvec3 point) const { return scale * (rotation * (point - centre)); }
    glm::dvec3 toPhotos(glm::dvec3 object) const;
};

/// The object's assumed place and the reasons for it.
struct ObjectFrame {
    Similarity world;
    ObjectPlace place;               ///< all of it known
    std::vector<std::string> notes;  ///< what was assumed or estimated, a sentence each
};

/// Largest distance of an optical axis (or of the ray through a mask's middle) from the point that
/// all of them are nearest to, as a share of that camera's own distance: 19°.
inline constexpr double kMostMiss = 0.35;

/// Diagonal of the bounding box of the network's object.
inline constexpr double kObjectDiagonal = 0.57;

/// Keeps what `given` sets. Otherwise:
/// - with masks (transparency, or a white background) in six or more of up to twelve evenly chosen
///   photographs, centre and size are those of the box around the points inside all masks;
/// - with fewer, the centre is the point nearest to the rays through the masks' middles; the
///   size is estimated from their extents, to a third;
/// - without, the centre is nearest to the optical axes, and the size puts the cameras at a mean
///   distance of 0.8, as in ShapeNet's renderings;
/// - up is the direction most perpendicular to the cameras' sideways axes, which is exact for level
///   cameras, or else the mean of their up vectors; where these do not agree but all photographs
///   lie on their side, it is the direction most perpendicular to them.
/// The scale is kObjectDiagonal ÷ size. `file` is the errors' subject. Throws InputError where the
/// cameras do not agree: all at one point, parallel axes, axes that miss each other or meet behind
/// the cameras.
ObjectFrame placeObject(std::span<const Photo> photos, const ObjectPlace& given,
                        const std::filesystem::path& file);

/// A photograph's object (foregroundOf()), coarsely.
struct CoarseObject {
    /// The smallest rectangle around it, continuous pixels of the photograph: of the first column
    /// the left edge is 0.
    double left = 0, top = 0, right = 0, bottom = 0;
    /// Of 256 pixels or fewer on a side. 1: a pixel with any of the object, or beside one.
    Mask mask;

    /// Whether the object is nowhere at the photograph's border.
    bool isWhole(const Lens& lens) const {
        return left > 0 && top > 0 && right < lens.width && bottom < lens.height;
    }
};

/// None where the object is everything from border to border, or nothing.
std::optional<CoarseObject> coarseObject(const Image& image);

}  // namespace threefold
