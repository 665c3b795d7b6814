#include "ui/scene_making.h"

#include <memory>

#include <gtest/gtest.h>

namespace threefold::ui {
namespace {

std::shared_ptr<Result> resultWithTruth() {
    auto result = std::make_shared<Result>();
    result->coarse = std::make_shared<render::SceneMesh>();
    result->refined = std::make_shared<render::SceneMesh>();
    result->coarseDistance = std::make_shared<render::SceneValues>();
    result->refinedDistance = std::make_shared<render::SceneValues>();
    result->highestDistance = 0.03F;
    return result;
}

TEST(MakeScene, hasTwoEmptyPanes_withoutResult) {
    const Document document;
    const render::Scene scene = makeScene(document, themeColours(true));
    ASSERT_EQ(scene.panes.size(), 2U);
    EXPECT_TRUE(scene.panes[0].layers.empty());
}

TEST(MakeScene, coversBothPanesWithOneRange) {
    const auto result = resultWithTruth();
    Document document;
    document.setResult(result);
    const render::Scene scene = makeScene(document, themeColours(true));
    ASSERT_EQ(scene.panes[0].layers.size(), 1U);
    EXPECT_EQ(scene.panes[0].layers[0].mesh, result->coarse);
    EXPECT_EQ(scene.panes[1].layers[0].mesh, result->refined);
    for (const render::Pane& pane : scene.panes) {
        EXPECT_EQ(pane.layers[0].colouring, render::Colouring::values);
        EXPECT_EQ(pane.layers[0].colours.highest, 0.03F);
    }
    document.setLook({.quantity = Quantity::none});
    EXPECT_EQ(makeScene(document, themeColours(true)).panes[0].layers[0].colouring,
              render::Colouring::plain);
}

TEST(MakeScene, isPlain_whenThereIsNoTruth) {
    Document document;
    document.setResult(std::make_shared<Result>());
    EXPECT_EQ(makeScene(document, themeColours(true)).panes[0].layers[0].colouring,
              render::Colouring::plain);
}

}  // namespace
}  // namespace threefold::ui
