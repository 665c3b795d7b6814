#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace threefold {

/// One row of `rendering_metadata.txt` (METHOD.md §2): a view's camera as ShapeNet renderings
/// store it.
struct CameraRow {
    double azimuth = 0;       ///< degrees
    double elevation = 0;     ///< degrees
    double inPlane = 0;       ///< degrees; unused by the method
    double distance = 0;      ///< ratio, > 0
    double fieldOfView = 25;  ///< degrees; unused, the focal length is fixed
};

/// One row a line, five numbers separated by blanks; empty lines and `#` comments are skipped.
/// Throws FormatError naming the line (wrong count, not a number, not finite, distance ≤ 0).
std::vector<CameraRow> parseRenderingMetadata(std::string_view text,
                                              const std::filesystem::path& subject);
std::vector<CameraRow> readRenderingMetadata(const std::filesystem::path& file);
std::string formatRenderingMetadata(std::span<const CameraRow> rows);

}  // namespace threefold
