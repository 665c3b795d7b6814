#include "ui/profile/profile_overlay.h"
#include "ui/files/export_commands.h"

#include <fstream>
#include <iostream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <QAction>
#include <QTest>

#include "render/profile_panel_layout.h"
#include "tests/ui/window_fixture.h"
#include "ui/input/input_panel.h"
#include "ui/shell/banner.h"

namespace threefold::ui {
namespace {

class LiveProfile : public test::WindowTest {
  protected:
    ProfileOverlay& overlay() { return *window().findChild<ProfileOverlay*>(); }

    void toggle() {
        viewport().requestActivate();
        ASSERT_TRUE(waitUntil([&] { return QGuiApplication::focusWindow() == &viewport(); }));
        const bool before = overlay().isOn();
        QTest::keyClick(&viewport(), Qt::Key_P);
        ASSERT_TRUE(waitUntil([&] { return overlay().isOn() != before; }));
        settle();
    }
    render::ProfilePanelLayout layout() {
        return render::layoutProfilePanel(
            *overlay().view(),
            {static_cast<float>(viewport().width()), static_cast<float>(viewport().height())});
    }
    static QRect inPixels(const render::PanelBox& box, qreal ratio) {
        return QRectF(box.from.x * ratio, box.from.y * ratio, box.width() * ratio,
                      box.height() * ratio)
            .toRect();
    }
    static QPoint middle(const render::PanelBox& box) {
        return QPointF((box.from.x + box.to.x) / 2, (box.from.y + box.to.y) / 2).toPoint();
    }
    std::string save(ProfileFormat format, const std::string& name) {
        QString written;
        QObject context;
        QObject::connect(&overlay(), &ProfileOverlay::saved, &context,
                         [&](const QString& file) { written = file; });
        overlay().save(folder() / name, format);
        EXPECT_TRUE(waitUntil([&] { return !written.isEmpty(); }));
        return written.toStdString();
    }
};

TEST_F(LiveProfile, isToggledByP) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const QImage without = picture();
    EXPECT_FALSE(overlay().view());
    toggle();
    ASSERT_TRUE(overlay().view());
    const QImage with = picture();
    const QRect panel = inPixels(layout().panel, viewport().devicePixelRatio());
    EXPECT_GT(test::difference(without.copy(panel), with.copy(panel)), 0.05);
    // The run's segments have the theme's warm colours; their widths depend on the measured times.
    EXPECT_EQ(test::fractionOfHues(without.copy(panel), 15, 45), 0);
    EXPECT_GT(test::fractionOfHues(with.copy(panel), 15, 45), 0.001);
    toggle();
    EXPECT_FALSE(overlay().view());
    EXPECT_LT(test::difference(without, picture()), 0.0001);
}

TEST_F(LiveProfile, isInPicturesOfTheWindow_notOfThePanes) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    toggle();
    const QRect panel = inPixels(layout().panel, viewport().devicePixelRatio());
    int written = 0;
    QObject context;
    QObject::connect(&window().exports(), &ExportCommands::saved, &context, [&] { ++written; });
    const QSize size = viewport().size() * viewport().devicePixelRatio();
    window().exports().savePanes(folder() / "panes.png", size, false);
    window().exports().saveWindow(folder() / "window.png");
    ASSERT_TRUE(waitUntil([&] { return written == 2; }));
    const QImage shown = picture();
    const QImage panes(QString::fromStdString((folder() / "panes.png").string()));
    const QImage whole(QString::fromStdString((folder() / "window.png").string()));
    EXPECT_GT(test::difference(panes.copy(panel), shown.copy(panel)), 0.05);
    const QPoint corner = viewport().mapToGlobal(QPoint()) - window().mapToGlobal(QPoint());
    const QRect panelInWindow = panel.translated(corner * viewport().devicePixelRatio());
    // The panel's numbers change between the two pictures.
    EXPECT_LT(test::difference(whole.copy(panelInWindow), shown.copy(panel)), 0.1);
}

TEST_F(LiveProfile, drawsNothing_whileNothingChanges) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    toggle();
    expectNoFrameFor(300);
}

TEST_F(LiveProfile, hasARowForEachRun_withWidthsOfItsTimes) {
    network().stageMilliseconds = 4;
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    toggle();
    network().stageMilliseconds = 2;
    window().opener().reconstruct();
    ASSERT_TRUE(waitUntil([&] { return overlay().history().runs().size() == 2; }));
    settle();
    const render::ProfilePanelLayout placed = layout();
    ASSERT_EQ(placed.flameRows.size(), 2U);
    const auto& runs = overlay().view()->flames->rows;
    const float scale = placed.segments[4].box.width() / runs[0][4].duration;
    for (const render::FlameSegmentBox& each : placed.segments) {
        EXPECT_NEAR(each.box.width(), runs[each.row][each.segment].duration * scale, 1e-2);
    }
    // Segment 4, the first after the projection, lasted twice as long in the older run.
    EXPECT_FLOAT_EQ(runs[1][4].duration, 2 * runs[0][4].duration);
    EXPECT_EQ(overlay().view()->network.values[0], "16.0");
}

TEST_F(LiveProfile, showsATooltip_onlyOverThePanel) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    toggle();
    const QImage before = picture();
    const PaneCameras cameras = viewport().cameras();
    const render::FlameSegmentBox segment = layout().segments.back();
    const QPoint place = middle(segment.box);
    int moves = 0;
    ASSERT_TRUE(waitUntil([&] {
        // Small moves are repeated, since the first may be lost while the window is activated.
        QTest::mouseMove(&viewport(), place + QPoint(moves++ % 2, 0));
        return overlay().view()->pointer.has_value();
    }));
    settle();
    const auto hovered = render::hoveredSegment(layout(), *overlay().view());
    ASSERT_TRUE(hovered);
    EXPECT_EQ(hovered->segment, segment.segment);
    EXPECT_GT(test::difference(before, picture()), 0.001);
    drag(place, place + QPoint(-40, -10));
    EXPECT_EQ(viewport().cameras(), cameras);

    QTest::mouseMove(&viewport(), QPoint(40, 60));
    ASSERT_TRUE(waitUntil([&] { return !overlay().view()->pointer; }));
    drag({40, 60}, {90, 80});
    EXPECT_NE(viewport().cameras(), cameras);
}

TEST_F(LiveProfile, doesNotInterruptADrag_thatBeganOnTheMeshes) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    toggle();
    const QPoint inside = middle(layout().panel);
    drag({40, 60}, inside - QPoint(1, 1));
    const PaneCameras cameras = viewport().cameras();
    drag({40, 60}, inside);
    EXPECT_NE(viewport().cameras(), cameras);
    EXPECT_FALSE(overlay().view()->pointer);
}

TEST_F(LiveProfile, showsDroppedRequests_whileThereAreAny) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    toggle();
    const std::size_t facts = overlay().view()->facts.size();
    overlay().setSuperseded(3);
    ASSERT_TRUE(waitUntil([&] { return overlay().view()->facts.size() == facts + 1; }));
    EXPECT_EQ(overlay().view()->facts[facts].value, "3");
    overlay().setSuperseded(std::nullopt);
    EXPECT_TRUE(waitUntil([&] { return overlay().view()->facts.size() == facts; }));
}

TEST_F(LiveProfile, countsViewsReadAheadByTheTiles) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_TRUE(waitUntil([&] { return window().input().images().size() == 24; }));
    toggle();
    const auto hits = [&] {
        viewport().requestUpdate();
        for (const render::PanelFact& fact : overlay().view()->facts)
            if (fact.label == "view hits") return fact.value;
        return std::string();
    };
    ASSERT_TRUE(waitUntil([&] { return !hits().empty(); }));
    // From none to all of the 3 reads hit, since the request and the tiles read concurrently.
    const int before = std::stoi(hits());
    window().input().model().putIntoSelectedSlot(9);
    EXPECT_TRUE(waitUntil([&] { return hits() == std::to_string(before + 3) + "/6"; })) << hits();
}

TEST_F(LiveProfile, showsFramesAndMemory) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    toggle();
    drag({40, 60}, {140, 80});
    settle();
    EXPECT_GT(overlay().history().frames().size(), 2U);
    EXPECT_GT(overlay().history().frames().back().deviceBytes, 1'000'000U);
    EXPECT_GT(*overlay().history().panel().last(), 0);
    std::cout << "profile panel, its view included: median "
              << *overlay().history().panel().median() << " ms a frame\n";
    ASSERT_GE(overlay().view()->facts.size(), 2U);
    EXPECT_EQ(overlay().view()->facts[0].label, "host MB");
    EXPECT_EQ(overlay().view()->facts[1].label, "device MB");
}

TEST_F(LiveProfile, updatesTheProcessorsLoad) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    toggle();
    const auto percent = [&]() -> std::optional<int> {
        if (const auto view = overlay().view()) {
            for (const render::PanelFact& fact : view->facts)
                if (fact.label == "CPU %") return std::stoi(fact.value);
        }
        return std::nullopt;
    };
    EXPECT_TRUE(waitUntil([&] { return percent().has_value(); }));
    EXPECT_GE(percent().value_or(-1), 0);
    EXPECT_LE(percent().value_or(101), 100);
}

TEST_F(LiveProfile, updatesTheGpusUtilisation) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    toggle();
    const auto utilisation = [&] {
        if (const auto view = overlay().view()) {
            for (const render::PanelFact& fact : view->facts)
                if (fact.label == "GPU %") return fact.value;
        }
        return std::string();
    };
    EXPECT_EQ(utilisation(), "");
    // The fake NVML reports 62 %, and 72 % at every third query.
    overlay().setGauges({"0000:62:00.0"}, THREEFOLD_FAKE_NVML "/libfake_nvml.so");
    EXPECT_TRUE(waitUntil([&] { return utilisation() == "62"; }));
    EXPECT_TRUE(waitUntil([&] { return utilisation() == "72"; }));
    toggle();
    EXPECT_FALSE(overlay().view());
    toggle();
    EXPECT_TRUE(waitUntil([&] { return !utilisation().empty(); }));
    overlay().setGauges({});
    viewport().requestUpdate();
    EXPECT_TRUE(waitUntil([&] { return utilisation().empty(); }));
}

TEST_F(LiveProfile, followsTheTheme) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    toggle();
    const auto panelLightness = [&] {
        const QImage shown = picture();
        const QRect panel = inPixels(layout().panel, viewport().devicePixelRatio());
        return shown.pixelColor(panel.center().x(), panel.top() + 4).lightness();
    };
    EXPECT_LT(panelLightness(), 60);
    window().setTheme(ThemeChoice::light);
    EXPECT_GT(panelLightness(), 200);
    window().setTheme(ThemeChoice::dark);
}

TEST_F(LiveProfile, isSavedInEachFormat_evenWhileHidden) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    std::ifstream trace(save(ProfileFormat::chromeTrace, "trace.json"));
    const nlohmann::json events = nlohmann::json::parse(trace).at("traceEvents");
    int blocks = 0;
    int frames = 0;
    for (const auto& event : events) {
        if (event.at("name") == "block2") ++blocks;
        if (event.at("name") == "frame") ++frames;
    }
    EXPECT_EQ(blocks, 1);
    EXPECT_GE(frames, 1);
    std::ifstream report(save(ProfileFormat::json, "profile.json"));
    EXPECT_GE(nlohmann::json::parse(report).at("names").size(), 9U);
    const QImage panel(QString::fromStdString(save(ProfileFormat::png, "profile.png")));
    EXPECT_EQ(panel.width(), 656);
    // All hues are counted together, since the width of a run step's segment depends on its time.
    EXPECT_GT(test::fractionOfHues(panel, 0, 359), 0.005);
    EXPECT_FALSE(overlay().view());
}

TEST_F(LiveProfile, reportsAFailedSave_inTheBanner) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    overlay().save(folder() / "no" / "folder" / "trace.json", ProfileFormat::chromeTrace);
    EXPECT_TRUE(waitUntil([&] { return window().banner().isVisible(); }));
}

}  // namespace
}  // namespace threefold::ui
