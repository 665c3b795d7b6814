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

/// Shared by the readers of the individual formats, which readCameraFile() calls.
namespace threefold {

/// More than any capture has; limits the memory that a broken file takes.
inline constexpr std::size_t kMostPhotos = 10'000;

/// One format of camera files. A new one is a file with its reader and a line of cameraFormats().
struct CameraFormat {
    std::string_view name;     ///< "COLMAP, binary"
    std::string_view writers;  ///< programs that write it
    /// Names of its files below a folder: the first is the one that is opened, all have to be
    /// there. A `*` stands for any text, the same in each; of several such files the first counts,
    /// as people count.
    std::array<std::string_view, 3> files;
    CameraFile (*read)(const std::filesystem::path& file);
    /// Tests a file that was found by name, for names that other programs use too; null: every file
    /// counts.
    bool (*accepts)(const std::filesystem::path& file) = nullptr;
};

/// In the order in which a folder is searched for them.
std::span<const CameraFormat> cameraFormats();

CameraFile readTransforms(const JsonObject& root);
CameraFile readCamerasJson(const JsonObject& root);
CameraFile readMeshroom(const JsonObject& root);
CameraFile readOpenMvg(const JsonObject& root);

// Readers of a file and of what lies beside it. Throw as readCameraFile().
/// transforms_train.json, and the frames of transforms_test.json and transforms_val.json beside it.
CameraFile readSplitTransforms(const std::filesystem::path& file);
CameraFile readColmapText(const std::filesystem::path& file);
CameraFile readColmapBinary(const std::filesystem::path& file);
CameraFile readCameraArrays(const std::filesystem::path& file);
CameraFile readMetashape(const std::filesystem::path& file);
CameraFile readMvsnet(const std::filesystem::path& file);
CameraFile readMiddlebury(const std::filesystem::path& file);
CameraFile readLlff(const std::filesystem::path& file);
CameraFile readBundler(const std::filesystem::path& file);
CameraFile readDeferredShading(const std::filesystem::path& file);
/// False beside COLMAP's model in sparse/0 or sparse, from which it was made, without distortion.
bool isLlffAlone(const std::filesystem::path& file);
/// Whether an XML file begins as Metashape's cameras do.
bool isMetashape(const std::filesystem::path& file);

// The same for untrusted bytes: memory stays within 16 × their number + 64 MB, and photographs are
// looked for around `file`, the one that holds them.
CameraFile decodeCameraArrays(std::span<const std::byte> bytes, const std::filesystem::path& file);
CameraFile decodeMetashape(std::span<const std::byte> bytes, const std::filesystem::path& file);
CameraFile decodeMiddlebury(std::span<const std::byte> bytes, const std::filesystem::path& file);
CameraFile decodeLlff(std::span<const std::byte> bytes, const std::filesystem::path& file);
/// The bytes of bundle.out and list.txt.
CameraFile decodeBundler(std::span<const std::byte> bundle, std::span<const std::byte> list,
                         const std::filesystem::path& file);
/// One camera of MVSNet's; `photo` has its name and image.
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

/// A projection matrix, of any scale and sign, as calibration matrix, rotation and place.
struct Projection {
    Matrix3 intrinsics;      ///< upper triangular, the last entry 1
    PoseMatrix worldToView;  ///< axes of OpenCV
};
/// Throws InputError for a matrix that no camera has.
Projection decomposed(const std::array<std::array<double, 4>, 3>& matrix,
                      const std::filesystem::path& file, const std::string& place);

/// The pictures of the first of these folders that has any, as people count; masks that lie among
/// them (isMaskName()) left out.
std::vector<std::filesystem::path> picturesOf(const std::vector<std::filesystem::path>& folders);

/// findPhoto() in `folder`, its images, image and blended_images, and those of the two folders
/// above.
std::filesystem::path findPhotoAround(const std::filesystem::path& folder, const std::string& name);

/// Takes the size from the picture where it is missing, the principal point from the middle where
/// `centred`, and checks the lens where the size is known.
void finishLens(Photo& photo, bool centred, const std::filesystem::path& file,
                const std::string& place);

/// Adds a note on `leftOut` photographs without a camera, if any. Throws InputError if no
/// photograph has one.
void noteLeftOut(CameraFile& read, std::size_t leftOut, const std::filesystem::path& file);

/// The values of one view, which take precedence over those of the whole file.
class CameraValues {
  public:
    CameraValues(const JsonObject& view, const JsonObject& root) : view_(view), root_(root) {}

    bool has(const char* key) const { return view_.has(key) || root_.has(key); }
    const JsonObject& holderOf(const char* key) const { return view_.has(key) ? view_ : root_; }
    std::optional<double> number(const char* key) const { return holderOf(key).maybeNumber(key); }
    /// A number of pixels, above 0; 0 where there is none. Throws FormatError.
    int pixels(const char* key) const;

  private:
    const JsonObject& view_;
    const JsonObject& root_;
};

/// Finds the file `name` in `folder`, or `name` with an image extension appended; else the longest
/// end of `name` that exists there: of "C:/data/fox/images/1.jpg" images/1.jpg, then 1.jpg. Slashes
/// or backslashes. Empty if none exists or if no file can have that name.
std::filesystem::path findPhoto(const std::filesystem::path& folder, const std::string& name);

/// Sets a missing size of `lens` from the image, as upright or as stored. False if that is
/// impossible: then this view cannot be chosen, but others can.
bool completeSize(Lens& lens, const Photo& photo, PixelOrder order);

/// Rotates cameras of stored pixels to the upright pictures that EXIF asks for. A lens of the
/// stored size is one of stored pixels; `byDefault` decides where stored and upright sizes are
/// equal.
void turnUpright(CameraFile& file, PixelOrder byDefault);

/// Reads a 4×4 matrix, or a 3×4 one, to which the row 0 0 0 1 is added. Throws FormatError.
PoseMatrix poseIn(const JsonObject& object, const char* key);

/// object_centre, object_size and up. Throws FormatError: a size not above zero, an up of length 0.
ObjectPlace placeIn(const JsonObject& root);

/// Throws InputError for an invalid lens: a size or focal length not above zero, a principal point
/// outside the photograph by more than its size, a value that is not finite.
void checkLens(const Lens& lens, const std::filesystem::path& file, const std::string& place);

}  // namespace threefold
