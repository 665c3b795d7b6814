#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/sample/ground_truth.h"
#include "tests/render/pictures.h"
#include "tests/render/rendering_test.h"
#include "tests/render/shapes.h"

namespace threefold::render {
namespace {

enum class Shape {
    none,       // an empty pane
    emptyMesh,  // a mesh without vertices
    pebble,     // smooth lobes
    pebble3,    // pebble with fewer, larger faces
    ring,       // with a hole and a far side
    chair,      // flat sides, thin legs
    triangle,   // one face
    holed,      // values missing on one half
    broken,     // vertices that are not finite
    insideOut,  // the ring with inward faces
    aeroplane,  // truth of a bundled sample: points without faces
};
using enum Shape;

// Subject and look of a picture. Sizes are in logical pixels.
struct Look {
    std::vector<Shape> panes;
    Shading shading = Shading::smooth;
    bool edges = false;
    Colouring colouring = Colouring::plain;
    ColourMap map = ColourMap::inferno;
    ValueScale scale = ValueScale::linear;
    Lighting lighting = Lighting::studio;
    std::optional<Shape> second;  // second mesh of every pane
    Shading secondShading = Shading::smooth;
    float opacity = 1.0F;       // of the second mesh
    std::optional<float> wipe;  // position of the seam between first and second mesh
    bool marked = false;
    bool ambientOcclusion = false;
    int width = 200;
    int height = 150;
    float pixelRatio = 1.0F;
    glm::vec4 background = Scene{}.background;
};

struct Case {
    std::string name;
    Look look;
};

std::ostream& operator<<(std::ostream& out, const Case& test) {
    return out << test.name;
}

ValuedMesh makeHoled() {
    ValuedMesh mesh = makePebble(3);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        if (mesh.vertices[i].x > 0.05F) mesh.values[i] = std::numeric_limits<float>::quiet_NaN();
    }
    return mesh;
}

ValuedMesh makeBroken() {
    ValuedMesh mesh = makePebble(3);
    for (std::size_t i = 0; i < mesh.vertices.size(); i += 29) {
        mesh.vertices[i].y = i % 2 == 0 ? std::numeric_limits<float>::quiet_NaN()
                                        : std::numeric_limits<float>::infinity();
    }
    return mesh;
}

ValuedMesh makeInsideOut() {
    ValuedMesh mesh = makeRing(64, 24);
    for (glm::u32vec3& face : mesh.faces) face = {face.x, face.z, face.y};
    return mesh;
}

ValuedMesh makeAeroplane() {
    ValuedMesh mesh{.vertices = readGroundTruth(std::filesystem::path(THREEFOLD_RESOURCES) /
                                                "samples/gt/02691156_p0001_00.dat")
                                    .points};
    const glm::vec3 middle(0, 0, -0.8F);
    for (const glm::vec3& point : mesh.vertices) {
        mesh.values.push_back(glm::distance(point, middle));
    }
    return mesh;
}

std::optional<ValuedMesh> meshOf(Shape shape) {
    switch (shape) {
        case none:
            return std::nullopt;
        case emptyMesh:
            return ValuedMesh{};
        case pebble:
            return makePebble(4);
        case pebble3:
            return makePebble(3);
        case ring:
            return makeRing(64, 24);
        case chair:
            return makeChair();
        case triangle:
            return makeTriangle();
        case holed:
            return makeHoled();
        case broken:
            return makeBroken();
        case insideOut:
            return makeInsideOut();
        case aeroplane:
            return makeAeroplane();
    }
    return std::nullopt;
}

OrbitCamera cameraFor(const std::optional<ValuedMesh>& mesh, float aspect) {
    OrbitCamera camera{.yaw = 0.5F, .pitch = 0.35F};
    if (!mesh || mesh->vertices.empty()) return camera;
    glm::vec3 lowest(1e9F), highest(-1e9F);
    for (const glm::vec3 p : mesh->vertices) {
        if (!std::isfinite(p.y)) continue;
        lowest = glm::min(lowest, p);
        highest = glm::max(highest, p);
    }
    frameBox(camera, lowest, highest, aspect);
    return camera;
}

int pixels(int logical, float ratio) {
    return static_cast<int>(static_cast<float>(logical) * ratio);
}

Layer layerFor(const ValuedMesh& mesh, const Look& look) {
    Layer layer = layerOf(mesh);
    layer.shading = look.shading;
    layer.edges = look.edges;
    layer.colouring = look.colouring;
    layer.colourScale.map = look.map;
    layer.colourScale.scale = look.scale;
    if (look.scale == ValueScale::logarithmic) layer.colourScale.min = 2e-4F;
    return layer;
}

// Adds the second mesh, in another colour than the first.
void addSecond(Pane& pane, const Look& look) {
    const std::optional<ValuedMesh> mesh = meshOf(*look.second);
    Layer layer = layerFor(*mesh, look);
    layer.shading = look.secondShading;
    layer.plainColour = {0.85F, 0.45F, 0.25F};
    layer.opacity = look.opacity;
    if (look.wipe) {
        pane.layers.front().rightEdge = *look.wipe;
        layer.leftEdge = *look.wipe;
        pane.seamPosition = look.wipe;
    }
    pane.layers.push_back(std::move(layer));
}

// Adds markers in the middle, at the mesh's left and right end, and across the pane's edge.
void addMarkers(Pane& pane, const ValuedMesh& mesh) {
    const auto byX = [](glm::vec3 a, glm::vec3 b) { return a.x < b.x; };
    const auto [left, right] = std::minmax_element(mesh.vertices.begin(), mesh.vertices.end(), byX);
    pane.markers = {{.position = *left},
                    {.position = *right, .colour = {1.0F, 0.4F, 0.3F}, .radius = 4.0F},
                    {.position = {0.0F, 0.0F, -0.8F}, .colour = {0.4F, 0.8F, 1.0F}},
                    {.position = {0.0F, 0.32F, -0.8F}, .radius = 11.0F}};
}

Scene sceneOf(const Look& look) {
    Scene scene{.lighting = look.lighting,
                .ambientOcclusion = look.ambientOcclusion,
                .background = look.background,
                .pixelRatio = look.pixelRatio};
    const float aspect = static_cast<float>(look.width) /
                         static_cast<float>(look.height * static_cast<int>(look.panes.size()));
    for (const Shape shape : look.panes) {
        const std::optional<ValuedMesh> mesh = meshOf(shape);
        Pane pane{.camera = cameraFor(mesh, aspect)};
        if (mesh) pane.layers.push_back(layerFor(*mesh, look));
        if (look.second) addSecond(pane, look);
        if (look.marked) addMarkers(pane, *mesh);
        scene.panes.push_back(std::move(pane));
    }
    return scene;
}

class Baseline : public Rendering, public testing::WithParamInterface<Case> {};

TEST_P(Baseline, isMatched_byEveryPicture) {
    const Look& look = GetParam().look;
    const Image picture = target().draw(sceneOf(look), pixels(look.width, look.pixelRatio),
                                        pixels(look.height, look.pixelRatio));
    EXPECT_TRUE(matchesBaseline(picture, GetParam().name));
}

constexpr Shading kFlat = Shading::flat, kWire = Shading::wireframe, kPoints = Shading::points;
constexpr Colouring kValues = Colouring::values, kNormals = Colouring::normals;
constexpr Lighting kMatcap = Lighting::matcap;
constexpr ValueScale kLog = ValueScale::logarithmic;
constexpr ColourMap kViridis = ColourMap::viridis, kCividis = ColourMap::cividis;
constexpr ColourMap kCoolWarm = ColourMap::coolWarm;
constexpr glm::vec4 kPaper{0.96F, 0.96F, 0.95F, 1.0F}, kClear{0.0F, 0.0F, 0.0F, 0.0F};

// clang-format off: one line per case
const Case kCases[] = {
    // Ambient occlusion
    {"occlusion", {.panes = {chair, ring}, .ambientOcclusion = true, .width = 320}},
    {"occlusion_off", {.panes = {chair, ring}, .width = 320}},
    {"occlusion_2x", {.panes = {chair}, .ambientOcclusion = true, .pixelRatio = 2.0F}},
    {"occlusion_paper", {.panes = {ring}, .ambientOcclusion = true, .background = kPaper}},

    // Shadings, at both pixel ratios, on dark and light backgrounds
    {"smooth", {.panes = {ring}}},
    {"smooth_2x", {.panes = {ring}, .pixelRatio = 2.0F}},
    {"smooth_paper", {.panes = {ring}, .background = kPaper}},
    {"flat", {.panes = {ring}, .shading = kFlat}},
    {"flat_2x", {.panes = {ring}, .shading = kFlat, .pixelRatio = 2.0F}},
    {"flat_paper", {.panes = {ring}, .shading = kFlat, .background = kPaper}},
    {"wireframe", {.panes = {ring}, .shading = kWire}},
    {"wireframe_2x", {.panes = {pebble3}, .shading = kWire, .pixelRatio = 2.0F}},
    {"wireframe_paper", {.panes = {ring}, .shading = kWire, .background = kPaper}},
    {"points", {.panes = {ring}, .shading = kPoints}},
    {"points_2x", {.panes = {pebble3}, .shading = kPoints, .pixelRatio = 2.0F}},
    {"points_paper", {.panes = {ring}, .shading = kPoints, .background = kPaper}},
    {"edges", {.panes = {pebble3}, .edges = true}},
    {"edges_2x", {.panes = {pebble3}, .edges = true, .pixelRatio = 2.0F}},
    {"edges_flat", {.panes = {chair}, .shading = kFlat, .edges = true}},
    {"edges_inferno", {.panes = {pebble3}, .edges = true, .colouring = kValues}},
    {"edges_paper", {.panes = {pebble3}, .edges = true, .background = kPaper}},
    // Lighting
    {"matcap", {.panes = {ring}, .lighting = kMatcap}},
    {"matcap_2x", {.panes = {pebble}, .lighting = kMatcap, .pixelRatio = 2.0F}},
    {"matcap_paper", {.panes = {ring}, .lighting = kMatcap, .background = kPaper}},
    {"matcap_flat", {.panes = {chair}, .shading = kFlat, .lighting = kMatcap}},
    {"matcap_inferno", {.panes = {pebble}, .colouring = kValues, .lighting = kMatcap}},
    // Colouring
    {"normals", {.panes = {pebble}, .colouring = kNormals}},
    {"normals_2x", {.panes = {pebble}, .colouring = kNormals, .pixelRatio = 2.0F}},
    {"normals_flat", {.panes = {chair}, .shading = kFlat, .colouring = kNormals}},
    {"normals_matcap", {.panes = {ring}, .colouring = kNormals, .lighting = kMatcap}},
    {"inferno", {.panes = {pebble}, .colouring = kValues}},
    {"inferno_2x", {.panes = {pebble}, .colouring = kValues, .pixelRatio = 2.0F}},
    {"inferno_log", {.panes = {pebble}, .colouring = kValues, .scale = kLog}},
    {"viridis", {.panes = {pebble}, .colouring = kValues, .map = kViridis}},
    {"viridis_log", {.panes = {triangle}, .colouring = kValues, .map = kViridis, .scale = kLog}},
    {"viridis_flat", {.panes = {pebble3}, .shading = kFlat, .colouring = kValues, .map = kViridis}},
    {"viridis_points",
     {.panes = {pebble3}, .shading = kPoints, .colouring = kValues, .map = kViridis}},
    {"viridis_wireframe",
     {.panes = {chair}, .shading = kWire, .colouring = kValues, .map = kViridis}},
    {"cividis", {.panes = {pebble}, .colouring = kValues, .map = kCividis}},
    {"cividis_log", {.panes = {pebble}, .colouring = kValues, .map = kCividis, .scale = kLog}},
    {"cool_warm", {.panes = {pebble}, .colouring = kValues, .map = kCoolWarm}},
    {"cool_warm_log", {.panes = {pebble}, .colouring = kValues, .map = kCoolWarm, .scale = kLog}},
    {"cool_warm_paper",
     {.panes = {pebble}, .colouring = kValues, .map = kCoolWarm, .background = kPaper}},
    {"values_missing", {.panes = {holed}, .colouring = kValues}},
    // Two meshes in a pane
    {"wipe", {.panes = {pebble}, .second = ring, .wipe = 0.45F}},
    {"wipe_2x", {.panes = {pebble}, .second = ring, .wipe = 0.45F, .pixelRatio = 2.0F}},
    {"wipe_paper", {.panes = {pebble}, .second = ring, .wipe = 0.45F, .background = kPaper}},
    {"wipe_values", {.panes = {pebble}, .colouring = kValues, .second = ring, .wipe = 0.6F}},
    {"overlay", {.panes = {chair}, .second = pebble, .opacity = 0.5F}},
    {"overlay_2x", {.panes = {chair}, .second = pebble, .opacity = 0.5F, .pixelRatio = 2.0F}},
    {"overlay_paper", {.panes = {chair}, .second = pebble, .opacity = 0.5F, .background = kPaper}},
    {"overlay_faint", {.panes = {pebble}, .second = ring, .opacity = 0.15F}},
    {"overlay_wireframe",
     {.panes = {chair}, .second = pebble3, .secondShading = kWire, .opacity = 0.6F}},
    {"overlay_points",
     {.panes = {chair}, .second = pebble3, .secondShading = kPoints, .opacity = 0.6F}},
    {"overlay_on_nothing",
     {.panes = {chair}, .second = pebble, .opacity = 0.5F, .background = kClear}},
    {"two_panes", {.panes = {pebble, ring}, .colouring = kValues, .width = 300}},
    {"two_panes_2x",
     {.panes = {pebble, ring},
      .colouring = kValues,
      .width = 220,
      .height = 110,
      .pixelRatio = 2.0F}},
    {"three_panes", {.panes = {pebble, ring, aeroplane}, .width = 320, .height = 120}},
    {"three_panes_odd", {.panes = {pebble, ring, chair}, .width = 241, .height = 81}},
    {"three_panes_paper",
     {.panes = {pebble, ring, chair}, .width = 320, .height = 120, .background = kPaper}},
    {"markers", {.panes = {pebble}, .marked = true}},
    {"markers_2x", {.panes = {pebble}, .marked = true, .pixelRatio = 2.0F}},
    {"markers_paper", {.panes = {pebble}, .marked = true, .background = kPaper}},
    // Unusual meshes and values
    {"chair", {.panes = {chair}, .shading = kFlat}},
    {"aeroplane", {.panes = {aeroplane}, .shading = kPoints, .colouring = kValues}},
    {"empty_pane", {.panes = {pebble, none}}},
    {"empty_mesh", {.panes = {emptyMesh, pebble}}},
    {"wide", {.panes = {ring}, .width = 320, .height = 40}},
    {"tall", {.panes = {ring}, .width = 40, .height = 200}},
    {"odd", {.panes = {pebble, chair}, .width = 253, .height = 87}},
    {"vertices_broken", {.panes = {broken}}},
    {"inside_out", {.panes = {insideOut}}},
    {"on_nothing",
     {.panes = {pebble}, .colouring = kValues, .map = kViridis, .background = kClear}},
};
// clang-format on

INSTANTIATE_TEST_SUITE_P(Pictures, Baseline, testing::ValuesIn(kCases),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace threefold::render
