#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/formats/npz.h"
#include "tests/render/pictures.h"
#include "tests/render/rendering_test.h"
#include "tests/render/shapes.h"

namespace threefold::render {
namespace {

enum class Shape {
    none,       // an empty pane
    emptyMesh,  // a mesh without vertices
    pebble,     // smooth lobes
    ring,       // a hole, a far side
    chair,      // flat sides, thin legs
    triangle,   // one face
    holed,      // values missing on one half
    broken,     // vertices that are not finite
    insideOut,  // the ring with its faces turned
    aeroplane,  // a reconstruction from the golden tensors, without its faces
};
using enum Shape;

enum class Colour { plain, viridis, inferno };

struct Look {
    std::vector<Shape> shapes;
    Shading shading = Shading::smooth;
    Colour colour = Colour::plain;
    int width = 320;
    int height = 240;
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

Points pointsOf(const Array& array) {
    const std::vector<float> numbers = array.toFloat();
    Points points(numbers.size() / 3);
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
    }
    return points;
}

ValuedMesh makeAeroplane() {
    const ArrayMap golden =
        readNpz(std::filesystem::path(THREEFOLD_TEST_DATA) / "golden" / "plane_each.npz");
    ValuedMesh mesh{.vertices = pointsOf(golden.at("refined_2"))};
    const Points coarse = pointsOf(golden.at("coarse"));
    for (std::size_t i = 0; i < coarse.size(); ++i) {
        mesh.values.push_back(glm::distance(coarse[i], mesh.vertices[i]));
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
    camera.fit(lowest, highest, aspect);
    return camera;
}

Scene sceneOf(const Look& look) {
    Scene scene{.background = look.background, .pixelRatio = look.pixelRatio};
    const float aspect = static_cast<float>(look.width) /
                         static_cast<float>(look.height * static_cast<int>(look.shapes.size()));
    for (const Shape shape : look.shapes) {
        const std::optional<ValuedMesh> mesh = meshOf(shape);
        Pane pane{.camera = cameraFor(mesh, aspect)};
        if (mesh) {
            Layer layer = layerOf(*mesh);
            layer.shading = look.shading;
            if (look.colour == Colour::plain) layer.colouring = Colouring::plain;
            layer.colours.map =
                look.colour == Colour::viridis ? ColourMap::viridis : ColourMap::inferno;
            pane.layers.push_back(std::move(layer));
        }
        scene.panes.push_back(std::move(pane));
    }
    return scene;
}

class Baseline : public Rendering, public testing::WithParamInterface<Case> {};

TEST_P(Baseline, isMatched) {
    const Look& look = GetParam().look;
    const Image picture = target().draw(sceneOf(look), look.width, look.height);
    EXPECT_TRUE(matchesBaseline(picture, GetParam().name));
}

constexpr Shading kFlat = Shading::flat, kWire = Shading::wireframe, kPoints = Shading::points;
constexpr glm::vec4 kPaper{0.96F, 0.96F, 0.95F, 1.0F}, kClear{0.0F, 0.0F, 0.0F, 0.0F};

// clang-format off: one line a case
const Case kCases[] = {
    {"smooth", {.shapes = {ring}}},
    {"smooth_2x", {.shapes = {ring}, .width = 640, .height = 480, .pixelRatio = 2.0F}},
    {"flat", {.shapes = {ring}, .shading = kFlat}},
    {"flat_2x",
     {.shapes = {ring}, .shading = kFlat, .width = 640, .height = 480, .pixelRatio = 2.0F}},
    {"wireframe", {.shapes = {ring}, .shading = kWire}},
    {"wireframe_2x",
     {.shapes = {ring}, .shading = kWire, .width = 640, .height = 480, .pixelRatio = 2.0F}},
    {"points", {.shapes = {ring}, .shading = kPoints}},
    {"points_2x",
     {.shapes = {ring}, .shading = kPoints, .width = 640, .height = 480, .pixelRatio = 2.0F}},
    {"smooth_viridis", {.shapes = {pebble}, .colour = Colour::viridis}},
    {"smooth_inferno", {.shapes = {pebble}, .colour = Colour::inferno}},
    {"flat_viridis", {.shapes = {pebble}, .shading = kFlat, .colour = Colour::viridis}},
    {"wireframe_inferno", {.shapes = {pebble}, .shading = kWire, .colour = Colour::inferno}},
    {"points_viridis", {.shapes = {pebble}, .shading = kPoints, .colour = Colour::viridis}},
    {"chair", {.shapes = {chair}, .shading = kFlat}},
    {"chair_wireframe", {.shapes = {chair}, .shading = kWire, .colour = Colour::viridis}},
    {"aeroplane", {.shapes = {aeroplane}, .shading = kPoints, .colour = Colour::inferno}},
    {"two_panes", {.shapes = {pebble, ring}, .colour = Colour::inferno, .width = 480}},
    {"two_panes_2x",
     {.shapes = {pebble, ring},
      .colour = Colour::inferno,
      .width = 960,
      .height = 480,
      .pixelRatio = 2.0F}},
    {"three_panes_odd", {.shapes = {pebble, ring, chair}, .width = 481, .height = 161}},
    {"empty_pane", {.shapes = {pebble, none}}},
    {"empty_mesh", {.shapes = {emptyMesh, pebble}}},
    {"wide", {.shapes = {ring}, .width = 640, .height = 80}},
    {"tall", {.shapes = {ring}, .width = 80, .height = 400}},
    {"odd", {.shapes = {pebble, chair}, .width = 253, .height = 187}},
    {"triangle", {.shapes = {triangle}, .colour = Colour::viridis}},
    {"values_missing", {.shapes = {holed}, .colour = Colour::inferno}},
    {"vertices_broken", {.shapes = {broken}}},
    {"inside_out", {.shapes = {insideOut}}},
    {"on_paper", {.shapes = {ring}, .shading = kWire, .background = kPaper}},
    {"on_nothing", {.shapes = {pebble}, .colour = Colour::viridis, .background = kClear}},
};
// clang-format on

INSTANTIATE_TEST_SUITE_P(Pictures, Baseline, testing::ValuesIn(kCases),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace threefold::render
