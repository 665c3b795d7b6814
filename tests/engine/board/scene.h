#pragma once

#include <cstddef>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/board/marker_families.h"
#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold::test {

/// A red ball on the printed board, on a grey table: where things are is known exactly.
struct BoardScene {
    static constexpr double kRadius = 35;  ///< mm; it touches the board's middle
    static constexpr int kWidth = 800;
    static constexpr int kHeight = 600;

    /// The cameras of `count` photographs all around, 25° to 40° from above, and their lens.
    static std::vector<Pose> cameras(std::size_t count);
    static Lens lens();
    /// Pixel that shows a point.
    static glm::dvec2 pixelOf(const Pose& camera, glm::dvec3 point);

    /// The photograph, each pixel the mean of 3×3 rays; without the ball where `ball` is false.
    /// With markers of another family the sheet is laid out in the same way, its ids from 0.
    static Image photograph(const Pose& camera, bool ball = true,
                            const board::MarkerFamily& family = board::boardFamily());
    /// White where the ball is.
    static Image mask(const Pose& camera);
};

}  // namespace threefold::test
