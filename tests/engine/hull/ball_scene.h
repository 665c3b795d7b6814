#pragma once

#include <cstddef>
#include <vector>

#include "engine/raster/render_mask.h"
#include "engine/silhouettes/silhouette_field.h"
#include "engine/views/camera.h"
#include "tests/engine/hull/shapes.h"

namespace threefold::test {

/// A ball of radius 0.25 around the origin, seen from five directions.
struct BallScene {
    SilhouetteField silhouette(std::size_t view) const {
        return {cameras[view],
                renderMask(ball.vertices, ball.faces, Pose{}, cameras[view], 112, 112)};
    }

    Mesh ball = sphere(0.25);
    std::vector<Camera> cameras = camerasAround(5);
};

}  // namespace threefold::test
