#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace threefold {

/// What a row may hold, generously: beyond it stands a slip, not a camera. The object's bounding
/// box has a diagonal of 0.57, its cameras stand at about 0.65 to 0.98 (METHOD.md §2). Nearer than
/// kLeastRowDistance they stand inside of it; farther than kMostRowDistance it is no pixel large.
inline constexpr double kMostRowDegrees = 36'000;  ///< of azimuth and elevation, either way
inline constexpr double kLeastRowDistance = 0.2;
inline constexpr double kMostRowDistance = 1000;

/// One row of `rendering_metadata.txt` (METHOD.md §2): a view's camera as ShapeNet renderings
/// store it.
struct CameraRow {
    double azimuth = 0;       ///< degrees, at most kMostRowDegrees either way
    double elevation = 0;     ///< likewise
    double inPlane = 0;       ///< degrees; unused by the method
    double distance = 0;      ///< ratio, kLeastRowDistance…kMostRowDistance
    double fieldOfView = 25;  ///< degrees; unused, the focal length is fixed
};

/// One row a line, five numbers separated by blanks; empty lines and `#` comments are skipped.
/// Throws FormatError naming the line (wrong count, not a number, not finite, out of range).
std::vector<CameraRow> parseRenderingMetadata(std::string_view text,
                                              const std::filesystem::path& subject);
std::vector<CameraRow> readRenderingMetadata(const std::filesystem::path& file);
std::string formatRenderingMetadata(std::span<const CameraRow> rows);

}  // namespace threefold
