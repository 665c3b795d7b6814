#include "render/profile_panel.h"

#include <algorithm>
#include <iostream>
#include <vector>

#include <gtest/gtest.h>

#include "engine/profile/rolling_window.h"
#include "engine/profile/stopwatch.h"
#include "render/profile_panel_layout.h"
#include "tests/render/fake_profile_panel.h"
#include "tests/render/pictures.h"
#include "tests/render/rendering_test.h"
#include "tests/render/shapes.h"

namespace threefold::render {
namespace {

Scene sceneWith(ProfilePanelView view, float pixelRatio = 1) {
    Scene scene;
    scene.pixelRatio = pixelRatio;
    scene.profilePanel = std::make_shared<const ProfilePanelView>(std::move(view));
    return scene;
}

class ProfilePanelPicture : public Rendering {
  protected:
    Image panel(ProfilePanelView view, float pixelRatio) {
        view.margin = 0;
        const glm::vec2 size = profilePanelSize(view) * pixelRatio;
        return target().draw(sceneWith(std::move(view), pixelRatio), static_cast<int>(size.x),
                             static_cast<int>(size.y));
    }
};

using ProfilePanelBaseline = ProfilePanelPicture;

TEST_F(ProfilePanelBaseline, isMatched) {
    EXPECT_TRUE(matchesBaseline(panel(fakeProfilePanel(), 1), "profile_panel_dark"));
    EXPECT_TRUE(matchesBaseline(panel(fakeProfilePanel(false), 1), "profile_panel_light"));
}

TEST_F(ProfilePanelBaseline, isMatched_atDoublePixelRatio) {
    ProfilePanelView view = fakeProfilePanel();
    ProfilePanelView light = fakeProfilePanel(false);
    // The views keep only one run, so that the pictures are small.
    for (ProfilePanelView* each : {&view, &light}) {
        auto one = std::make_shared<FlameGraph>(*each->flames);
        one->rows.resize(1);
        each->flames = one;
    }
    EXPECT_TRUE(matchesBaseline(panel(view, 2), "profile_panel_dark_2x"));
    EXPECT_TRUE(matchesBaseline(panel(light, 2), "profile_panel_light_2x"));
}

TEST_F(ProfilePanelBaseline, isMatched_withATooltip_andBeforeTheFirstRun) {
    ProfilePanelView view = fakeProfilePanel();
    view.margin = 0;
    const ProfilePanelLayout layout = layoutProfilePanel(view, profilePanelSize(view));
    view.pointer = (layout.segments[12].box.from + layout.segments[12].box.to) / 2.0F;
    EXPECT_TRUE(matchesBaseline(panel(view, 1), "profile_panel_tooltip"));
    EXPECT_TRUE(matchesBaseline(panel(emptyProfilePanel(), 1), "profile_panel_empty"));
}

TEST_F(ProfilePanelPicture, appearsAndDisappears_withoutChangingThePicture) {
    Scene scene;
    const Image without = target().draw(scene, 400, 320);
    scene.profilePanel = std::make_shared<const ProfilePanelView>(fakeProfilePanel());
    const Image with = target().draw(scene, 400, 320);
    EXPECT_GT(compare(without, with).fraction, 0.1);
    scene.profilePanel = nullptr;
    EXPECT_EQ(target().draw(scene, 400, 320).rgba, without.rgba);
    scene.profilePanel = std::make_shared<const ProfilePanelView>(fakeProfilePanel());
    EXPECT_EQ(target().draw(scene, 400, 320).rgba, with.rgba);
}

TEST_F(ProfilePanelPicture, isTheSame_whenDrawnAgainAndAfterAnotherScale) {
    const Image first = panel(fakeProfilePanel(), 1);
    EXPECT_EQ(panel(fakeProfilePanel(), 1).rgba, first.rgba);
    EXPECT_NE(panel(fakeProfilePanel(), 1.5F).rgba, first.rgba);
    EXPECT_EQ(panel(fakeProfilePanel(), 1).rgba, first.rgba);
}

TEST_F(ProfilePanelPicture, showsEveryNumberOfFrames_oneAfterAnother) {
    ProfilePanelView view = fakeProfilePanel();
    view.frames.assign(3, 12.0F);
    const Image few = panel(view, 1);
    for (const std::size_t frames : {0U, 120U, 500U}) {
        view.frames.assign(frames, 12.0F);
        const Image shown = panel(view, 1);
        EXPECT_EQ(shown.width, few.width);
        EXPECT_GT(compare(few, shown).fraction, 0)
            << frames << " frames are drawn like three frames";
    }
    view.frames.assign(3, 12.0F);
    EXPECT_EQ(panel(view, 1).rgba, few.rgba);
}

TEST_F(ProfilePanelPicture, usesTheBuiltInFont_whenNoneIsGiven) {
    ProfilePanelView view = fakeProfilePanel();
    const Image own = panel(view, 1);
    view.font = nullptr;
    EXPECT_GT(compare(own, panel(view, 1)).fraction, 0.01);
}

TEST_F(ProfilePanelPicture, isDrawn_inAPictureOfAnySize) {
    for (const int size : {1, 7, 60, 250}) {
        const Image picture = target().draw(sceneWith(fakeProfilePanel()), size, size);
        EXPECT_EQ(picture.width, size);
        EXPECT_EQ(picture.height, size);
    }
    const Image without = target().draw(Scene{}, 250, 250);
    EXPECT_GT(compare(without, target().draw(sceneWith(fakeProfilePanel()), 250, 250)).fraction,
              0.1);
}

TEST_F(ProfilePanelPicture, takesLessTimeThanItsFrame) {
    const Scene with = sceneWith(fakeProfilePanel());
    const Scene without;
    constexpr int kWidth = 1280;
    constexpr int kHeight = 720;
    constexpr int kFrames = 40;
    RollingWindow own(kFrames), frameWith(kFrames), frameWithout(kFrames);
    const auto drawFor = [&](const Scene& scene, RollingWindow& times) {
        const Stopwatch watch;
        target().draw(scene, kWidth, kHeight);
        times.add(watch.milliseconds());
    };
    drawFor(without, frameWithout);
    for (int i = 0; i < kFrames; ++i) drawFor(without, frameWithout);
    drawFor(with, frameWith);
    for (int i = 0; i < kFrames; ++i) {
        drawFor(with, frameWith);
        own.add(target().profileMilliseconds());
    }
    std::cout << "profile panel, building and recording: median " << *own.median() << " ms, p95 "
              << *own.p95() << " ms; the whole frame of " << kWidth << "×" << kHeight << ' '
              << *frameWith.median() << " ms with it, " << *frameWithout.median()
              << " ms without, on " << device().description().name << '\n';
    RecordProperty("profile_panel_us", static_cast<int>(1000 * *own.median()));
    EXPECT_GT(*own.median(), 0);
    EXPECT_LT(*own.median(), *frameWith.median());
}

}  // namespace
}  // namespace threefold::render
