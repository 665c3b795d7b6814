#include <algorithm>
#include <optional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>
#include <QListWidget>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "engine/sample/bundled_samples.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/ui/window_fixture.h"
#include "ui/document/document.h"
#include "ui/document/measured_meshes.h"
#include "ui/input/input_panel.h"
#include "ui/input/photograph_viewer.h"
#include "ui/input/slot_outlines.h"
#include "ui/input/view_slots.h"
#include "ui/input/view_strip.h"
#include "ui/input/view_tiles.h"
#include "ui/inspect/inspector.h"
#include "ui/inspect/legend.h"
#include "ui/inspect/measures_table.h"
#include "ui/inspect/results_list.h"
#include "ui/panes/header_text.h"
#include "ui/panes/make_scene.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/panes/pane_headers.h"
#include "ui/panes/stage_slider.h"
#include "ui/panes/vertex_text.h"
#include "ui/results/morphed_mesh.h"
#include "ui/run/fit_runner.h"
#include "ui/run/live_update.h"
#include "ui/shell/banner.h"
#include "ui/shell/status_line.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

class WindowFit : public test::WindowTest {
  protected:
    FitRunner& fitRunner() { return *window().findChild<FitRunner*>(); }
    PaneHeaders& headers() { return *window().findChild<PaneHeaders*>(); }
    StageSlider& slider() { return *window().findChild<StageSlider*>(); }

    void setFit(FitViews::Kind views = FitViews::Kind::chosen) {
        document().fit.setChoice({true, views});
    }
    bool waitUntilFitted() {
        return waitUntil(
            [&] { return document().result.current()->mesh(MeshId::fitted) != nullptr; });
    }
    bool openAndFit(FitViews::Kind views = FitViews::Kind::chosen,
                    const std::filesystem::path& sample = test::bundledSampleFolder()) {
        setFit(views);
        return open(sample) && waitUntilFitted();
    }
    std::string status() { return window().statusLine().text().toStdString(); }
};

TEST_F(WindowFit, beginsOnceTheResultIsOnTheScreen) {
    setFit();
    quint64 onScreen = 0;
    quint64 withResult = 0;
    std::optional<bool> isShown;
    QObject::connect(&viewport(), &Viewport::presented, &window(),
                     [&](quint64 serial) { onScreen = serial; });
    QObject::connect(&document().result, &ResultModel::changed, &window(),
                     [&] { withResult = viewport().newestSerial(); });
    QObject::connect(&document().run, &RunModel::advanced, &window(), [&] {
        if (!isShown && document().run.state().fit())
            isShown = withResult != 0 && onScreen >= withResult;
    });
    ASSERT_TRUE(open(test::bundledSampleFolder()) && waitUntilFitted());
    ASSERT_TRUE(isShown.has_value());
    EXPECT_TRUE(*isShown);
}

TEST_F(WindowFit, addsAThirdPane_andKeepsTheNetworksMeshes) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ResultRef before = document().result.current();
    EXPECT_EQ(viewport().cameras().count(), 2U);
    EXPECT_EQ(headers().headerOf(MeshId::fitted), nullptr);
    setFit();
    // During the fit, the third pane shows the refined mesh.
    EXPECT_EQ(viewport().cameras().count(), 3U);
    ASSERT_TRUE(waitUntilFitted());
    EXPECT_EQ(document().result.current()->mesh(MeshId::firstPublished),
              before->mesh(MeshId::firstPublished));
    EXPECT_EQ(document().result.current()->mesh(MeshId::result), before->mesh(MeshId::result));
    EXPECT_EQ(document().result.current()->fitted()->fit.views, (std::vector{0, 6, 7}));
    ASSERT_NE(headers().headerOf(MeshId::fitted), nullptr);
    EXPECT_TRUE(headers().headerOf(MeshId::fitted)->isVisible());
    EXPECT_EQ(headers().headerOf(MeshId::fitted)->title(), "Fitted");
    EXPECT_THAT(headers().headerOf(MeshId::fitted)->detail().toStdString(),
                testing::HasSubstr(" v"));
    EXPECT_THAT(status(), testing::StartsWith("Fitted to 3 "));
    EXPECT_FALSE(document().run.state().isActive());
    EXPECT_FALSE(document().fit.isPending());
    EXPECT_THAT(vertexSummary(window().shownDocument(), {MeshId::fitted, 5}).toStdString(),
                testing::StartsWith("fitted #5"));
}

TEST_F(WindowFit, isListedWithItsOwnTime) {
    ASSERT_TRUE(openAndFit());
    ResultsList& results = *window().findChild<ResultsList*>();
    QListWidget& list = child<QListWidget>(results, "list");
    QToolButton& header = child<QToolButton>(results, "header");
    header.setChecked(true);
    ASSERT_EQ(list.count(), 1);
    const Result& result = *document().result.current();
    EXPECT_THAT(
        list.item(0)->text().toStdString(),
        testing::EndsWith(QStringLiteral("%1 ms + fit %2")
                              .arg(millisecondsText(result.reconstruction.network.milliseconds()),
                                   timeText(result.fitted()->fit.result->milliseconds))
                              .toStdString()));
}

TEST_F(WindowFit, fitsToAllPhotographs_whenAsked) {
    ASSERT_TRUE(openAndFit(FitViews::Kind::all));
    EXPECT_EQ(document().result.current()->fitted()->fit.views.size(),
              document().result.current()->sample->viewCount());
    // Another choice of photographs starts a new fit from the network's mesh.
    setFit();
    ASSERT_TRUE(waitUntil([&] {
        return document().result.current()->fitted() &&
               document().result.current()->fitted()->fit.views.size() == 3U;
    }));
}

/// Window that fits to six photographs of a disc, enough for a hull.
class WindowHullFit : public WindowFit {
  protected:
    bool openAndFitDisc() {
        threefold::test::writeDiscScene(folder() / "disc", 6);
        return openAndFit(FitViews::Kind::all, folder() / "disc");
    }
};

TEST_F(WindowHullFit, startsFromTheHull) {
    ASSERT_TRUE(openAndFitDisc());
    const ResultRef result = document().result.current();
    EXPECT_EQ(result->fitted()->fit.views.size(), 6U);
    EXPECT_TRUE(hasOwnFittedVertices(*result));
    EXPECT_GT(result->mesh(MeshId::fitted)->vertices.size(),
              result->mesh(MeshId::result)->vertices.size());
    EXPECT_EQ(meshOf(document(), MeshId::fitted), result->mesh(MeshId::fitted));
}

TEST_F(WindowHullFit, showsThePhasesOfTheFit) {
    std::set<FitPhase> phases;
    QStringList words;
    QStringList otherNumbers;  // texts of the fit that differ from the bar
    QObject::connect(&document().run, &RunModel::advanced, [&] {
        const FitRun* fit = document().run.state().fit();
        if (fit == nullptr) return;
        phases.insert(fit->progress.phase);
        const QString onBar = QStringLiteral(" · %1 %").arg(qRound(100 * fit->totalFraction));
        for (const QLabel* label : window().statusLine().findChildren<QLabel*>()) {
            words << label->text();
            if (label->text().endsWith('%') && !label->text().endsWith(onBar))
                otherNumbers << label->text();
        }
    });
    ASSERT_TRUE(openAndFitDisc());
    EXPECT_EQ(phases.size(), 3U);
    EXPECT_FALSE(words.filter(QStringLiteral("fit · ")).isEmpty());
    EXPECT_FALSE(words.filter(QStringLiteral("hull of the photographs · ")).isEmpty());
    EXPECT_FALSE(words.filter(QStringLiteral("depth from photographs · ")).isEmpty());
    EXPECT_TRUE(otherNumbers.isEmpty()) << otherNumbers.join(", ").toStdString();
}

TEST_F(WindowHullFit, saysWhyTheHullIsTaken) {
    ASSERT_TRUE(openAndFitDisc());
    const std::string inspector = child<QLabel>(window().inspector(), "fit").text().toStdString();
    EXPECT_THAT(inspector, testing::HasSubstr("Chose the photographs' hull: on the 2 photographs"));
    EXPECT_THAT(inspector, testing::HasSubstr("Depth from photographs is sure on"));
    // The status line has all but the reason, which does not stand twice on the screen.
    EXPECT_THAT(status(), testing::StartsWith("Fitted to 6 photographs in "));
    EXPECT_THAT(status(), testing::HasSubstr("Depth from photographs is sure on"));
    EXPECT_THAT(status(), testing::Not(testing::HasSubstr("Chose")));
}

// Between the refined mesh and a hull there is no morph: slider, header and description show none.
TEST_F(WindowHullFit, doesNotMorphToTheHull) {
    ASSERT_TRUE(openAndFitDisc());
    EXPECT_THAT(slider().label(6).toStdString(), testing::StartsWith("fitted · "));
    EXPECT_THAT(slider().toolTip().toStdString(),
                testing::HasSubstr("The fitted mesh has different vertices"));
    document().look.set({.morphPosition = 0.75F, .quantity = Quantity::movement});
    EXPECT_EQ(slider().accessibleDescription(), slider().label(6));
    EXPECT_EQ(headers().second().title(), "Refined");
    EXPECT_EQ(headers().headerOf(MeshId::fitted)->title(), "Fitted · no values");
}

TEST_F(WindowHullFit, namesTheShownStage_whenSliding) {
    ASSERT_TRUE(openAndFitDisc());
    const ResultRef result = document().result.current();
    document().look.set(
        {.paneLayout = PaneLayout::wipe, .morphPosition = 0.75F, .quantity = Quantity::movement});
    EXPECT_EQ(meshOf(document(), MeshId::result), result->mesh(MeshId::fitted));
    EXPECT_EQ(headers().second().title(), "Fitted · no values");
    window().resize(1600, 960);
    const auto legend = [&] { return window().findChild<Legend*>()->findChildren<QLabel*>(); };
    EXPECT_TRUE(waitUntil([&] {
        return std::ranges::any_of(legend(), [](const QLabel* label) {
            return label->text().contains(QStringLiteral("its own"));
        });
    }));
    document().look.change([](Look& look) { look.morphPosition = 0.25F; });
    EXPECT_EQ(meshOf(document(), MeshId::result), result->mesh(MeshId::result));
    EXPECT_EQ(headers().second().title(), "Refined");
    settle();
}

TEST_F(WindowFit, comparesTheHullWithTheFittedMesh_whenDepthMovedIt) {
    window().resize(1600, 900);
    ASSERT_TRUE(openAndFit());
    const auto inMenu = [&](const QString& text) {
        headers().showMenu(0, 0, {});
        QAction* found = nullptr;
        for (QAction* each : QApplication::activePopupWidget()->actions())
            if (QString(each->text()).remove('&').startsWith(text)) found = each;
        return found;
    };
    EXPECT_FALSE(inMenu("Hull")->isEnabled());
    QApplication::activePopupWidget()->close();
    const ResultRef before = document().result.current()->fitted()->before;
    document().result.set(withFit(before, document().fit.choice(), test::sampleWithDepth()));
    QAction* hull = inMenu("Hull");
    ASSERT_TRUE(hull->isEnabled());
    hull->trigger();
    QApplication::activePopupWidget()->close();
    EXPECT_EQ(meshOf(document(), shownIds(document()).front()),
              document().result.current()->mesh(MeshId::hull));
    ASSERT_NE(headers().headerOf(MeshId::hull), nullptr);
    EXPECT_EQ(headers().headerOf(MeshId::hull)->title(), "Hull");
    EXPECT_TRUE(waitUntil([&] { return !window().measured().isBusy(); }));
    const auto& rows = window().inspector().measures().rows();
    EXPECT_FALSE(rows.at(0)[MeshId::hull].isEmpty());
    EXPECT_THAT(vertexSummary(window().shownDocument(), {MeshId::hull, 5}).toStdString(),
                testing::StartsWith("hull #5"));
    settle();
}

TEST_F(WindowFit, showsADepthMap_overItsEnlargedPhotograph) {
    ASSERT_TRUE(openAndFit());
    const auto& viewer = *window().findChild<PhotographViewer*>();
    QTest::keyClick(window().input().viewSlots().tiles().at(1), Qt::Key_Z);
    ASSERT_TRUE(waitUntil([&] { return viewer.openWindow() != nullptr; }));
    PhotographWindow& large = *viewer.openWindow();
    const auto coloured = [&] { return test::mapFraction(large.grab().toImage()); };
    QTest::keyClick(&large, Qt::Key_D);
    EXPECT_FALSE(large.showsDepth());
    const double without = coloured();

    ViewDepthMap depths{6, 32, {}};
    for (int i = 0; i < 32 * 32; ++i) depths.depth.push_back(i % 32 < 16 ? 0 : 0.7F + 1e-4F * i);
    document().fit.addIntermediateDepths({depths});
    ASSERT_TRUE(waitUntil([&] { return !large.depth().isNull(); }));
    EXPECT_FALSE(large.showsDepth());
    EXPECT_NEAR(coloured(), without, 0.02);
    QTest::keyClick(&large, Qt::Key_D);
    EXPECT_TRUE(large.showsDepth());
    EXPECT_GT(coloured(), without + 0.2);
    EXPECT_FALSE(large.depth().isConsistent);

    const ResultRef before = document().result.current()->fitted()->before;
    FittedSample fitted = test::sampleWithDepth();
    fitted.fit->hullFit->depth->maps = {depths};
    document().result.set(withFit(before, document().fit.choice(), std::move(fitted)));
    ASSERT_TRUE(waitUntil([&] { return large.depth().isConsistent; }));
    EXPECT_TRUE(large.showsDepth());
    QTest::keyClick(&large, Qt::Key_D);
    EXPECT_NEAR(coloured(), without, 0.02);
    // For a view without a depth map, the viewer shows no depth.
    QTest::keyClick(window().input().viewSlots().tiles().at(0), Qt::Key_Z);
    EXPECT_TRUE(waitUntil([&] { return large.depth().isNull(); }));
}

TEST_F(WindowFit, removesItsPane_whenTurnedOff) {
    ASSERT_TRUE(openAndFit());
    EXPECT_TRUE(action("Fit to photographs")->isChecked());
    trigger("Fit to photographs");
    EXPECT_EQ(document().result.current()->mesh(MeshId::fitted), nullptr);
    EXPECT_EQ(viewport().cameras().count(), 2U);
    newWindow();  // restores the choice from the settings
    EXPECT_FALSE(document().fit.choice().on);
    EXPECT_EQ(document().fit.choice().views, FitViews::Kind::chosen);
}

TEST_F(WindowFit, usesTheHullOfRenderings_whenItAgreesBetter) {
    ASSERT_TRUE(openAndFit(FitViews::Kind::all));
    const Result& result = *document().result.current();
    EXPECT_TRUE(hasOwnFittedVertices(result));
    EXPECT_FALSE(result.mesh(MeshId::hull));  // no depth search for renderings
    EXPECT_THAT(child<QLabel>(window().inspector(), "fit").text().toStdString(),
                testing::HasSubstr("Chose the photographs' hull: on the "));
}

TEST_F(WindowFit, keepsFitsFromDifferentStarts_inTheListOfResults) {
    ASSERT_TRUE(openAndFit());
    trigger("Hull");
    ASSERT_TRUE(waitUntilFitted());
    const ResultRef hull = document().result.current();
    ResultsList& results = *window().findChild<ResultsList*>();
    QListWidget& list = child<QListWidget>(results, "list");
    QToolButton& header = child<QToolButton>(results, "header");
    header.setChecked(true);
    ASSERT_EQ(list.count(), 2);
    EXPECT_THAT(list.item(0)->text().toStdString(), testing::HasSubstr(" · hull · "));
    EXPECT_THAT(list.item(1)->text().toStdString(), testing::HasSubstr(" · network · "));
    // Opening a listed result shows its mesh without fitting again.
    list.setCurrentRow(1);
    QTest::keyClick(&list, Qt::Key_Return);
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != hull; }));
    EXPECT_FALSE(hasOwnFittedVertices(*document().result.current()));
    EXPECT_FALSE(document().fit.isPending());
    EXPECT_EQ(list.count(), 2);
    settle();
}

TEST_F(WindowFit, drawsMissedTruth_andGivesItsFraction) {
    ASSERT_TRUE(openAndFit(FitViews::Kind::all));
    const Result& result = *document().result.current();
    const MissedTruth& missed =
        result.evaluation()->missed.at(result.morph.stageIndex(MeshId::result).value());
    // FakeBackend's mesh does not resemble the sample, so it misses some of the truth.
    ASSERT_TRUE(missed.points);
    EXPECT_NEAR(missed.fraction,
                static_cast<double>(missed.points->vertices.size()) /
                    static_cast<double>(result.truth->points->vertices.size()),
                1e-9);
    EXPECT_LT(result.evaluation()->missed.back().fraction, missed.fraction);
    const auto isDrawn = [&] {
        const render::Scene scene =
            makeScene(window().shownDocument(), themeColours(Theme::light), nullptr);
        return std::ranges::any_of(scene.panes, [&](const render::Pane& pane) {
            return std::ranges::any_of(pane.layers, [&](const render::Layer& layer) {
                return layer.mesh == missed.points;
            });
        });
    };
    EXPECT_TRUE(isDrawn());
    document().look.change([](Look& look) { look.quantity = Quantity::normals; });
    EXPECT_FALSE(isDrawn());
    const int percent = qRound(100 * result.evaluation()->missed.back().fraction);
    EXPECT_EQ(child<QLabel>(window().inspector(), "missed").isHidden(), percent < 1);
}

TEST_F(WindowFit, startsFromTheHullOrNot_asChosenInTheMenu) {
    ASSERT_TRUE(openAndFit());
    EXPECT_TRUE(action("Automatic")->isChecked());
    // From three photographs, `Automatic` starts from the network's mesh.
    EXPECT_FALSE(hasOwnFittedVertices(*document().result.current()));
    trigger("Hull");
    EXPECT_FALSE(document().result.current()->mesh(MeshId::fitted));
    ASSERT_TRUE(waitUntilFitted());
    EXPECT_TRUE(hasOwnFittedVertices(*document().result.current()));
    newWindow();  // restores the choice from the settings
    EXPECT_TRUE(action("Hull")->isChecked());
    trigger("Network");
    EXPECT_EQ(document().fit.choice().source, FitSource::network);
    EXPECT_FALSE(action("Hull")->isChecked());
}

TEST_F(WindowFit, leavesOutAView_whenItCannotBeRead) {
    ASSERT_TRUE(openAndFit(FitViews::Kind::all, test::sampleWithBrokenView(folder(), 3)));
    EXPECT_THAT(status(), testing::HasSubstr("view 3: "));
}

TEST_F(WindowFit, keepsTheRefinedMesh_whenCancelled) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    setFit();
    ASSERT_TRUE(document().fit.isPending());
    QSignalSpy ended(&fitRunner(), &FitRunner::ended);
    Q_EMIT window().statusLine().cancelClicked();
    EXPECT_EQ(ended.count(), 1);
    EXPECT_FALSE(document().fit.isPending());
    EXPECT_EQ(viewport().cameras().count(), 2U);
    EXPECT_FALSE(document().result.current()->mesh(MeshId::fitted));
    EXPECT_THAT(status(), testing::HasSubstr("the network's mesh is kept"));
    // A pane of the fitted mesh says why it is empty.
    document().look.change([](Look& look) { look.panes = {MeshId::result, MeshId::fitted}; });
    EXPECT_EQ(headerText({document()}, MeshId::fitted).title,
              "Fit cancelled; see the refined mesh");
}

TEST_F(WindowFit, isReplaced_whenAnotherRequestFollows) {
    setFit();
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const render::SceneMeshRef first = document().result.current()->mesh(MeshId::result);
    window().opener().reconstruct();
    ASSERT_TRUE(waitUntil([&] {
        return document().result.current()->mesh(MeshId::result) != first &&
               document().result.current()->mesh(MeshId::fitted);
    }));
    EXPECT_FALSE(document().fit.isPending());
    const ResultRef fitted = document().result.current();
    QTest::qWait(50);  // time in which an older fit would replace the result
    EXPECT_EQ(document().result.current(), fitted);
}

TEST_F(WindowFit, beginsAnew_whenTheInterruptingRequestFails) {
    setFit(FitViews::Kind::all);
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    network().failNext = true;
    window().opener().reconstruct();
    ASSERT_TRUE(waitUntil([&] { return window().banner().isVisible(); }));
    EXPECT_TRUE(waitUntilFitted());
    EXPECT_EQ(network().completed, 1);
}

TEST_F(WindowFit, waitsForAPause_inLiveUpdate) {
    ASSERT_TRUE(openAndFit());
    window().findChild<LiveUpdate*>()->setOn(true);
    QSignalSpy fitted(&fitRunner(), &FitRunner::fitted);
    const auto& tiles = window().input().strip().tiles();
    tiles[8]->setFocus();
    for (std::size_t view = 8; view < 20; ++view) QTest::keyClick(tiles[view], Qt::Key_Right);
    ASSERT_TRUE(waitUntil([&] { return fitted.count() > 0; }));
    EXPECT_EQ(fitted.count(), 1);
    EXPECT_EQ(document().result.current()->views, (std::vector{20, 6, 7}));
}

TEST_F(WindowFit, addsAStopToTheSlider_onlyWhenThereIsAFit) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const int before = slider().maximum();
    EXPECT_EQ(before, 5 * StageSlider::kStep);
    setFit();
    ASSERT_TRUE(waitUntilFitted());
    EXPECT_EQ(slider().maximum(), 6 * StageSlider::kStep);
    EXPECT_EQ(document().look.current().morphPosition, kMorphFitted);
    slider().setFocus();
    QTest::keyClick(&slider(), Qt::Key_Home);
    EXPECT_LT(document().look.current().morphPosition, kMorphResult);
    QTest::keyClick(&slider(), Qt::Key_End);
    EXPECT_EQ(document().look.current().morphPosition, kMorphFitted);
    EXPECT_EQ(headers().second().title(), "Refined");  // the fitted mesh has its own pane
    document().look.change([](Look& look) { look.paneLayout = PaneLayout::wipe; });
    EXPECT_EQ(headers().second().title(), "Fitted");
    EXPECT_EQ(meshOf(document(), MeshId::result),
              document().result.current()->mesh(MeshId::fitted));
    document().fit.setChoice({});
    EXPECT_EQ(slider().maximum(), before);
    EXPECT_EQ(slider().value(), before);
    EXPECT_EQ(headers().second().title(), "Refined");
    settle();
}

TEST_F(WindowFit, movesTheSliderToTheFittedMesh_unlessTheUserChoseAStage) {
    ASSERT_TRUE(openAndFit());
    EXPECT_EQ(document().look.current().morphPosition, kMorphFitted);
    EXPECT_EQ(slider().value(), 6 * StageSlider::kStep);
    // Slot outlines and picking now use the fitted mesh.
    auto& outlines = *window().findChild<SlotOutlines*>();
    EXPECT_EQ(outlines.mesh(), document().result.current()->mesh(MeshId::fitted));
    trigger(Qt::Key_N);
    ASSERT_TRUE(waitUntil([&] { return document().pointed.marked().has_value(); }));
    EXPECT_EQ(document().pointed.marked()->id, MeshId::fitted);
    // A stage that the user chose stays selected when a fit ends.
    document().look.change([](Look& look) { look.morphPosition = test::kMorphTemplate; });
    document().fit.setChoice({true, FitViews::Kind::all});
    ASSERT_TRUE(waitUntilFitted());
    EXPECT_EQ(document().look.current().morphPosition, test::kMorphTemplate);
    settle();
}

TEST_F(WindowFit, showsTheOverlapOfBothMeshes_inTheSlots) {
    ASSERT_TRUE(openAndFit());
    document().look.change([](Look& look) { look.morphPosition = kMorphResult; });
    ViewTile* slot = window().input().viewSlots().tiles()[0];
    EXPECT_TRUE(waitUntil([&] { return slot->note().contains(QStringLiteral(" → ")); }))
        << slot->note().toStdString();
    // The slot shows the overlaps that the fit measured in the original photograph.
    const FitAgreement& known =
        document().result.current()->fitted()->fit.result->agreements.front();
    ASSERT_EQ(known.view, window().input().model().selection().views().front());
    EXPECT_EQ(slot->note(), QStringLiteral("IoU %1 → %2")
                                .arg(known.before.overlap, 0, 'f', 2)
                                .arg(known.after.overlap, 0, 'f', 2));
    auto& outlines = *window().findChild<SlotOutlines*>();
    outlines.setOutlined(MeshId::fitted);
    EXPECT_EQ(outlines.mesh(), document().result.current()->mesh(MeshId::fitted));
    EXPECT_TRUE(waitUntil([&] { return !slot->note().contains(QStringLiteral(" → ")); }));
    EXPECT_THAT(slot->note().toStdString(), testing::StartsWith("IoU "));
    document().fit.setChoice({});
    EXPECT_EQ(outlines.mesh(), document().result.current()->mesh(MeshId::result));
}

TEST_F(WindowFit, showsDifferencesOnlyInHeaders_whenTheWindowIsNarrow) {
    ASSERT_TRUE(openAndFit());
    const auto differences = [&] {
        int shown = 0;
        for (QLabel* label : window().inspector().measures().findChildren<QLabel*>())
            if (label->isVisible() && label->text() == QStringLiteral("Δ")) ++shown;
        return shown;
    };
    window().resize(1600, 800);
    EXPECT_TRUE(waitUntil([&] { return differences() == 2; }));
    window().resize(1024, 700);
    EXPECT_TRUE(waitUntil([&] { return differences() == 0; }));
    const QSize small(800, 560);
    window().resize(small);
    EXPECT_TRUE(waitUntil([&] { return window().size() == small; }));
    document().fit.setChoice({});
    EXPECT_EQ(differences(), 1);  // the column Δ of the refined mesh
}

TEST_F(WindowFit, keepsTheInspectorsWidth_whenColumnsChange) {
    window().resize(1600, 960);
    const QWidget& side = *window().inspector().parentWidget()->parentWidget();
    settle();
    std::set<int> widths{side.width()};
    document().fit.setChoice({true, FitViews::Kind::all, FitSource::hull});
    window().opener().openSample(bundledPhotographs().front());
    ASSERT_TRUE(waitUntil([&] {
        widths.insert(side.width());
        return document().result.current() && document().result.current()->mesh(MeshId::fitted);
    }));
    settle();
    widths.insert(side.width());
    EXPECT_EQ(widths.size(), 1U) << *widths.begin() << " to " << *widths.rbegin();
}

TEST_F(WindowFit, framesTheFittedMesh_unlessTheCameraWasMoved) {
    const auto mostOutside = [&] {
        float max = 0;
        const render::OrbitCamera& camera = viewport().cameras().camera(0);
        for (const glm::vec3& point : document().result.current()->mesh(MeshId::fitted)->vertices) {
            const glm::vec4 clip = camera.toClipSpace(point, viewport().cameras().paneSize());
            max = std::max({max, std::abs(clip.x / clip.w), std::abs(clip.y / clip.w)});
        }
        return max;
    };
    ASSERT_TRUE(openAndFit());
    EXPECT_LE(mostOutside(), 0.8601F);
    EXPECT_FALSE(viewport().camerasMovedByUser());
    const render::OrbitCamera framed = viewport().cameras().camera(0);
    viewport().frameMeshes();
    EXPECT_EQ(viewport().cameras().camera(0), framed);
    drag({100, 100}, {160, 120});
    const render::OrbitCamera moved = viewport().cameras().camera(0);
    setFit(FitViews::Kind::all);
    ASSERT_TRUE(waitUntilFitted());
    EXPECT_EQ(viewport().cameras().camera(0), moved);
}

TEST_F(WindowFit, cutsNoHeader_whenPanesAreNarrow) {
    window().resize(1024, 700);
    ASSERT_TRUE(openAndFit());
    document().look.set({.truthPane = true});
    settle();
    int shown = 0;
    for (const PaneHeader* header : headers().findChildren<PaneHeader*>()) {
        if (!header->isVisible()) continue;
        ++shown;
        for (const QLabel* label : header->findChildren<QLabel*>()) {
            EXPECT_FALSE(label->text().isEmpty());
            EXPECT_LE(label->sizeHint().width(), label->width()) << label->text().toStdString();
        }
    }
    EXPECT_EQ(shown, 4);
}

// At 1280 pixels the Δ columns just fit; they appear only when the resize has finished.
TEST_F(WindowFit, cutsNoColumnOfTheMeasures_whenTheWindowGrows) {
    window().resize(1264, 700);
    ASSERT_TRUE(openAndFit());
    settle();
    window().resize(1280, 720);
    ASSERT_TRUE(waitUntil([&] { return window().width() == 1280; }));
    settle();
    for (const QScrollArea* side : window().findChildren<QScrollArea*>()) {
        if (!side->isVisible() || side->widget() == nullptr) continue;
        EXPECT_GE(side->viewport()->width(), side->widget()->minimumSizeHint().width())
            << side->accessibleName().toStdString();
    }
}

TEST_F(WindowFit, cutsNoCaption_inTheNarrowestWindow) {
    ASSERT_TRUE(openAndFit());
    window().resize(window().minimumSizeHint());
    settle();
    for (const QLabel* label : window().findChild<Legend*>()->findChildren<QLabel*>())
        EXPECT_FALSE(label->isVisible() && label->text().endsWith(QChar(0x2026)))
            << label->text().toStdString();
}

}  // namespace
}  // namespace threefold::ui
