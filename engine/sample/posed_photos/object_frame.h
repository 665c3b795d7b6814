#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/posed_photos/photo_foregrounds.h"
#include "engine/transform.h"

namespace threefold {

/// Assumed position, size and up direction of the object, with reasons.
struct ObjectFrame {
    /// From the photographs' world to object space (METHOD.md §2): the object around the origin, y
    /// up, as large as the training objects. `sourceOrigin` is the object's centre, `targetOrigin`
    /// is 0.
    SimilarityTransform photosToObjectSpace;
    ObjectPlacement placement;       ///< with all values set
    std::vector<std::string> notes;  ///< assumptions and estimates, one sentence each
};

/// Estimates all values of the object that `given` does not set:
/// - with six or more masks in `foregrounds`, centre and size are from the box around the visual
///   hull;
/// - with fewer masks, the centre is the point nearest to the rays through the masks' centres; the
///   size is estimated from the masks' extents, with an error of up to a third;
/// - without masks, the centre is the point nearest to the optical axes, and the size puts the
///   cameras at a mean distance of 0.8, as in ShapeNet's renderings;
/// - up is the direction most perpendicular to the cameras' x axes, exact for level cameras, or
///   else the mean of the cameras' up vectors; if the up vectors disagree but all photographs lie
///   on their side, up is the direction most perpendicular to the up vectors.
///
/// The scale is kObjectDiagonal ÷ size. `foregrounds`: foregroundsOf(photos), or empty. `file` is
/// the subject of errors. Throws InputError if a given value is out of range, if masks contradict
/// the cameras, or if the cameras are inconsistent: up vectors that cancel out, cameras all at one
/// point, parallel axes, axes that miss each other or meet behind the cameras.
ObjectFrame placeObject(std::span<const Photo> photos, std::span<const PhotoForeground> foregrounds,
                        const ObjectPlacement& given, const std::filesystem::path& file);

/// Reads the photographs' masks (transparency, or a white background) if centre or size is not
/// given, then calls placeObject(). If the cameras, without the masks, agree on one object only
/// once their matrices are inverted, the error says so.
ObjectFrame placeObjectOfFile(const std::vector<Photo>& photos, const ObjectPlacement& given,
                              const std::filesystem::path& file);

}  // namespace threefold
