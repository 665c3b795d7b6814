#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/turntable/outline_hull.h"
#include "engine/views/pose.h"

namespace threefold::turntable {

/// Path of a fixed camera relative to an object on a turntable: around the z axis at distance 1 and
/// height 0. Angles in radians.
struct TurntableMotion {
    enum Parameter : std::size_t {
        tilt,      ///< optical axis below the horizontal
        pan,       ///< optical axis right of the turntable's axis
        roll,      ///< camera about its optical axis
        logFocal,  ///< logarithm of focal length ÷ nominal focal length
        step,      ///< azimuth from each photograph to the next, anticlockwise seen from above
    };
    /// Number of parameters that all photographs share. A parameter for each photograph but the
    /// first follows the shared ones: the offset of its azimuth from photograph × step.
    static constexpr std::size_t kSharedParameterCount = step + 1;
    std::vector<double> parameters;

    /// Number of parameters of a motion with one photograph or more.
    static constexpr std::size_t parameterCount(std::size_t photographCount) {
        return kSharedParameterCount + photographCount - 1;
    }
    /// Index of the offset of a photograph's azimuth. The first photograph has none.
    static constexpr std::size_t offsetIndex(std::size_t photograph) {
        return kSharedParameterCount + photograph - 1;
    }

    double azimuth(std::size_t photograph) const;  ///< the first photograph has azimuth 0
    Pose pose(std::size_t photograph) const;
};

/// Prior of a motion, and the scale of its residuals.
struct MotionPrior {
    /// Mean and standard deviation of TurntableMotion::parameters.
    std::vector<double> mean, sigma;
    double pixelSize = 1;  ///< size of a pixel at focal length 1
};

/// Result of fitMotion().
struct MotionFit {
    TurntableMotion motion;
    double cost = 0;  ///< comparable only between fits of the same outlines
    /// Median distance of the tangent planes of each photograph's pairs, pixels.
    std::vector<double> residuals;
    /// Standard deviations of the solved parameters below kSharedParameterCount.
    std::vector<double> parameterSigmas;
};

/// Fits a turntable's motion to outlines by epipolar tangency: for each pair of cameras, the upper
/// and the lower plane through both centres that are tangent to one outline must be tangent to the
/// other (Wong, Cipolla: "Structure and motion from silhouettes", ICCV 2001). Minimises the
/// distances between these planes in pixels under a Cauchy loss, plus `prior`, with
/// levenbergMarquardt(). Only the first `unknownCount` parameters change; 0 computes only the cost
/// and the residuals of `start`. Skips pairs of cameras where one sees the other in or near the
/// object's outline; the cost is infinite if no pair remains. With more than 65 photographs, only
/// pairs whose indices differ by one of 64 fixed numbers count. Deterministic, thread-safe. Throws
/// Cancelled.
MotionFit fitMotion(std::span<const OutlineHull> outlines, const MotionPrior& prior,
                    const TurntableMotion& start, std::size_t unknownCount,
                    const std::stop_token& cancel);

/// For each photograph but the first: the costs of `start` with the azimuth of this photograph
/// alone increased by each of `offsets` (radians). Throws Cancelled.
std::vector<std::vector<double>> azimuthOffsetCosts(std::span<const OutlineHull> outlines,
                                                    const MotionPrior& prior,
                                                    const TurntableMotion& start,
                                                    std::span<const double> offsets,
                                                    const std::stop_token& cancel);

}  // namespace threefold::turntable
