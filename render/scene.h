#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/mesh.h"
#include "render/colour_map.h"
#include "render/orbit_camera.h"

namespace threefold::render {

/// A mesh to draw and, for each vertex, an optional value to colour it by. Immutable and shared:
/// the renderer uploads each object once and forgets it when nobody holds it any more.
struct SceneMesh {
    Points vertices;
    Faces faces;
    std::vector<float> values;  ///< empty, or one for each vertex
};
using SceneMeshRef = std::shared_ptr<const SceneMesh>;

enum class Shading { smooth, flat, wireframe, points };

/// How the values of all panes become colours: one range shared by all.
struct ValueColours {
    bool enabled = true;  ///< off: every mesh in the plain surface colour
    ColourMap map = ColourMap::inferno;
    float lowest = 0.0F;
    float highest = 0.02F;  ///< values beyond are clamped
};

/// One rectangle of the picture with one mesh in it. Panes stand side by side, equally wide.
struct Pane {
    SceneMeshRef mesh;  ///< null: an empty pane
    OrbitCamera camera;
};

/// All that a picture depends on: equal scenes give equal pixels.
struct Scene {
    std::vector<Pane> panes;
    Shading shading = Shading::smooth;
    ValueColours colours;
    glm::vec4 background{0.071F, 0.075F, 0.086F, 1.0F};  ///< sRGB-encoded, straight alpha
    glm::vec3 surface{0.72F, 0.74F, 0.78F};              ///< sRGB-encoded plain surface colour
    glm::vec3 divider{0.16F, 0.17F, 0.19F};              ///< line between panes
    float pixelRatio = 1.0F;  ///< device pixels a logical pixel: line and point sizes scale by it
};

}  // namespace threefold::render
