#include <gtest/gtest.h>

#include <QTest>
#include <QWindow>

#include "tests/ui/window_fixture.h"

namespace threefold::ui {
namespace {

class ViewportRobustness : public test::WindowTest {
  protected:
    void expectBothMeshes() {
        const QImage shown = picture();
        EXPECT_EQ(shown.size(), viewport().size() * viewport().devicePixelRatio());
        const int half = shown.width() / 2;
        EXPECT_GT(test::mapFraction(shown.copy(0, 0, half, shown.height())), 0.03);
        EXPECT_GT(test::mapFraction(shown.copy(half, 0, half, shown.height())), 0.03);
    }
    void toggleShading() {
        Look look = window().document().look.current();
        look.shading = look.shading == render::Shading::smooth ? render::Shading::flat
                                                               : render::Shading::smooth;
        window().document().look.set(look);
    }
};

TEST_F(ViewportRobustness, draws_afterManyQuickResizes) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    for (int i = 0; i < 60; ++i) {
        window().resize(900 + 97 * i % 500, 600 + 61 * i % 300);
        QTest::qWait(i % 3);  // so that some sizes are drawn, and some skipped
    }
    window().resize(1150, 780);
    EXPECT_TRUE(waitUntil([&] { return window().size() == QSize(1150, 780); }));
    expectBothMeshes();
}

TEST_F(ViewportRobustness, drawsAgain_whenItWasHidden) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const QObject here;
    quint64 presented = 0;
    QObject::connect(&viewport(), &Viewport::presented, &here,
                     [&](quint64 serial) { presented = serial; });
    for (int i = 0; i < 3; ++i) {
        window().hide();
        EXPECT_TRUE(waitUntil([&] { return !viewport().isExposed(); }));
        const quint64 newest = viewport().newestSerial();  // this frame may still be presented
        toggleShading();
        QTest::qWait(50);  // time in which a frame of the hidden window would come
        EXPECT_LE(presented, newest);
        window().show();
        EXPECT_TRUE(waitUntil([&] { return viewport().isExposed(); }));
    }
    expectBothMeshes();
}

TEST_F(ViewportRobustness, drawsAgain_whenItWasMinimised) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    window().showMinimized();
    // isMinimized() changes immediately; the window manager hides the window later.
    const QWindow& handle = *window().windowHandle();
    EXPECT_TRUE(waitUntil([&] { return window().isMinimized() && !handle.isExposed(); }));
    toggleShading();
    window().showNormal();
    EXPECT_TRUE(waitUntil(
        [&] { return !window().isMinimized() && handle.isExposed() && viewport().isExposed(); }));
    expectBothMeshes();
}

TEST_F(ViewportRobustness, drawsAFrame_whenItComesToAnotherScreen) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    settle();
    const auto frames = viewport().framesPresented();
    Q_EMIT viewport().screenChanged(viewport().screen());
    EXPECT_TRUE(waitUntil([&] { return viewport().framesPresented() > frames; }));
}

TEST_F(ViewportRobustness, presentsNothingForASecond_whenIdle) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    settle();
    expectNoFrameFor(1000);
}

}  // namespace
}  // namespace threefold::ui
