#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/views/camera.h"
#include "engine/views/lens.h"

namespace threefold {

/// Where the object is in the photographs' world. Missing values are estimated.
struct ObjectPlace {
    std::optional<glm::dvec3> centre;  ///< of its bounding box
    std::optional<double> size;        ///< diagonal of its bounding box, > 0
    std::optional<glm::dvec3> up;      ///< not zero; of any length
};

/// One photograph as the file describes it.
struct Photo {
    std::string name;             ///< as the file has it
    std::filesystem::path image;  ///< empty where there is no such file
    std::filesystem::path mask;   ///< that the file names, for maskFileOf(); empty: none
    Camera camera;                ///< in the photographs' world
    Lens lens;
    bool mirrored = false;  ///< EXIF mirrors the pixels of the camera: the view cannot be used
};

/// A camera file. Each camera is checked by itself, not against the others.
struct CameraFile {
    std::filesystem::path path;
    std::string format;  ///< "transforms.json", "cameras.json", "COLMAP"
    std::vector<Photo> photos;
    ObjectPlace place;                    ///< as far as the file gives it
    std::vector<std::string> notes = {};  ///< what was mended, a sentence each
    std::size_t turned = 0;               ///< cameras that turnUpright() rotated
};

/// The camera file of a folder, found by name: the first of cameraFormats() whose files are there,
/// or in sparse/0, sparse or images. Empty where there is none.
std::filesystem::path cameraFileIn(const std::filesystem::path& folder);

/// True if the file has a name that readCameraFile() accepts.
bool isCameraFileName(const std::filesystem::path& file);

/// Reads a file of cameraFormats(), or another JSON file whose keys are those of `transforms.json`
/// or `cameras.json` (docs/OWN_DATA.md). Missing image sizes are read from the images, and cameras
/// are of the upright pictures (turnUpright()). A missing photograph is no error: its path is
/// empty. Throws, naming the value's place, IoError, NotThisFormat (other JSON), FormatError (not
/// JSON, too large, a missing or mistyped value), InputError (an unusable matrix or lens, fewer
/// than two views).
CameraFile readCameraFile(const std::filesystem::path& file);

/// The same for a JSON file's bytes, with any number of photographs, which are looked for beside
/// `file`. For untrusted bytes: memory stays within 16 × their number + 64 MB. Throws as above.
CameraFile decodeCameraJson(std::span<const std::byte> bytes, const std::filesystem::path& file);

/// The same for the bytes of COLMAP's cameras.txt and images.txt, as if from `folder`.
CameraFile decodeColmap(std::span<const std::byte> cameras, std::span<const std::byte> images,
                        const std::filesystem::path& folder);
/// The same for cameras.bin and images.bin.
CameraFile decodeColmapBinary(std::span<const std::byte> cameras, std::span<const std::byte> images,
                              const std::filesystem::path& folder);

/// The directions of a camera's own axes: OpenCV's and COLMAP's x right, y down, looking along +z;
/// OpenGL's, Blender's and NeRF's x right, y up, looking along −z.
enum class CameraAxes { opencv, opengl };

/// The direction in which a 4×4 matrix maps points.
enum class MatrixConvention { cameraToWorld, worldToCamera };

using PoseMatrix = std::array<std::array<double, 4>, 4>;  ///< by rows

/// The camera in the axes that Threefold uses (OpenGL's). A matrix that is a rotation up to
/// rounding (`kRotationTolerance`) is replaced by the nearest one; so is one whose axes have other
/// lengths than 1, or are slightly off a right angle (`kMendedTolerance`), and `mended` becomes
/// true. Throws InputError, saying by how much: a value that is not finite or beyond `kFarthest`, a
/// last row other than 0 0 0 1, mirrored axes, a matrix that is no rotation. `subject` and `place`
/// name it in errors.
Camera cameraOfMatrix(const PoseMatrix& matrix, CameraAxes axes, MatrixConvention convention,
                      const std::string& subject, const std::string& place, bool* mended = nullptr);

/// Largest coordinate that is accepted, so that squares and products stay numbers.
inline constexpr double kFarthest = 1e9;

/// Largest entry of RᵀR − 1 that passes for rounding.
inline constexpr double kRotationTolerance = 1e-3;

/// Largest entry of RᵀR − 1, after the axes were normalised, up to which a matrix is mended.
inline constexpr double kMendedTolerance = 2e-2;

}  // namespace threefold
