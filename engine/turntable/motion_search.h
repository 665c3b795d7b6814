#pragma once

#include <numbers>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/turntable/motion.h"
#include "engine/turntable/outline_hull.h"

namespace threefold::turntable {

inline constexpr double kDegreesPerRadian = 180 / std::numbers::pi;

/// Difference of costs (MotionFit::cost) that is three standard deviations.
inline constexpr double kDecisiveCostDifference = 9;
/// Ratio of costs from which one fit is much worse than another.
inline constexpr double kMuchWorseCostRatio = 1.4;

/// Search for the motion of a turntable from several starts.
struct MotionSearch {
    std::vector<OutlineHull> outlines;  ///< one for each photograph
    MotionPrior prior = {};
    /// Mean centre of the outlines' boxes, at focal length 1; taken for the picture of a point on
    /// the turntable's axis.
    glm::dvec2 centre{0.0};
    double step = 0;  ///< absolute value of the step, radians, above 0

    /// Starting points of fits at several elevations, with one focal length.
    std::vector<TurntableMotion> startsAt(double logFocal) const;

    /// Best fit from several starts under `motionPrior`, with equal steps between the photographs.
    /// Throws InputError: no two outlines can be compared; Cancelled.
    MotionFit bestOf(const MotionPrior& motionPrior, std::span<const TurntableMotion> starts,
                     const std::stop_token& cancel) const;
};

}  // namespace threefold::turntable
