#include <gtest/gtest.h>

#include <QDockWidget>
#include <QLabel>
#include <QSplitter>
#include <QTabBar>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include "tests/ui/window_fixture.h"
#include "ui/input/input_panel.h"
#include "ui/inspect/inspector.h"
#include "ui/inspect/measures_table.h"
#include "ui/shell/actions.h"

namespace threefold::ui {
namespace {

class WindowSpace : public test::WindowTest {
  protected:
    QRect panes() {
        const QPoint at = viewport().mapToGlobal(QPoint()) - window().mapToGlobal(QPoint());
        return {at, viewport().size()};
    }
    void resizeTo(QSize size) {
        // The resize is repeated, since the window manager may not know the new minimum size yet.
        ASSERT_TRUE(waitUntil([&] {
            window().resize(size);
            return window().size() == size;
        }));
        settle();
    }
};

TEST_F(WindowSpace, leavesThePanes400Pixels_besideADock) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    for (const QSize size : {QSize(1600, 1000), QSize(1024, 700)}) {
        resizeTo(size);
        const int before = panes().height();
        trigger(Qt::Key_F10);
        EXPECT_TRUE(waitUntil([&] { return panes().height() < before || size.height() < 800; }));
        settle();
        EXPECT_GE(panes().height(), 400) << size.height();
        EXPECT_EQ(window().size(), size);
        trigger(Qt::Key_F10);
        EXPECT_TRUE(waitUntil([&] { return panes().height() == before; })) << panes().height();
    }
}

TEST_F(WindowSpace, letsTheWindowShrink_besideADock) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    resizeTo({1600, 1000});
    trigger(Qt::Key_F10);
    settle();
    for (const QSize size : {QSize(1600, 700), QSize(1600, 1000), QSize(1024, 700)}) {
        window().resize(size);
        settle();
        EXPECT_EQ(window().size(), size);
        EXPECT_GE(panes().height(), 400);
    }
}

TEST_F(WindowSpace, growsTheInputMoreThanTheDataSet_whenTheWindowIsHigher) {
    QSplitter* side = nullptr;
    for (auto* splitter : window().findChildren<QSplitter*>())
        if (splitter->orientation() == Qt::Vertical &&
            splitter->isAncestorOf(window().findChild<InputPanel*>()))
            side = splitter;
    ASSERT_NE(side, nullptr);
    resizeTo({1600, 800});
    const QList<int> low = side->sizes();
    resizeTo({1600, 1200});
    const QList<int> high = side->sizes();
    ASSERT_EQ(high.size(), 2);
    EXPECT_GT(high[1], low[1]);
    EXPECT_GT(high[0] - low[0], 2 * (high[1] - low[1]));
}

TEST_F(WindowSpace, hidesNoTool_at1024Pixels) {
    resizeTo({1024, 700});
    QToolBar& bar = *window().findChild<QToolBar*>("tools");
    const auto* more = bar.findChild<QToolButton*>("qt_toolbar_ext_button");
    ASSERT_NE(more, nullptr);
    EXPECT_FALSE(more->isVisible());
    for (QAction* tool : bar.actions()) {
        const QWidget* button = bar.widgetForAction(tool);
        if (tool->isVisible() && qobject_cast<const QToolButton*>(button) != nullptr) {
            EXPECT_TRUE(button->isVisible()) << tool->text().toStdString();
            EXPECT_FALSE(button->accessibleName().isEmpty() &&
                         qobject_cast<const QToolButton*>(button)->text().isEmpty())
                << tool->text().toStdString();
        }
    }
}

TEST_F(WindowSpace, foldsTheInspectorIntoTabs_whenItsSectionsDoNotFit) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    resizeTo({1600, 1000});
    Inspector& inspector = window().inspector();
    EXPECT_FALSE(child<QTabBar>(inspector, "sections").isVisible());
    EXPECT_TRUE(inspector.measures().isVisible());
    EXPECT_TRUE(child<QLabel>(inspector, "stepsHeading").isVisible());
    resizeTo({1024, 700});
    EXPECT_TRUE(child<QTabBar>(inspector, "sections").isVisible());
    EXPECT_TRUE(inspector.measures().isVisible());
    EXPECT_FALSE(child<QLabel>(inspector, "stepsHeading").isVisible());
    // The first section is completely visible.
    EXPECT_EQ(inspector.plot().visibleRegion().boundingRect().size(), inspector.plot().size());
    auto& tabs = child<QTabBar>(inspector, "sections");
    tabs.setFocus();
    for (int i = 0; i < tabs.count() && !child<QLabel>(inspector, "stepsHeading").isVisible(); ++i)
        QTest::keyClick(&tabs, Qt::Key_Right);
    EXPECT_TRUE(child<QLabel>(inspector, "stepsHeading").isVisible());
    EXPECT_FALSE(inspector.measures().isVisible());
    EXPECT_EQ(tabs.tabText(tabs.currentIndex()), "Steps");
    resizeTo({1600, 1000});
    EXPECT_TRUE(inspector.measures().isVisible());
}

TEST_F(WindowSpace, doesNotMoveThePanes_whenARunStartsAndEnds) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    for (const QSize size : {QSize(1600, 1000), QSize(1024, 700)}) {
        resizeTo(size);
        const QRect before = panes();
        network().held = RunStep::cnn1;
        window().opener().reconstruct();
        ASSERT_TRUE(waitUntil([&] { return document().run.state().isReconstructing(); }));
        settle();
        EXPECT_EQ(panes(), before);
        network().held = RunStep::block1;
        ASSERT_TRUE(waitUntil([&] { return document().run.state().partial() != nullptr; }));
        settle();
        EXPECT_EQ(panes(), before);
        network().held = RunStep::load;
        ASSERT_TRUE(waitUntil([&] { return !document().run.state().isReconstructing(); }));
        settle();
        EXPECT_EQ(panes(), before);
    }
}

TEST_F(WindowSpace, fitsTheMeshesAgain_whenTheWindowChanges_unlessTheUserTurnedThem) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    resizeTo({1600, 1000});
    const float wide = viewport().cameras().camera(0).distance;
    resizeTo({1024, 700});
    const float narrow = viewport().cameras().camera(0).distance;
    EXPECT_GT(narrow, wide);
    viewport().frameMeshes();
    EXPECT_FLOAT_EQ(viewport().cameras().camera(0).distance, narrow);
    drag({100, 100}, {160, 100});
    resizeTo({1600, 1000});
    EXPECT_FLOAT_EQ(viewport().cameras().camera(0).distance, narrow);
}

}  // namespace
}  // namespace threefold::ui
