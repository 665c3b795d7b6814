#include <gtest/gtest.h>

#include <QAction>
#include <QDoubleSpinBox>
#include <QMenu>
#include <QTest>
#include <QToolButton>

#include "tests/ui/window_fixture.h"
#include "ui/inspect/inspector.h"
#include "ui/inspect/legend.h"
#include "ui/inspect/legend_bar.h"
#include "ui/inspect/measures_table.h"
#include "ui/inspect/quantity_menu.h"
#include "ui/inspect/threshold_plot.h"
#include "ui/inspect/value_range_controls.h"
#include "ui/results/quantities.h"

namespace threefold::ui {
namespace {

class WindowQuantities : public test::WindowTest {
  protected:
    Legend& legend() { return *window().findChild<Legend*>(); }
    QuantityMenu& menu() { return *window().findChild<QuantityMenu*>(); }
    const Look& look() { return document().look.current(); }

    void dragHandle(ValueRangeHandle& handle, int by) {
        const QPoint middle = handle.rect().center();
        QTest::mousePress(&handle, Qt::LeftButton, {}, middle);
        // The handle follows the mouse, so each step is relative to its new position.
        const int step = by > 0 ? 4 : -4;
        for (int moved = 0; moved != by; moved += step) {
            QTest::mouseMove(&handle, middle + QPoint(step, 0));
        }
        QTest::mouseRelease(&handle, Qt::LeftButton, {}, middle);
    }
};

TEST_F(WindowQuantities, areChosenInTheToolBar) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_EQ(child<QToolButton>(window(), "quantity").text(), "Distance to truth ▾");
    const QImage distance = picture();
    menu().action(Quantity::entropy)->trigger();
    EXPECT_EQ(look().quantity, Quantity::entropy);
    EXPECT_GT(test::difference(distance, picture()), 0.01);
    EXPECT_EQ(child<QToolButton>(window(), "quantity").text(), "Uncertainty (entropy) ▾");
    EXPECT_TRUE(menu().action(Quantity::entropy)->isChecked());
    EXPECT_TRUE(child<QToolButton>(legend(), "mode").isVisible());
}

TEST_F(WindowQuantities, areDisabledWithTheReason_whenUnavailable) {
    EXPECT_FALSE(menu().action(Quantity::curvature)->isEnabled());
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    for (const Quantity quantity : kAllQuantities) {
        // Needs an opened mesh.
        if (quantity == Quantity::ownColours || quantityInfo(quantity).isFromFile) continue;
        if (quantityInfo(quantity).needsTruthSurface) continue;  // needs a truth with faces
        EXPECT_TRUE(menu().action(quantity)->isEnabled()) << static_cast<int>(quantity);
    }
    document().result.set(
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fakeReconstruction()));
    EXPECT_FALSE(menu().action(Quantity::distanceFromTruth)->isEnabled());
    EXPECT_TRUE(menu().action(Quantity::distanceFromTruth)->toolTip().contains("truth"));
    EXPECT_TRUE(child<QToolButton>(window(), "quantity").menu()->toolTipsVisible());
}

TEST_F(WindowQuantities, readDigitsTypedOnAHandle_asItsValue) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const auto view = [&] { return viewport().cameras().camera(0).viewMatrix(); };
    const glm::mat4 before = view();
    window().activateWindow();
    legend().bar(0).highHandle().setFocus();
    for (const Qt::Key key : {Qt::Key_0, Qt::Key_Period, Qt::Key_0, Qt::Key_3, Qt::Key_Return}) {
        QWidget* focus = window().focusWidget();
        ASSERT_NE(focus, nullptr);
        QTest::keyClick(focus, key);
    }
    EXPECT_NEAR(look().rangeMax, 0.03F, 1e-6F);
    EXPECT_EQ(look().range, RangeMode::custom);
    legend().bar(0).highHandle().setFocus();
    QTest::keyClick(&legend().bar(0).highHandle(), Qt::Key_3);
    EXPECT_EQ(view(), before);
}

TEST_F(WindowQuantities, areSteppedThroughByKey_likeColourMaps) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    QWidget* focus = &legend().bar(0).lowHandle();
    focus->setFocus();
    QTest::keyClick(focus, Qt::Key_Q);
    EXPECT_EQ(look().quantity, Quantity::distanceFromTruth);
    QTest::keyClick(focus, Qt::Key_Q, Qt::ShiftModifier);
    QTest::keyClick(focus, Qt::Key_Q, Qt::ShiftModifier);
    EXPECT_EQ(look().quantity, Quantity::none);
    QTest::keyClick(&window(), Qt::Key_Q);
    EXPECT_EQ(look().quantity, Quantity::distanceToTruth);
    const render::ColourMap map = look().map;
    QTest::keyClick(&window(), Qt::Key_M);
    EXPECT_NE(look().map, map);
    QTest::keyClick(&window(), Qt::Key_G);
    EXPECT_EQ(look().scale, render::ValueScale::logarithmic);
    EXPECT_TRUE(child<QAction>(legend(), "logarithmic").isChecked());
    EXPECT_EQ(child<QToolButton>(legend(), "mode").text(), "Automatic · log ▾");
}

TEST_F(WindowQuantities, haveADraggedRange_untilADoubleClick) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ValueRange before = valueRange(window().shownDocument(), MeshId::result);
    ValueRangeHandle& high = legend().bar(0).highHandle();
    const int at = high.x();
    dragHandle(high, -120);
    EXPECT_EQ(look().range, RangeMode::custom);
    const ValueRange after = valueRange(window().shownDocument(), MeshId::result);
    EXPECT_LT(after.max, before.max);
    EXPECT_EQ(after.min, before.min);
    EXPECT_LT(high.x(), at);
    EXPECT_EQ(child<QToolButton>(legend(), "mode").text(), "Manual ▾");

    dragHandle(legend().bar(0).lowHandle(), 40);
    EXPECT_GT(valueRange(window().shownDocument(), MeshId::result).min, before.min);
    EXPECT_EQ(valueRange(window().shownDocument(), MeshId::result).max, after.max);

    QTest::mouseDClick(&high, Qt::LeftButton, {}, high.rect().center());
    QTest::mouseRelease(&high, Qt::LeftButton, {}, high.rect().center());
    EXPECT_EQ(look().range, RangeMode::shared);
    EXPECT_EQ(valueRange(window().shownDocument(), MeshId::result), before);
}

TEST_F(WindowQuantities, haveARangeByKeyboard_steppedOrTyped) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ValueRangeHandle& high = legend().bar(0).highHandle();
    high.setFocus();
    const float before = valueRange(window().shownDocument(), MeshId::result).max;
    QTest::keyClick(&high, Qt::Key_Left);
    const float stepped = valueRange(window().shownDocument(), MeshId::result).max;
    EXPECT_LT(stepped, before);
    QTest::keyClick(&high, Qt::Key_Left, Qt::ShiftModifier);
    EXPECT_LT(valueRange(window().shownDocument(), MeshId::result).max, stepped);
    EXPECT_TRUE(high.accessibleName().startsWith("Highest value of the colours: "));

    QTest::keyClick(&high, Qt::Key_Return);
    QDoubleSpinBox& field = child<QDoubleSpinBox>(legend(), "high");
    ASSERT_TRUE(waitUntil([&] { return field.hasFocus(); }));
    field.selectAll();
    QTest::keyClicks(&field, "0.05");
    QTest::keyClick(&field, Qt::Key_Return);
    EXPECT_FLOAT_EQ(valueRange(window().shownDocument(), MeshId::result).max, 0.05F);
    EXPECT_TRUE(high.hasFocus());
    QTest::keyClick(&high, Qt::Key_Delete);
    EXPECT_EQ(look().range, RangeMode::shared);
}

TEST_F(WindowQuantities, haveABarForEachPane_whenEachPaneHasItsRange) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_FALSE(legend().bar(1).isVisible());
    Look perPane = look();
    perPane.range = RangeMode::perPane;
    document().look.set(perPane);
    EXPECT_TRUE(legend().bar(1).isVisible());
    EXPECT_GT(legend().bar(1).x(), legend().bar(0).x());
    const float first = legend().bar(0).axis().max, second = legend().bar(1).axis().max;
    EXPECT_NE(first, second);
    // Bars are in the order of the panes; panes without values have none.
    perPane.swapped = true;
    document().look.set(perPane);
    EXPECT_EQ(legend().bar(0).axis().max, second);
    EXPECT_EQ(legend().bar(1).axis().max, first);
    perPane.swapped = false;
    perPane.panes = {MeshId::truth, MeshId::result};
    document().look.set(perPane);
    EXPECT_EQ(legend().bar(0).axis().max, second);
    EXPECT_FALSE(legend().bar(1).isVisible());
}

TEST_F(WindowQuantities, nameThePercentile_asAnEnglishOrdinal) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    Look changed = look();
    const double tail = quantityInfo(changed.quantity).tailFactor;
    for (const auto& [fraction, words] :
         {std::pair(0.91, "the 91st percentile"), std::pair(0.92, "the 92nd percentile"),
          std::pair(0.93, "the 93rd percentile"), std::pair(0.99, "the 99th percentile")}) {
        changed.upperQuantile = static_cast<float>(1 - (1 - fraction) / tail);
        document().look.set(changed);
        EXPECT_TRUE(waitUntil([&, words = words] { return legend().caption().contains(words); }))
            << legend().caption().toStdString();
    }
}

TEST_F(WindowQuantities, areCentredOnZero_whenSigned) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    menu().action(Quantity::curvature)->trigger();
    const LegendBar& bar = legend().bar(0);
    EXPECT_FLOAT_EQ(bar.axis().min, -bar.axis().max);
    EXPECT_EQ(bar.axis().map, render::ColourMap::coolWarm);
    EXPECT_FALSE(child<QAction>(legend(), "logarithmic").isEnabled());
    dragHandle(legend().bar(0).highHandle(), -40);
    const ValueRange range = valueRange(window().shownDocument(), MeshId::result);
    EXPECT_FLOAT_EQ(range.min, -range.max);
}

TEST_F(WindowQuantities, showFScores_atTheThresholdOfMouseOrArrowKeys) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ThresholdPlot& plot = window().inspector().plot();
    ASSERT_TRUE(plot.isVisible());
    EXPECT_EQ(plot.readout(), "");
    QTest::mouseMove(&plot, QPoint(plot.width() / 3, 20));
    ASSERT_TRUE(waitUntil([&] { return !plot.readout().isEmpty(); }));
    EXPECT_TRUE(plot.readout().contains("refined")) << plot.readout().toStdString();
    plot.setFocus();
    const QString atTau = plot.readout();
    EXPECT_TRUE(atTau.contains("1.00e-4")) << atTau.toStdString();
    QTest::keyClick(&plot, Qt::Key_Right);
    EXPECT_NE(plot.readout(), atTau);
}

}  // namespace
}  // namespace threefold::ui
