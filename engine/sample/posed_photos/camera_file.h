#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/views/lens.h"
#include "engine/views/pose.h"

namespace threefold {

/// Position, size and up direction of the object in the photographs' world. Missing values are
/// estimated.
struct ObjectPlacement {
    std::optional<glm::dvec3> centre;  ///< centre of the bounding box
    std::optional<double> size;        ///< diagonal of the bounding box, > 0
    std::optional<glm::dvec3> up;      ///< any length but 0
};

/// Photograph as described by a camera file.
struct Photo {
    std::string name;             ///< name in the camera file
    std::filesystem::path image;  ///< empty if the file does not exist
    std::filesystem::path mask;   ///< mask named by the camera file, for maskFileOf(); empty: none
    Pose pose;                    ///< in the photographs' world
    Lens lens;
    bool isMirrored = false;  ///< EXIF mirrors the stored pixels: the view cannot be used
};

/// Contents of a camera file. Each camera is validated alone, not against others.
struct CameraFile {
    std::filesystem::path path;
    std::string format;  ///< "transforms.json", "COLMAP, binary", "Meshroom"
    std::vector<Photo> photos;
    ObjectPlacement placement;            ///< the values that the file gives
    std::vector<std::string> notes = {};  ///< repairs, one sentence each
    /// Why the cameras may be wrong, by the program that found them: one sentence each, the gravest
    /// first; empty: no warning.
    std::vector<std::string> warnings = {};
    std::size_t rotatedCameraCount = 0;  ///< cameras that turnUpright() rotated
};

/// Finds the camera file of a folder: the first of cameraFormats() whose files exist in the folder,
/// else in sparse/0, sparse or images. Empty if there is none.
std::filesystem::path cameraFileIn(const std::filesystem::path& folder);

/// Whether readCameraFile() reads a file of this name. For a name that only a format's pattern
/// matches, the format's other files must exist beside the file.
bool isCameraFileName(const std::filesystem::path& file);

/// Reads a file of cameraFormats(), or another JSON file whose keys are those of `transforms.json`
/// or `cameras.json` (docs/OWN_DATA.md). Reads missing image sizes from the images and converts
/// cameras to upright pictures (turnUpright()). A missing photograph is no error: its path is
/// empty. Throws IoError, NotThisFormat (other JSON), FormatError (not JSON, too large, a missing
/// or mistyped value), InputError (an unusable matrix or lens, fewer than two views). Errors of a
/// value name its position.
CameraFile readCameraFile(const std::filesystem::path& file);

}  // namespace threefold
