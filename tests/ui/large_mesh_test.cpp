#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "tests/ui/window_fixture.h"

namespace threefold::ui {
namespace {

/// Wavy sheet parallel to the screen, of 2 × side² triangles.
render::SceneMeshRef makeSheet(int side) {
    render::SceneMesh mesh;
    const auto coordinate = [side](int i) {
        return static_cast<float>(i) / static_cast<float>(side) - 0.5F;
    };
    for (int y = 0; y <= side; ++y) {
        for (int x = 0; x <= side; ++x) {
            mesh.vertices.emplace_back(coordinate(x), coordinate(y),
                                       0.02F * std::sin(40 * coordinate(x)) - 0.8F);
        }
    }
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const auto a = static_cast<std::uint32_t>(y * (side + 1) + x);
            const auto b = a + static_cast<std::uint32_t>(side) + 1;
            mesh.faces.emplace_back(a, a + 1, b);
            mesh.faces.emplace_back(a + 1, b + 1, b);
        }
    }
    return std::make_shared<const render::SceneMesh>(std::move(mesh));
}

render::Scene sceneOf(render::SceneMeshRef mesh, glm::vec3 colour) {
    render::Scene scene;
    scene.panes.resize(1);
    render::Layer& layer = scene.panes[0].layers.emplace_back();
    layer.mesh = std::move(mesh);
    layer.plainColour = colour;
    return scene;
}

constexpr glm::vec3 kGreen{0.1F, 0.9F, 0.1F}, kRed{0.9F, 0.1F, 0.1F};

class LargeMesh : public test::WindowTest {
  protected:
    double greenFraction() { return test::fractionOfHues(picture(), 90, 150); }
    double redFraction() { return test::fractionOfHues(picture(), 340, 20); }

    // Number of colours at soft edges in a picture of makeSheet(side): all colours except red and
    // the background.
    std::size_t mixedColours(int side) {
        render::Scene scene = sceneOf(makeSheet(side), kRed);
        scene.panes[0].layers[0].unlit = true;
        viewport().setScene(std::move(scene));
        EXPECT_TRUE(waitUntil([&] { return viewport().isUpToDate(); }));
        std::set<QRgb> colours;
        const QImage shown = picture();
        for (int y = 0; y < shown.height(); ++y)
            for (int x = 0; x < shown.width(); ++x) colours.insert(shown.pixel(x, y));
        EXPECT_GE(colours.size(), 2U);
        return colours.size() - 2;
    }
};

// GPUs draw every mesh with four multisamples; the tests' software driver does so only up to a
// million triangles.
TEST_F(LargeMesh, hasNoSoftEdges_onAProcessor) {
    EXPECT_GE(mixedColours(20), 1U);
    EXPECT_EQ(mixedColours(800), 0U);  // 1.28 million triangles
    EXPECT_GE(mixedColours(20), 1U);
}

TEST_F(LargeMesh, keepsTheOldScene_untilItIsReady) {
    viewport().setScene(sceneOf(makeSheet(20), kGreen));
    ASSERT_GT(greenFraction(), 0.1);
    const render::Scene large = sceneOf(makeSheet(1000), kRed);
    ASSERT_EQ(large.panes[0].layers[0].mesh->faces.size(), 2'000'000U);

    int earlierFrames = 0;
    bool appeared = false;
    std::uint64_t awaited = 0;
    QObject context;
    QObject::connect(&viewport(), &Viewport::presented, &context, [&](quint64 serial) {
        if (awaited > 0 && serial >= awaited) appeared = true;
        if (awaited > 0 && !appeared) ++earlierFrames;
        if (!appeared) viewport().requestUpdate();  // as orbiting does
    });
    viewport().setScene(large);
    awaited = viewport().newestSerial();
    ASSERT_TRUE(waitUntil([&] { return appeared; }));
    EXPECT_GE(earlierFrames, 1);
    EXPECT_GT(redFraction(), 0.1);
}

TEST_F(LargeMesh, requestsAFrame_whenReady) {
    viewport().setScene(sceneOf(makeSheet(300), kRed));
    EXPECT_TRUE(waitUntil([&] { return viewport().isUpToDate(); }));
    EXPECT_GT(redFraction(), 0.1);
}

TEST_F(LargeMesh, isDropped_whenAnotherReplacesIt) {
    std::weak_ptr<const render::SceneMesh> gone;
    for (int i = 0; i < 6; ++i) {
        const render::SceneMeshRef mesh = makeSheet(200 + i);
        viewport().setScene(sceneOf(mesh, i % 2 == 0 ? kRed : kGreen));
        EXPECT_TRUE(waitUntil([&] { return viewport().isUpToDate(); }));
        if (i == 0) gone = mesh;
    }
    EXPECT_TRUE(waitUntil([&] { return gone.expired(); }));
    EXPECT_GT(greenFraction(), 0.1);
}

}  // namespace
}  // namespace threefold::ui
