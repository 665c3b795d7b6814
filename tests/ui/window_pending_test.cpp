#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>
#include <QTest>

#include "tests/ui/window_fixture.h"
#include "ui/input/input_panel.h"
#include "ui/input/slot_outlines.h"
#include "ui/input/view_slots.h"
#include "ui/input/view_strip.h"
#include "ui/input/view_tiles.h"
#include "ui/inspect/inspector.h"
#include "ui/inspect/legend.h"
#include "ui/inspect/measures_table.h"
#include "ui/panes/header_text.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/run/live_update.h"

namespace threefold::ui {
namespace {

class WindowPending : public test::WindowTest {
  protected:
    InputPanel& input() { return window().input(); }
    QString header(MeshId id) { return headerText(window().shownDocument(), id).title; }
    bool measuresDimmed() { return window().inspector().measures().graphicsEffect() != nullptr; }
    void chooseView(std::size_t view) {
        QTest::mouseClick(input().strip().tiles()[view], Qt::LeftButton);
    }
    /// Calls `act` and waits until the coarse mesh of its run is presented; false on timeout.
    bool coarseComes(const std::function<void()>& act) {
        bool shown = false;
        QObject context;
        QObject::connect(&window(), &MainWindow::partialShown, &context, [&] { shown = true; });
        act();
        return waitUntil([&] { return shown; });
    }
    /// Lets the held run continue and waits for its end; false on timeout.
    bool releaseAndWait() {
        network().held = RunStep::load;
        return waitUntil([&] { return !document().run.state().isReconstructing(); });
    }
    /// Mean product of saturation and value (HSV) in the panes between two fractions of their
    /// width; lower for dimmed meshes.
    double saturation(double from, double to) {
        const QImage all = picture();
        const int left = static_cast<int>(all.width() * from);
        const QImage pane =
            all.copy(left, 0, static_cast<int>(all.width() * to) - left, all.height());
        double sum = 0;
        for (int y = 0; y < pane.height(); ++y)
            for (int x = 0; x < pane.width(); ++x)
                sum += pane.pixelColor(x, y).hsvSaturationF() * pane.pixelColor(x, y).valueF();
        return sum / (static_cast<double>(pane.width()) * pane.height());
    }
};

TEST_F(WindowPending, showsTheCoarseMesh_beforeTheRefinedOneArrives) {
    network().held = RunStep::block1;
    ASSERT_TRUE(coarseComes(
        [&] { window().opener().openSample(test::bundledSampleFolder(), kPublishedViews); }));
    EXPECT_EQ(document().result.current(), nullptr);
    EXPECT_EQ(network().completed, 0);
    EXPECT_GT(saturation(0, 0.5), 0.01);  // coloured by the distance to the truth
    EXPECT_LT(saturation(0.5, 1), 0.3 * saturation(0, 0.5));
    EXPECT_EQ(header(MeshId::firstPublished), "Coarse");
    EXPECT_EQ(header(MeshId::result), "Refining…");
    EXPECT_THAT(window().windowTitle().toStdString(), testing::HasSubstr("reconstructing"));
    ASSERT_TRUE(releaseAndWait());
    EXPECT_EQ(header(MeshId::result), "Refined");
    EXPECT_EQ(window().windowTitle(), "airplane · p0001 — views 0, 6, 7 — Threefold");
    EXPECT_GT(saturation(0.5, 1), 0.01);
}

TEST_F(WindowPending, dimsOutdatedMeshes_untilTheyAreReplaced) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const double before = saturation(0.5, 1);
    EXPECT_FALSE(measuresDimmed());
    network().held = RunStep::cnn1;
    chooseView(9);
    ASSERT_TRUE(waitUntil([&] { return document().run.state().isReconstructing(); }));
    EXPECT_TRUE(measuresDimmed());
    EXPECT_EQ(header(MeshId::firstPublished), "Coarse…");
    EXPECT_LT(saturation(0.5, 1), 0.6 * before);
    EXPECT_LT(saturation(0, 0.5), 0.6 * before);
    ASSERT_TRUE(releaseAndWait());
    EXPECT_FALSE(measuresDimmed());
    EXPECT_GT(saturation(0.5, 1), 0.8 * before);
}

TEST_F(WindowPending, changesTitleAndSlots_asSoonAsAnotherSampleIsFound) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const SampleRef plane = document().result.current()->sample;
    network().held = RunStep::cnn1;
    window().opener().openSample(test::bundledSampleFolder("03001627"));
    EXPECT_THAT(window().windowTitle().toStdString(), testing::HasSubstr("Opening"));
    ASSERT_TRUE(waitUntil([&] { return document().run.state().sample() != nullptr; }));
    EXPECT_THAT(window().windowTitle().toStdString(), testing::HasSubstr("chair · p0001"));
    EXPECT_EQ(input().model().sample()->category, "03001627");
    EXPECT_TRUE(document().isStale(MeshId::result));
    // The aeroplane is not drawn under the chair's name.
    for (const MeshId id : {MeshId::firstPublished, MeshId::result, MeshId::truth})
        EXPECT_EQ(meshOf(document(), id), nullptr);
    EXPECT_EQ(header(MeshId::firstPublished), "Coarse…");
    ASSERT_TRUE(coarseComes([&] { network().held = RunStep::block1; }));
    // The chair's coarse mesh is shown without the aeroplane's refined mesh.
    EXPECT_EQ(meshOf(document(), MeshId::result), nullptr);
    EXPECT_EQ(document().run.shownResult(MeshId::firstPublished)->sample->category, "03001627");
    trigger(Qt::Key_Escape);
    ASSERT_TRUE(waitUntil([&] { return !document().run.state().isReconstructing(); }));
    EXPECT_TRUE(isSameSample(document().run.shownResult(MeshId::result)->sample, plane));
    ASSERT_TRUE(waitUntil([&] { return input().model().sample()->category == "02691156"; }));
    EXPECT_EQ(window().windowTitle(), "airplane · p0001 — views 0, 6, 7 — Threefold");
    EXPECT_NE(meshOf(document(), MeshId::result), nullptr);
    EXPECT_FALSE(measuresDimmed());
}

TEST_F(WindowPending, saysNothingInTheLegend_whileMeshesAreMissing) {
    const auto& legend = *window().findChild<Legend*>();
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_FALSE(legend.accessibleName().isEmpty());
    document().look.change([](Look& look) {
        look.panes = {MeshId::result, MeshId::textured, MeshId::fitted};
    });
    network().held = RunStep::block1;
    ASSERT_TRUE(
        coarseComes([&] { window().opener().openSample(test::bundledSampleFolder("03001627")); }));
    EXPECT_EQ(legend.accessibleName(), "");
    ASSERT_TRUE(releaseAndWait());
    EXPECT_FALSE(legend.accessibleName().isEmpty());
}

TEST_F(WindowPending, showsNoOverlap_ofTheTemplate) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    SlotOutlines& outlines = *window().findChild<SlotOutlines*>();
    const ViewTile& tile = *input().viewSlots().tiles()[0];
    ASSERT_TRUE(waitUntil([&] { return tile.note().startsWith("IoU"); }));
    document().look.change([](Look& look) { look.morphPosition = test::kMorphTemplate; });
    ASSERT_TRUE(waitUntil([&] { return outlines.isUpToDate() && tile.note().isEmpty(); }));
    EXPECT_FALSE(tile.overlay().isNull());
    document().look.change([](Look& look) { look.morphPosition = kMorphResult; });
    EXPECT_TRUE(waitUntil([&] { return tile.note().startsWith("IoU"); }));
}

TEST_F(WindowPending, computesOnlyTheCoarseMesh_duringQuickChanges) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    trigger(Qt::Key_C);
    network().held = RunStep::block1;
    const int completed = network().completed;
    for (const std::size_t view : {9U, 10U, 11U, 12U}) {
        ASSERT_TRUE(coarseComes(
            [&] { QTest::keyClick(input().strip().tiles()[view - 1], Qt::Key_Right); }));
        EXPECT_EQ(document().run.state().reconstruction()->views.front(), static_cast<int>(view));
    }
    EXPECT_EQ(network().completed, completed);
    EXPECT_EQ(window().findChild<LiveUpdate*>()->shownCount(), 4U);
    EXPECT_EQ(document().result.current()->views.front(), 0);
    ASSERT_TRUE(releaseAndWait());  // after the last key the run is completed
    EXPECT_EQ(document().result.current()->views.front(), 12);
    EXPECT_EQ(network().completed, completed + 1);
}

TEST_F(WindowPending, waitsForTheWholeResult_whenTheBackendGivesNoCoarseMesh) {
    network().reportsPartial = false;
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    trigger(Qt::Key_C);
    for (const std::size_t view : {9U, 10U, 11U})
        QTest::keyClick(input().strip().tiles()[view - 1], Qt::Key_Right);
    ASSERT_TRUE(waitUntil([&] { return document().result.current()->views.front() == 11; }));
    EXPECT_FALSE(document().run.state().isReconstructing());
}

}  // namespace
}  // namespace threefold::ui
