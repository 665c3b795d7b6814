#include "ui/document/backdrop.h"

#include <utility>

#include <glm/geometric.hpp>

#include "engine/views/network_input.h"

namespace threefold::ui {
namespace {

render::SceneMeshRef backdropScreen(const Camera& camera) {
    constexpr double kBackdropDistance = 4;  // as a multiple of the camera's distance
    auto mesh = std::make_shared<render::SceneMesh>();
    mesh->vertices = viewCorners(camera, kBackdropDistance * glm::length(camera.centre));
    mesh->faces = {{0, 2, 1}, {0, 3, 2}};
    return mesh;
}

render::SceneTextureRef textureOf(const Image& image) {
    auto texture = std::make_shared<render::SceneTexture>();
    texture->width = image.width;
    texture->height = image.height;
    texture->pixels = image.rgba;
    texture->texCoords = {{0, 0}, {1, 1}, {1, 0}, {0, 0}, {0, 1}, {1, 1}};
    return texture;
}

}  // namespace

double halfWidthAt(const Camera& camera, double depth) {
    return depth * kPrincipalPoint / kFocalLength / camera.zoom;
}

Points viewCorners(const Camera& camera, double depth) {
    const double half = halfWidthAt(camera, depth);
    Points corners;
    for (const auto& [x, y] : {std::pair(-half, half), {half, half}, {half, -half}, {-half, -half}})
        corners.emplace_back(camera.toWorld({x, y, -depth}));
    return corners;
}

Backdrop makeBackdrop(const Camera& camera, const Image& photograph) {
    return {glm::vec3(camera.centre), backdropScreen(camera), textureOf(photograph)};
}

render::Layer layerOf(const Backdrop& backdrop, glm::vec3 background) {
    render::Layer layer;
    layer.mesh = backdrop.screen;
    layer.texture = backdrop.texture;
    layer.colouring = render::Colouring::texture;
    layer.plainColour = background;
    layer.unlit = true;
    layer.onlySeenFrom = backdrop.cameraCentre;
    return layer;
}

}  // namespace threefold::ui
