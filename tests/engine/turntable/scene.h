#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/silhouettes/object_box.h"

namespace threefold::test {

/// Balls on a turntable in front of a camera, with exact masks.
struct TurntableScene {
    struct Ball {
        glm::dvec3 centre;
        double radius;
    };
    /// Angle of the camera's optical axis below the horizontal, in radians. The camera is at a
    /// distance of 1 from the turntable's axis and 0.6 above the table.
    static constexpr double kTilt = 0.5;
    static constexpr int kWidth = 320;
    static constexpr int kHeight = 240;
    static constexpr double kFocal = 250;

    /// Object of which no two sides look alike.
    static std::vector<Ball> figure();
    /// Object that looks the same from all sides.
    static std::vector<Ball> vase();

    /// One mask for each of the camera's `azimuths` (degrees, anticlockwise seen from above), with
    /// the true camera.
    static std::vector<PosedMask> outlines(std::span<const Ball> balls,
                                           std::span<const double> azimuths);
    /// `count` multiples of `step` from 0.
    static std::vector<double> azimuths(std::size_t count, double step);
};

}  // namespace threefold::test
