#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/views/camera.h"

namespace threefold::turntable {

/// A camera that stands still before an object turning about an axis, as the object sees it: going
/// around the z axis at distance 1 and height 0. Angles in radians.
struct Motion {
    enum Value : std::size_t {
        tilt,      ///< of the optical axis below the horizontal
        pan,       ///< of the optical axis to the right of the turntable's axis
        roll,      ///< of the camera about its optical axis
        logFocal,  ///< of the focal length ÷ what it was taken to be
        step,      ///< from each photograph to the next, anticlockwise seen from above
        firstTurn  ///< first of (photographs − 1) deviations of an azimuth from photograph × step
    };
    std::vector<double> values;

    double azimuth(std::size_t photograph) const;  ///< 0 of the first
    Camera camera(std::size_t photograph) const;
};

/// The corners of an outline's convex hull for a focal length of 1: x right, y up. Empty: none.
using Corners = std::vector<glm::dvec2>;

struct MotionPrior {
    std::vector<double> mean, sigma;  ///< as Motion::values: means, standard deviations
    double pixel = 1;                 ///< a pixel's size for a focal length of 1
};

struct MotionFit {
    Motion motion;
    double cost = 0;                ///< comparable among fits of the same outlines
    std::vector<double> residuals;  ///< median of each photograph's distances, pixels
    std::vector<double> errors;     ///< standard deviations of the solved values, without the turns
};

/// Fits a turntable's motion to outlines by epipolar tangency: of each two cameras, the upper and
/// the lower plane through both centres that touch one outline must touch the other (Wong, Cipolla:
/// "Structure and motion from silhouettes", ICCV 2001). Minimises the planes' distances in pixels
/// under a Cauchy loss, plus `prior`, with levenbergMarquardt(). Only the first `unknowns` values
/// change; 0: only the cost of `start`. Skips pairs of cameras where one sees the other in or near
/// the object's outline; infinite cost: no pair is left. Above 65 photographs only pairs at 64
/// index distances count. Deterministic, thread-safe. Throws Cancelled.
MotionFit fitMotion(std::span<const Corners> outlines, const MotionPrior& prior,
                    const Motion& start, std::size_t unknowns, const std::stop_token& cancel);

/// Of each photograph but the first, the costs of `start` with it alone turned further by each of
/// `turns` (radians). Throws Cancelled.
std::vector<std::vector<double>> costsOfTurns(std::span<const Corners> outlines,
                                              const MotionPrior& prior, const Motion& start,
                                              std::span<const double> turns,
                                              const std::stop_token& cancel);

}  // namespace threefold::turntable
