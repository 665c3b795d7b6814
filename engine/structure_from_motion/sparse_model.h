#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/views/lens.h"
#include "engine/views/pose.h"

namespace threefold::structure_from_motion {

/// Photograph whose camera was found: COLMAP's registered image.
struct RegisteredImage {
    std::size_t photograph = 0;  ///< index in the request
    Pose pose;                   ///< in the model's world, of arbitrary scale and orientation
    Lens lens;                   ///< of the upright picture
    std::size_t pointCount = 0;  ///< points of the model that the photograph shows
};

/// Point that photographs have in common.
struct SparsePoint {
    glm::dvec3 position{0.0};
    double meanReprojectionError = 0;  ///< over the photographs that show the point, pixels
    std::size_t trackLength = 0;       ///< number of photographs that show the point
};

/// Cameras and points in one world.
struct SparseModel {
    std::vector<RegisteredImage> images;  ///< in the order of the photographs
    std::vector<SparsePoint> points;

    /// Mean of the points' errors, pixels, as COLMAP's model_analyzer has it; 0 without points.
    double meanReprojectionError() const;
    /// Mean distance of the cameras from a point, in the model's unit; 0 without cameras.
    double meanCameraDistance(glm::dvec3 point) const;
};

/// Decodes COLMAP's points3D.bin. Safe for untrusted bytes: uses at most as much memory as `bytes`.
/// Throws FormatError. `file` is the subject of errors.
std::vector<SparsePoint> decodeSparsePoints(std::span<const std::byte> bytes,
                                            const std::filesystem::path& file);

/// Reads cameras.bin, images.bin and points3D.bin of a folder, whose photographs are named by their
/// index, as runColmap() names them. Throws the exceptions of decodeColmapBinary() and
/// decodeSparsePoints(); IoError; FormatError (a photograph with another name).
SparseModel readSparseModel(const std::filesystem::path& folder, std::size_t photographs);

}  // namespace threefold::structure_from_motion
