#pragma once

#include <optional>

#include "engine/formats/text/json_object.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/posed_photos/pose_matrix.h"

/// Values of camera files in JSON.
namespace threefold {

/// Looks up a key in a view, or, if the view lacks the key, in the whole file.
class PerViewValues {
  public:
    PerViewValues(const JsonObject& view, const JsonObject& root) : view_(view), root_(root) {}

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

/// Reads a 4×4 matrix, or a 3×4 matrix, to which the row 0 0 0 1 is appended. Throws FormatError.
PoseMatrix readPoseMatrix(const JsonObject& object, const char* key);

/// Reads object_centre, object_size and up. Throws FormatError: a size not above zero, an up of
/// length 0.
ObjectPlacement readPlacement(const JsonObject& root);

}  // namespace threefold
