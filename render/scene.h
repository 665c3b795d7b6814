#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/mesh.h"
#include "render/colour_map.h"
#include "render/orbit_camera.h"
#include "render/profile_panel_view.h"

namespace threefold::render {

/// One number for each vertex: a value to colour by, or a packedColour(); NaN: none. Uploaded once,
/// and separately from the mesh, so that another quantity costs only its values.
using SceneValues = std::vector<float>;
using SceneValuesRef = std::shared_ptr<const SceneValues>;

/// Texture of one mesh, shared and immutable.
struct SceneTexture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> pixels;  ///< RGBA, sRGB-encoded, the top row first
    /// Texture coordinates, three for each face: (0, 0) is the top left corner of the picture, (1,
    /// 1) the bottom right one. Faces with a NaN coordinate get the plain colour.
    std::vector<glm::vec2> texCoords;
};
using SceneTextureRef = std::shared_ptr<const SceneTexture>;

/// A mesh to draw; without faces, a cloud of points. Immutable and shared: the renderer uploads
/// each object once and frees it when the last owner is gone.
struct SceneMesh {
    Points vertices;
    Faces faces;
    SceneValuesRef vertexColours = {};  ///< packedColour() of each vertex in the file; or null
    SceneTextureRef texture = {};       ///< from the mesh's file; or null
};
using SceneMeshRef = std::shared_ptr<const SceneMesh>;

/// How a mesh's surface is drawn: filled with interpolated normals or with one normal for each
/// face, as edges only, or as vertices only.
enum class Shading { smooth, flat, wireframe, points };

/// Light of a scene.
enum class Lighting {
    studio,  ///< three lights that stay with the camera
    matcap,  ///< colour by the direction of the normal in camera space
    fixed,   ///< the studio's lights, fixed as for a camera that looks along −z
};

/// The colour of a surface before lighting.
enum class Colouring {
    plain,          ///< Layer::plainColour
    values,         ///< Layer::values through Layer::colourScale
    normals,        ///< the direction of the normal in world space: xyz −1…1 as rgb 0…1
    vertexColours,  ///< Layer::values are packed colours; plain where there is none
    texture,        ///< Layer::texture; points are plain
};

/// One mesh in a pane. Layers of a pane share camera and depth; a translucent layer is blended over
/// the earlier layers.
struct Layer {
    SceneMeshRef mesh;      ///< null: nothing
    SceneValuesRef values;  ///< null, or one for each vertex
    SceneTextureRef texture = {};
    Shading shading = Shading::smooth;
    bool edges = false;  ///< draw the mesh's edges on the filled surface
    Colouring colouring = Colouring::plain;
    ColourScale colourScale;
    float opacity = 1.0F;  ///< 0…1
    /// Left and right edge of the visible part, as fractions of the pane's width: a wipe shows a
    /// part of each of two layers.
    float leftEdge = 0.0F, rightEdge = 1.0F;
    glm::vec3 plainColour{0.72F, 0.74F, 0.78F};  ///< sRGB-encoded plain colour
    /// sRGB-encoded colour of a thin line around the silhouette of an opaque layer; null: no line.
    std::optional<glm::vec3> outline = {};
    bool backfaces = false;  ///< faces seen from behind are orange, whatever the colouring
    bool unlit = false;      ///< drawn in its own colour, without light
    /// Drawn only while the camera's centre is at this position (to 1e-4 of the camera's distance).
    std::optional<glm::vec3> onlySeenFrom = {};
};

/// A ring around a point of the scene, never hidden by meshes.
struct Marker {
    glm::vec3 position{0.0F};
    glm::vec3 colour{1.0F};  ///< sRGB-encoded
    float radius = 7.0F;     ///< logical pixels
};

/// A horizontal grid of lines, which fades with the distance from its centre. Meshes hide it.
struct GroundGrid {
    UpAxis upAxis = UpAxis::y;  ///< normal of the grid's plane
    glm::vec3 centre{0.0F};
    float radius = 1.0F;     ///< world units from the centre to where the grid has faded
    float spacing = 0.1F;    ///< world units between two lines
    glm::vec3 colour{0.5F};  ///< sRGB-encoded
};

/// One rectangle of the picture. All panes have the same size; see paneRects().
struct Pane {
    std::vector<Layer> layers;
    std::vector<Marker> markers;
    OrbitCamera camera;
    /// Fraction of the width at which the wipe draws a line with a grip.
    std::optional<float> seamPosition;
    std::optional<GroundGrid> ground = {};
    bool axes = false;  ///< small arrows in the bottom left corner: x red, y green, z blue
};

/// A tile of a larger picture, in device pixels from the picture's top left. Every edge, disc, line
/// and marker covers the same samples as in the whole picture. Single bytes of interpolated colours
/// may differ by one, because devices interpolate from the corner of their target.
struct Tile {
    int x = 0, y = 0;
    int pictureWidth = 0, pictureHeight = 0;
};

/// Everything that determines a picture: equal scenes give equal pixels.
struct Scene {
    std::vector<Pane> panes;
    Lighting lighting = Lighting::studio;
    bool ambientOcclusion = false;                       ///< in screen space
    glm::vec4 background{0.071F, 0.075F, 0.086F, 1.0F};  ///< sRGB-encoded, straight alpha
    glm::vec3 dividerColour{0.16F, 0.17F, 0.19F};        ///< line between panes
    glm::vec3 seamColour{0.85F, 0.87F, 0.90F};           ///< line and grip of a wipe
    float pixelRatio = 1.0F;  ///< device pixels per logical pixel; scales lines and points
    std::optional<Tile> tile;
    ProfilePanelViewRef profilePanel;  ///< the live profile, not drawn on tiles; null: none
};

}  // namespace threefold::render
