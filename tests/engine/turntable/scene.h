#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/silhouettes/object_box.h"

namespace threefold::test {

/// Balls that turn before a camera, whose masks are known exactly.
struct TurntableScene {
    struct Ball {
        glm::dvec3 centre;
        double radius;
    };
    /// The camera stands at a distance of 1 from the axis, 0.6 above the table.
    static constexpr double kTilt = 0.5;  ///< of its axis below the horizontal
    static constexpr int kWidth = 320;
    static constexpr int kHeight = 240;
    static constexpr double kFocal = 250;

    /// Nothing like it from two sides.
    static std::vector<Ball> figure();
    /// The same from all sides.
    static std::vector<Ball> vase();

    /// As seen from `azimuths`, in degrees, anticlockwise; the cameras are the true ones.
    static std::vector<PosedMask> outlines(std::span<const Ball> balls,
                                           std::span<const double> azimuths);
    /// count · step, from 0 on.
    static std::vector<double> azimuths(std::size_t count, double step);
};

}  // namespace threefold::test
