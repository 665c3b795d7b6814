#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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
    /// Names of its files; the first is the one that is opened, all have to be there.
    std::array<std::string_view, 2> files;
    CameraFile (*read)(const std::filesystem::path& folder);
};

/// In the order in which a folder is searched for them.
std::span<const CameraFormat> cameraFormats();

CameraFile readTransforms(const JsonObject& root);
CameraFile readCamerasJson(const JsonObject& root);
/// transforms_train.json, and the frames of transforms_test.json and transforms_val.json beside it.
CameraFile readSplitTransforms(const std::filesystem::path& folder);
CameraFile readColmapText(const std::filesystem::path& folder);
CameraFile readColmapBinary(const std::filesystem::path& folder);

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

/// The file `name` in `folder`, or `name` with an image extension appended; else the file of the
/// longest end of a path of another machine, with slashes or backslashes. Empty if none exists or
/// if no file can have that name.
std::filesystem::path findPhoto(const std::filesystem::path& folder, const std::string& name);

/// Sets a missing size of `lens` from the image, as upright or as stored. False if that is
/// impossible: then this view cannot be chosen, but others can.
bool completeSize(Lens& lens, const Photo& photo, PixelOrder order);

/// Turns the cameras of photographs that EXIF turns to the upright pictures, where the file means
/// the pixels as stored: the sizes tell, and where both fit, `usual`.
void turnUpright(CameraFile& file, PixelOrder usual);

/// Reads a 4×4 matrix, or a 3×4 one, to which the row 0 0 0 1 is added. Throws FormatError.
PoseMatrix poseIn(const JsonObject& object, const char* key);

/// object_centre, object_size and up. Throws FormatError: a size not above zero, an up of length 0.
ObjectPlace placeIn(const JsonObject& root);

/// Throws InputError for an invalid lens: a size or focal length not above zero, a principal point
/// outside the photograph by more than its size, a value that is not finite.
void checkLens(const Lens& lens, const std::filesystem::path& file, const std::string& place);

}  // namespace threefold
