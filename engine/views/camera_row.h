#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

/// Generous limits of a row's values; anything beyond is a mistake. The object's bounding box has a
/// diagonal of 0.57, its cameras stand at about 0.65 to 0.98 (METHOD.md §2). A camera nearer than
/// kMinRowDistance stands in the object's box or close to it; from a camera farther than
/// kMaxRowDistance the object looks smaller than a pixel.
inline constexpr double kMaxRowDegrees = 36'000;  ///< maximum |azimuth| and |elevation|
inline constexpr double kMinRowDistance = 0.2;
inline constexpr double kMaxRowDistance = 1000;

/// Field of view in all rows of ShapeNet's renderings, degrees; see CameraRow::fieldOfView.
inline constexpr double kShapeNetFieldOfView = 25;

/// One row of `rendering_metadata.txt` (METHOD.md §2): a view's camera.
struct CameraRow {
    double azimuth = 0;          ///< degrees: 0 on the object's +x, 90 on its +z; ±kMaxRowDegrees
    double elevation = 0;        ///< degrees above the object's xz plane; ±kMaxRowDegrees
    double inPlaneRotation = 0;  ///< degrees, anticlockwise as seen from behind the camera
    /// Distance to the object's centre, in object units, kMinRowDistance…kMaxRowDistance.
    /// ShapeNet's files call the distance a ratio.
    double distance = 0;
    /// Degrees across the picture's longer side. Where hasOwnFieldOfView() is false, as for
    /// kShapeNetFieldOfView, the value stands for the method's lens.
    double fieldOfView = kShapeNetFieldOfView;

    /// Whether `fieldOfView` is the row's own lens: 1 to 150 degrees, but not kShapeNetFieldOfView.
    bool hasOwnFieldOfView() const {
        return fieldOfView != kShapeNetFieldOfView && fieldOfView >= 1 && fieldOfView <= 150;
    }

    bool operator==(const CameraRow&) const = default;
};

/// Parses one row per line: five numbers separated by blanks; empty lines and `#` comments are
/// skipped. Throws FormatError naming the line (wrong count, not a number, not finite, out of
/// range).
std::vector<CameraRow> parseRenderingMetadata(std::string_view text,
                                              const std::filesystem::path& subject);
/// Reads a file of rows. Throws as parseRenderingMetadata(), and IoError.
std::vector<CameraRow> readRenderingMetadata(const std::filesystem::path& file);
/// Formats rows as text that parseRenderingMetadata() reads.
std::string formatRenderingMetadata(std::span<const CameraRow> rows);

}  // namespace threefold
