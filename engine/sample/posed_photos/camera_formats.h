#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/bytes/json_object.h"
#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"

/// Every format of camera files, in the order in which a folder is searched for them. A new one is
/// a line here and a file that defines `camera_formats::NAME`.
#define THREEFOLD_CAMERA_FORMATS(FORMAT) \
    FORMAT(transformsJson)               \
    FORMAT(camerasJson)                  \
    FORMAT(transformsTrain)              \
    FORMAT(colmapText)                   \
    FORMAT(colmapBinary)                 \
    FORMAT(meshroom)                     \
    FORMAT(meshroomOld)                  \
    FORMAT(openMvg)                      \
    FORMAT(neus)                         \
    FORMAT(idr)                          \
    FORMAT(llff)                         \
    FORMAT(mvsnet)                       \
    FORMAT(bundler)                      \
    FORMAT(middlebury)                   \
    FORMAT(deferredShading)              \
    FORMAT(metashape)

/// Readers of the individual camera formats, called by readCameraFile(), and helpers they share.
namespace threefold {

/// Maximum photographs of a camera file; bounds the memory that a broken file takes.
inline constexpr std::size_t kMaxPosedPhotos = 10'000;

/// Format of camera files.
struct CameraFormat {
    std::string_view name;     ///< "COLMAP, binary"
    std::string_view writers;  ///< programs that write the format
    /// File names below a folder: the first is opened, all must exist. A `*` stands for any text,
    /// the same in all names; of several matches the first in natural order is used.
    std::array<std::string_view, 3> files;
    CameraFile (*read)(const std::filesystem::path& file);
    /// Test of a file found by name, for names that other programs use too; null: accepts all.
    bool (*accepts)(const std::filesystem::path& file) = nullptr;
};

namespace camera_formats {
#define THREEFOLD_DECLARATION(name) extern const CameraFormat name;
THREEFOLD_CAMERA_FORMATS(THREEFOLD_DECLARATION)
#undef THREEFOLD_DECLARATION
}  // namespace camera_formats

/// All formats, in the order of THREEFOLD_CAMERA_FORMATS.
std::span<const CameraFormat* const> cameraFormats();

CameraFile readTransforms(const JsonObject& root);
CameraFile readCamerasJson(const JsonObject& root);
CameraFile readMeshroom(const JsonObject& root);
CameraFile readOpenMvg(const JsonObject& root);

/// Reads a camera file in JSON by its keys. Throws as readCameraFile().
CameraFile readJsonCameras(const std::filesystem::path& file);

// Decoders of untrusted bytes: memory stays within 16 × their number + 64 MB. Photographs are
// looked up around `file`, the file with the bytes.
CameraFile decodeCameraArrays(std::span<const std::byte> bytes, const std::filesystem::path& file);
CameraFile decodeMetashape(std::span<const std::byte> bytes, const std::filesystem::path& file);
CameraFile decodeMiddlebury(std::span<const std::byte> bytes, const std::filesystem::path& file);
CameraFile decodeLlff(std::span<const std::byte> bytes, const std::filesystem::path& file);
/// Decodes the bytes of bundle.out and list.txt.
CameraFile decodeBundler(std::span<const std::byte> bundle, const std::filesystem::path& file,
                         std::span<const std::byte> list, const std::filesystem::path& listFile);
/// Decodes one camera of MVSNet into `photo`, whose name and image are set.
void decodeMvsnet(std::span<const std::byte> bytes, const std::filesystem::path& file,
                  Photo& photo);
/// Reads exactly `count` numbers, separated by blanks or line ends; '#' begins a comment. Throws
/// FormatError.
std::vector<double> decodeNumbers(std::span<const std::byte> bytes,
                                  const std::filesystem::path& file, std::size_t count);

using Matrix3 = std::array<std::array<double, 3>, 3>;  ///< by rows

/// Sets focal lengths and principal point from a calibration matrix. `offset` is added to the
/// principal point: 0 where the first pixel's corner is at (0, 0), 0.5 where its centre is. Throws
/// InputError: not of the form [[fx, 0, cx], [0, fy, cy], [0, 0, 1]].
void setIntrinsics(Lens& lens, const Matrix3& matrix, double offset,
                   const std::filesystem::path& file, const std::string& place);

/// Intrinsics and pose of a projection matrix.
struct DecomposedProjection {
    Matrix3 intrinsics;      ///< calibration matrix: upper triangular, last entry 1
    PoseMatrix worldToView;  ///< rotation and translation, OpenCV axes
};
/// Decomposes a projection matrix of any scale and sign. Throws InputError for a matrix that is no
/// projection.
DecomposedProjection decomposed(const std::array<std::array<double, 4>, 3>& matrix,
                                const std::filesystem::path& file, const std::string& place);

/// picturesIn() of the first of these folders that has any.
std::vector<std::filesystem::path> firstPicturesIn(
    const std::vector<std::filesystem::path>& folders);

/// Runs findPhoto() in `folder` and the subfolders images, image and blended_images of `folder` and
/// its two parents.
std::filesystem::path findPhotoAround(const std::filesystem::path& folder, const std::string& name);

/// Completes a lens: a missing size from the picture, and if `centred`, the principal point at the
/// centre. Checks the lens if the size is known.
void finishLens(Photo& photo, bool centred, const std::filesystem::path& file,
                const std::string& place);

/// Adds a note on `leftOut` photographs without a camera, if any. Throws InputError if no
/// photograph has a camera.
void noteLeftOut(CameraFile& read, std::size_t leftOut, const std::filesystem::path& file);

/// Values of one view, which take precedence over those of the whole file.
class CameraValues {
  public:
    CameraValues(const JsonObject& view, const JsonObject& root) : view_(view), root_(root) {}

    bool has(const char* key) const { return view_.has(key) || root_.has(key); }
    const JsonObject& holderOf(const char* key) const { return view_.has(key) ? view_ : root_; }
    std::optional<double> number(const char* key) const { return holderOf(key).maybeNumber(key); }
    /// Positive number of pixels; 0 if the key is missing. Throws FormatError.
    int pixels(const char* key) const;

  private:
    const JsonObject& view_;
    const JsonObject& root_;
};

/// Finds the file `name` in `folder`, or `name` with an image extension appended; else the longest
/// suffix of the path `name` that exists in `folder`: for "C:/data/fox/images/1.jpg" images/1.jpg,
/// then 1.jpg. Accepts slashes and backslashes. Empty if there is none or the name is invalid.
std::filesystem::path findPhoto(const std::filesystem::path& folder, const std::string& name);

/// Sets a missing size of `lens` from the image, as upright or as stored. False on failure: then
/// this view cannot be chosen, but others can.
bool completeSize(Lens& lens, const Photo& photo, PixelOrder order);

/// Rotates cameras of stored pixels to upright pictures, by EXIF orientation. A lens with the
/// stored size is of stored pixels; `byDefault` decides if both sizes are equal.
void turnUpright(CameraFile& file, PixelOrder byDefault);

/// Reads a 4×4 matrix, or a 3×4 matrix and appends the row 0 0 0 1. Throws FormatError.
PoseMatrix poseIn(const JsonObject& object, const char* key);

/// Reads object_centre, object_size and up. Throws FormatError: a size not above zero, an up of
/// length 0.
ObjectPlacement placeIn(const JsonObject& root);

/// Throws InputError for an invalid lens: a size or focal length not above zero, a principal point
/// outside the photograph by more than its size, a value that is not finite.
void checkLens(const Lens& lens, const std::filesystem::path& file, const std::string& place);

}  // namespace threefold
