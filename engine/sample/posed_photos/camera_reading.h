#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/formats/pictures/image.h"
#include "engine/formats/text/json_object.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/posed_photos/pose_matrix.h"

/// Parts that the readers of camera formats share.
namespace threefold {

/// Maximum photographs of a camera file; bounds the memory that a broken file takes.
inline constexpr std::size_t kMaxPosedPhotos = 10'000;

/// Pictures of the cameras of `file`, which names none: camera i has the i-th of
/// tryListPictures() of the first of these folders that has any. Empty if none has. Throws
/// InputError if the folder holds another number of pictures than `cameras`: which of them a camera
/// belongs to is then unknown.
std::vector<std::filesystem::path> picturesInOrder(
    const std::vector<std::filesystem::path>& folders, std::size_t cameras,
    const std::filesystem::path& file);

/// Runs findPhoto() in `folder` and the subfolders images, image and blended_images of `folder` and
/// its two parents.
std::filesystem::path findPhotoAround(const std::filesystem::path& folder, const std::string& name);

/// Completes a lens: a missing size from the picture, and if `centred`, the principal point at the
/// centre. Checks the lens if the size is known.
void finishLens(Photo& photo, bool centred, const std::filesystem::path& file,
                const std::string& place);

/// Adds to `cameras` a note on `leftOut` photographs without a camera, if any. Throws InputError if
/// no photograph has a camera.
void noteLeftOut(CameraFile& cameras, std::size_t leftOut, const std::filesystem::path& file);

/// Values of one view, which take precedence over those of the whole file.
class CameraValues {
  public:
    CameraValues(const JsonObject& view, const JsonObject& root) : view_(view), root_(root) {}

    bool has(const char* key) const { return view_.has(key) || root_.has(key); }
    const JsonObject& objectWith(const char* key) const { return view_.has(key) ? view_ : root_; }
    std::optional<double> number(const char* key) const {
        return objectWith(key).optionalNumber(key);
    }
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
ObjectPlacement placementIn(const JsonObject& root);

/// Throws InputError for an invalid lens: a size or focal length not above zero, a principal point
/// outside the photograph by more than its size, a value that is not finite.
void requireValidLens(const Lens& lens, const std::filesystem::path& file,
                      const std::string& place);

}  // namespace threefold
