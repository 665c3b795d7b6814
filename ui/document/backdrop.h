#pragma once

#include <glm/vec3.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/views/camera.h"
#include "render/scene.h"

namespace threefold::ui {

/// A photograph as a textured screen in world space, to be seen from its own camera only.
struct Backdrop {
    glm::vec3 cameraCentre{0.0F};
    render::SceneMeshRef screen;
    render::SceneTextureRef texture;
};

/// Makes a backdrop that fills the camera's view, behind everything around the world's origin.
Backdrop makeBackdrop(const Camera& camera, const Image& photograph);

/// The layer of a backdrop. `background`: colour of transparent pixels, sRGB-encoded, 0…1.
render::Layer layerOf(const Backdrop& backdrop, glm::vec3 background);

/// Half the width that the camera sees at a depth.
double halfWidthAt(const Camera& camera, double depth);

/// Corners of the camera's view at a depth, in world space, clockwise from the top left.
Points viewCorners(const Camera& camera, double depth);

}  // namespace threefold::ui
