#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/sample/posed_photos/lens.h"
#include "engine/views/camera.h"

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
    Camera camera;                ///< in the photographs' world
    Lens lens;
};

/// A camera file. Each camera is checked by itself, not against the others.
struct CameraFile {
    std::filesystem::path path;
    std::string format;  ///< "transforms.json", "cameras.json", "COLMAP"
    std::vector<Photo> photos;
    ObjectPlace place;  ///< as far as the file gives it
};

/// The camera file of a folder, found by name: transforms.json, cameras.json, or
/// COLMAP's cameras.txt with images.txt (there, or in sparse/0). Empty where there is none.
std::filesystem::path cameraFileIn(const std::filesystem::path& folder);

/// True if the file has a name that readCameraFile() accepts.
bool isCameraFileName(const std::filesystem::path& file);

/// Reads `transforms.json` of NeRF, instant-ngp and nerfstudio, `cameras.json` (docs/OWN_DATA.md),
/// told apart by their keys, or COLMAP's `images.txt` or `cameras.txt`, each with the other beside
/// it. Missing image sizes are read from the images. A missing photograph is no error: its path is
/// empty. Throws, naming the value's place, IoError, NotThisFormat (other JSON), FormatError (not
/// JSON, too large, a missing or mistyped value), InputError (an unusable matrix or lens, fewer
/// than two views).
CameraFile readCameraFile(const std::filesystem::path& file);

/// The same for a JSON file's bytes, with any number of photographs, which are looked for beside
/// `file`. Safe for untrusted bytes: memory stays within 16 × their number + 64 MB. Throws as
/// above.
CameraFile decodeCameraJson(std::span<const std::byte> bytes, const std::filesystem::path& file);

/// The same for the bytes of COLMAP's cameras.txt and images.txt, as if from `folder`.
CameraFile decodeColmap(std::span<const std::byte> cameras, std::span<const std::byte> images,
                        const std::filesystem::path& folder);

}  // namespace threefold
