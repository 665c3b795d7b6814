#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "engine/formats/text/json_object.h"
#include "engine/sample/posed_photos/camera_file.h"

/// Every format of camera files, in the order in which a folder is searched for them. A new format
/// takes a line here and a file that defines `camera_formats::NAME`.
#define THREEFOLD_CAMERA_FORMATS(FORMAT) \
    FORMAT(transformsJson)               \
    FORMAT(camerasJson)                  \
    FORMAT(transformsTrain)              \
    FORMAT(colmapText)                   \
    FORMAT(colmapBinary)                 \
    FORMAT(meshroom)                     \
    FORMAT(meshroomSfmJson)              \
    FORMAT(openMvg)                      \
    FORMAT(neus)                         \
    FORMAT(idr)                          \
    FORMAT(llff)                         \
    FORMAT(mvsnet)                       \
    FORMAT(bundler)                      \
    FORMAT(middlebury)                   \
    FORMAT(neuralDeferredShading)        \
    FORMAT(metashape)

/// Readers of the individual camera formats, called by readCameraFile().
namespace threefold {

/// Maximum number of photographs of a camera file; bounds the memory that a broken file takes.
inline constexpr std::size_t kMaxPosedPhotos = 10'000;

/// Format of camera files.
struct CameraFormat {
    std::string_view name;     ///< "COLMAP, binary"
    std::string_view writers;  ///< programs that write the format
    /// File names below a folder: the first is opened, all must exist. A `*` stands for any text,
    /// which must be equal in all names; of several matches the first in natural order is used.
    std::array<std::string_view, 3> files;
    CameraFile (*read)(const std::filesystem::path& file);
    /// Further check of a file that was found by name, as other programs use the same name; null:
    /// accepts every file.
    bool (*accepts)(const std::filesystem::path& file) = nullptr;
};

namespace camera_formats {
#define THREEFOLD_DECLARATION(name) extern const CameraFormat name;
THREEFOLD_CAMERA_FORMATS(THREEFOLD_DECLARATION)
#undef THREEFOLD_DECLARATION
}  // namespace camera_formats

/// All formats, in the order of THREEFOLD_CAMERA_FORMATS.
std::span<const CameraFormat* const> cameraFormats();

/// Readers of JSON camera files: of nerfstudio and instant-ngp, of Threefold (cameras.json), of
/// Meshroom, of OpenMVG. They throw as readCameraFile() does.
CameraFile readTransforms(const JsonObject& root);
CameraFile readCamerasJson(const JsonObject& root);
CameraFile readMeshroom(const JsonObject& root);
CameraFile readOpenMvg(const JsonObject& root);

/// Adds to `cameras` a note on `leftOut` photographs without a camera, if any. Throws InputError if
/// no photograph has a camera.
void noteLeftOut(CameraFile& cameras, std::size_t leftOut, const std::filesystem::path& file);

/// Reads a camera file in JSON by its keys. Throws as readCameraFile() does.
CameraFile readJsonCameras(const std::filesystem::path& file);

}  // namespace threefold
