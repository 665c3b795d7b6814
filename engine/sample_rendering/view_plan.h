#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/views/camera_row.h"

namespace threefold {

/// One camera parameter: its value in each view.
struct CameraParameter {
    /// Values used in turn, repeated for more views. Empty: random.
    std::vector<double> values;
    double min = 0;  ///< random values are uniform in min…max
    double max = 0;
};

/// Parses "30" (every view), "0,90,180" (a list), "0:345:15" (a list: first, last, step) or
/// "25..30" (random in the range). `option`: the option's name in errors. Throws UsageError.
CameraParameter parseCameraParameter(std::string_view text, std::string_view option);

/// Camera parameters of a sample. The defaults are those of ShapeNetRendering.
struct ViewPlan {
    CameraParameter azimuth{{}, 0, 360};       ///< degrees
    CameraParameter elevation{{}, 25, 30};     ///< degrees, −90…90
    CameraParameter distance{{}, 0.65, 0.98};  ///< to the object's centre, object units
    int count = 0;  ///< 0: length of the longest list of values; 24 without lists
    std::uint64_t seed = 0;
};

/// Limits of ViewPlan::count.
inline constexpr int kMinPlannedViews = 2;
inline constexpr int kMaxPlannedViews = 1000;
/// Minimum distance of a planned camera. It is above kMinRowDistance, since a closer camera may be
/// inside the object's bounding sphere, which would clip the rendering.
inline constexpr double kMinPlannedDistance = 0.3;

/// Computes the metadata rows of a sample; deterministic for a plan and an id. Random values have
/// nine decimals. Throws UsageError: values or a count out of range.
std::vector<CameraRow> planViews(const ViewPlan& plan, std::string_view id);

}  // namespace threefold
