#pragma once

#include <utility>
#include <vector>

#include "tests/render/shapes.h"

namespace threefold::render {

/// Layer of the mesh in the plain colour.
inline Layer plain(ValuedMesh mesh) {
    Layer layer = layerOf(std::move(mesh));
    layer.colouring = Colouring::plain;
    return layer;
}

/// Scene of one pane with the layers. Its camera frames a pebble or ring, from the right and above.
inline Scene sceneOfLayers(std::vector<Layer> layers) {
    Scene scene;
    OrbitCamera camera{.yaw = 0.5F, .pitch = 0.35F};
    frameBox(camera, {-0.28F, -0.25F, -1.08F}, {0.28F, 0.25F, -0.52F}, 1.0F);
    scene.panes = {{.layers = std::move(layers), .camera = camera}};
    return scene;
}

}  // namespace threefold::render
