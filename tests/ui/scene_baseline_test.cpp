// Compares pictures of a real reconstruction's panes with baselines: the quantities of the meshes
// and of the truth's points, every layout and every shading, each at single and double pixel ratio,
// dark and light. The network runs once per test.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/network/cpu_backend.h"
#include "engine/sample/sample_views.h"
#include "tests/render/pictures.h"
#include "tests/render/rendering_test.h"
#include "tests/support/models.h"
#include "tests/ui/test_sample.h"
#include "ui/panes/make_scene.h"
#include "ui/panes/pane_cameras.h"

namespace threefold::ui {
namespace {

struct Case {
    std::string name;
    Look look;
};

ResultRef reconstructed() {
    const SampleRef sample = test::bundledSample();
    const std::unique_ptr<Backend> backend = makeCpuBackend(threefold::test::testModel());
    return makeResult(sample, kPublishedViews,
                      backend->reconstruct(loadViews(*sample, kPublishedViews), {}));
}

render::Scene sceneOf(const Document& document, bool dark, glm::vec2 size, float pixelRatio) {
    render::Scene scene = makeScene({document}, themeColours(dark ? Theme::dark : Theme::light));
    PaneCameras cameras;
    cameras.setCount(scene.panes.size());
    cameras.setSize(size, pixelRatio);
    cameras.lookInDirectionOf(document.result.current()->referenceCamera(),
                              document.result.current()->framedPoints);
    for (std::size_t i = 0; i < scene.panes.size(); ++i) scene.panes[i].camera = cameras.camera(i);
    scene.pixelRatio = pixelRatio;
    return scene;
}

class SceneBaseline : public render::Rendering {
  protected:
    void match(const std::vector<Case>& cases) {
        Document document;
        document.result.set(reconstructed());
        for (const Case& test : cases) {
            document.look.set(test.look);
            for (const bool dark : {true, false}) {
                for (const int ratio : {1, 2}) {
                    const int width = 240 * ratio, height = 110 * ratio;
                    const render::Scene scene =
                        sceneOf(document, dark, {width, height}, static_cast<float>(ratio));
                    const std::string name = "scene_" + test.name + (dark ? "_dark" : "_light") +
                                             (ratio == 1 ? "" : "_2x");
                    EXPECT_TRUE(render::matchesBaseline(target().draw(scene, width, height), name));
                }
            }
        }
    }
};

// Each case begins a line.
// clang-format off
TEST_F(SceneBaseline, isMatched_byQuantitiesOfTheMeshes) {
    match({
        {"plain", {.quantity = Quantity::none}},
        {"distance_to_truth", {}},
        {"distance_to_truth_log", {.scale = render::ValueScale::logarithmic}},
        {"distance_from_truth",
         {.truthPane = true,
          .quantity = Quantity::distanceFromTruth,
          .map = render::ColourMap::viridis}},
        {"movement", {.quantity = Quantity::movement}},
        {"last_movement", {.quantity = Quantity::lastMovement, .range = RangeMode::perPane}},
        {"normals", {.quantity = Quantity::normals}},
        {"curvature", {.quantity = Quantity::curvature}},
        {"entropy", {.quantity = Quantity::entropy, .map = render::ColourMap::viridis}},
    });
}

TEST_F(SceneBaseline, isMatched_byEveryLayout) {
    match({
        {"wipe", {.paneLayout = PaneLayout::wipe, .seamPosition = 0.4F}},
        {"overlay", {.paneLayout = PaneLayout::overlay, .opacity = 0.5F}},
        {"truth", {.truthPane = true}},
        {"wipe_and_truth", {.paneLayout = PaneLayout::wipe, .truthPane = true, .swapped = true}},
        {"on_its_way", {.morphPosition = -3.5F, .quantity = Quantity::none}},
    });
}

TEST_F(SceneBaseline, isMatched_byEveryShading) {
    match({
        {"flat", {.shading = render::Shading::flat}},
        {"wireframe", {.shading = render::Shading::wireframe}},
        {"points", {.shading = render::Shading::points}},
        {"edges", {.edges = true, .quantity = Quantity::none}},
        {"matcap", {.lighting = render::Lighting::matcap, .quantity = Quantity::none}},
        {"occlusion", {.ambientOcclusion = true, .quantity = Quantity::none}},
    });
}
// clang-format on

}  // namespace
}  // namespace threefold::ui
