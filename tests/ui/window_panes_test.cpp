#include <gtest/gtest.h>

#include <QScrollArea>
#include <QTest>

#include "tests/ui/window_fixture.h"
#include "ui/inspect/inspector.h"

namespace threefold::ui {
namespace {

class WindowPanes : public test::WindowTest {};

TEST_F(WindowPanes, fitIntoASmallWindow) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    for (const QSize size : {QSize(800, 560), QSize(1000, 640)}) {
        window().resize(size);
        EXPECT_TRUE(waitUntil([&] { return window().size() == size; }))
            << window().width() << " × " << window().height();
        EXPECT_GT(test::mapFraction(picture()), 0.01);
        // The side panels scroll only vertically: nothing is cut off at the right.
        for (const QScrollArea* side : window().findChildren<QScrollArea*>()) {
            if (!side->isVisible() || side->widget() == nullptr) continue;
            EXPECT_LE(side->widget()->width(), side->viewport()->width());
            EXPECT_GE(side->viewport()->width(), side->widget()->minimumSizeHint().width())
                << side->accessibleName().toStdString();
        }
    }
}

// From the reference view's camera the fake network's sphere hides the photograph's middle only.
TEST_F(WindowPanes, showThePhotographBehind_onlyFromItsCamera) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    document().look.change([](Look& look) { look.backgroundColour = 0xFFFFFF; });
    const auto settled = [&] {
        settle();
        return picture();
    };
    trigger(QKeySequence(Qt::Key_0));
    const QImage before = settled();
    trigger(QKeySequence(Qt::SHIFT | Qt::Key_I));
    ASSERT_TRUE(waitUntil([&] { return settled() != before; }));
    trigger(QKeySequence(Qt::Key_1));
    const QImage front = settled();
    trigger(QKeySequence(Qt::SHIFT | Qt::Key_I));
    EXPECT_EQ(settled(), front);
    // Showing the cameras' pyramids moves the camera back until all are visible.
    trigger(QKeySequence(Qt::SHIFT | Qt::Key_C));
    EXPECT_NE(settled(), front);
    EXPECT_GT(viewport().cameras().camera(0).distance, 1.0F);
}

TEST_F(WindowPanes, areDrawnAtTheNewSize_afterManyQuickResizes) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    for (int i = 0; i < 60; ++i) {
        window().resize(820 + (i * 97) % 380, 570 + (i * 61) % 300);
        QTest::qWait(i % 7);  // so that some sizes are drawn, and some skipped
    }
    const QSize last(1100, 700);
    window().resize(last);
    EXPECT_TRUE(waitUntil([&] { return window().size() == last; }));
    const QImage shown = picture();
    EXPECT_EQ(shown.size(), viewport().size() * viewport().devicePixelRatio());
    EXPECT_GT(test::mapFraction(shown), 0.02);
}

// The window system may resize the panes after the frame for their new size has been drawn.
TEST_F(WindowPanes, leaveNoGap_afterEachResize) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    for (int i = 1; i <= 6; ++i) {
        const QSize size(900 + 30 * i, 600 + 25 * i);
        window().resize(size);
        ASSERT_TRUE(waitUntil([&] { return window().size() == size; }));
        // On a busy machine the window system resizes the panes later than the window.
        EXPECT_TRUE(waitUntil([&] {
            const QImage shown = picture();
            const QRgb background = shown.pixel(4, 4);
            return shown.pixel(shown.width() - 4, shown.height() - 2) == background &&
                   shown.pixel(shown.width() - 2, shown.height() / 2) == background;
        })) << i;
    }
}

TEST_F(WindowPanes, areDrawnAgain_afterBeingHiddenAndShown) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    for (int i = 0; i < 3; ++i) {
        window().showMinimized();
        QTest::qWait(100);
        window().showNormal();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&window()));
    }
    window().hide();
    window().show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window()));
    EXPECT_GT(test::mapFraction(picture()), 0.05);
}

TEST_F(WindowPanes, followTheTheme) {
    window().setTheme(ThemeChoice::light);
    const QColor light = picture().pixelColor(5, 5);
    window().setTheme(ThemeChoice::dark);
    const QColor dark = picture().pixelColor(5, 5);
    EXPECT_GT(light.lightness(), 200);
    EXPECT_LT(dark.lightness(), 60);
}

TEST_F(WindowPanes, useEveryPixel_ofADenseScreen) {
    const QImage shown = picture();
    EXPECT_EQ(shown.size(), viewport().size() * viewport().devicePixelRatio());
    EXPECT_EQ(viewport().devicePixelRatio(), window().devicePixelRatioF());
}

}  // namespace
}  // namespace threefold::ui
