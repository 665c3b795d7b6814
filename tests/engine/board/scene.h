#pragma once

#include <cstddef>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/board/marker_families.h"
#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold::test {

/// Scene of exactly known geometry: a red ball on the printed board, on a grey table.
struct BoardScene {
    static constexpr double kRadius = 35;  ///< mm; the ball touches the board at its middle
    static constexpr int kWidth = 800;
    static constexpr int kHeight = 600;

    /// Cameras of `count` photographs around the board. The cameras look at a point 30 mm above
    /// the board, from elevations of 25° to 40°.
    static std::vector<Pose> cameras(std::size_t count);
    /// Lens of all cameras.
    static Lens lens();
    /// Pixel that shows a point.
    static glm::dvec2 pixelOf(const Pose& camera, glm::dvec3 point);

    /// Renders a photograph with 3×3 rays per pixel, without the ball if `ball` is false. Markers
    /// of a family other than boardFamily() have the board's layout, and ids from 0.
    static Image photograph(const Pose& camera, bool ball = true,
                            const board::MarkerFamily& family = board::boardFamily());
    /// Mask that is white where the ball is seen.
    static Image mask(const Pose& camera);
};

}  // namespace threefold::test
