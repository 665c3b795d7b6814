#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "tests/ui/window_fixture.h"
#include "ui/shell/banner.h"
#include "ui/style/widgets.h"
#include "ui/window/shortcuts_sheet.h"

namespace threefold::ui {
namespace {

class Shell : public test::WindowTest {
  protected:
    ShortcutsSheet& sheet() { return *window().findChild<ShortcutsSheet*>(); }
    void activate() {
        window().activateWindow();
        ASSERT_TRUE(waitUntil([&] { return window().isActiveWindow(); }));
        window().setFocus();
    }
};

TEST_F(Shell, listsEveryShortcutOnce) {
    std::map<QString, QString> owners;
    std::vector<const QAction*> listed;
    for (const ShortcutGroup& group : ShortcutsSheet::groups(*window().menuBar())) {
        for (const ShortcutLine& line : group.lines) {
            if (line.action != nullptr) listed.push_back(line.action);
        }
    }
    for (const QAction* action : window().findChildren<QAction*>()) {
        for (const QKeySequence& keys : action->shortcuts()) {
            if (keys.isEmpty()) continue;
            // Shortcuts of a line edit's context menu apply only inside the line edit.
            if (qobject_cast<QLineEdit*>(action->parent()) != nullptr) continue;
            const QString name = keys.toString();
            EXPECT_EQ(owners.count(name), 0U)
                << name.toStdString() << " means " << owners[name].toStdString() << " and "
                << action->text().toStdString();
            owners[name] = action->text();
            EXPECT_NE(std::find(listed.begin(), listed.end(), action), listed.end())
                << action->text().toStdString() << " is not in the sheet";
        }
    }
    EXPECT_GT(owners.size(), 10U);
}

TEST_F(Shell, showsTheShortcuts_fromF1UntilEscape) {
    activate();
    QTest::keyClick(&window(), Qt::Key_F1);
    ASSERT_TRUE(sheet().isVisible());
    const auto all = sheet().lines().size();
    EXPECT_GT(all, 10);
    QTest::keyClicks(&child<QLineEdit>(sheet(), "search"), "reconstruct");
    EXPECT_LT(sheet().lines().size(), all);
    EXPECT_FALSE(sheet().lines().isEmpty());
    QTest::keyClick(&child<QLineEdit>(sheet(), "search"), Qt::Key_Escape);
    EXPECT_FALSE(sheet().isVisible());
    QTest::keyClick(&window(), Qt::Key_F1);
    ASSERT_TRUE(sheet().isVisible());
    QTest::keyClick(&window(), Qt::Key_F1);
    EXPECT_FALSE(sheet().isVisible());
}

TEST_F(Shell, showsSeveralRemarksOnLinesOfTheirOwn_andTheRestInATooltip) {
    Banner& banner = window().banner();
    banner.showRemarks(QStringLiteral("Cameras"), {"First.", "Second.", "Third\nfile."});
    EXPECT_EQ(banner.text().trimmed(), "Cameras: First.\nSecond.\nThird\\nfile.");
    banner.showRemarks(QStringLiteral("Cameras"), {"1.", "2.", "3.", "4.", "5."});
    EXPECT_EQ(banner.text(), "Cameras: 1.\n2.\n3. 2 more: point at this message to read them.");
    const auto hasAllInATooltip = [&] {
        return std::ranges::any_of(banner.findChildren<QLabel*>(), [](const QLabel* label) {
            return label->toolTip() == "Cameras: 1.\n2.\n3.\n4.\n5.";
        });
    };
    EXPECT_TRUE(hasAllInATooltip());
    banner.show({"a file", "", "is missing", ""});
    EXPECT_FALSE(hasAllInATooltip());
}

TEST_F(Shell, wrapsNoShortDescription_inTheSheet) {
    window().resize(1600, 1000);
    activate();
    QTest::keyClick(&window(), Qt::Key_F1);
    ASSERT_TRUE(sheet().isVisible());
    settle();
    int checked = 0;
    for (const QLabel* label : sheet().findChildren<QLabel*>()) {
        if (!label->text().startsWith("Evaluate the whole")) continue;
        ++checked;
        EXPECT_LT(label->height(), 2 * label->fontMetrics().height())
            << label->text().toStdString();
    }
    EXPECT_EQ(checked, 1);
}

TEST_F(Shell, fitsTheRestoredWindowIntoTheScreen) {
    const QRect screen(0, 0, 1280, 800);
    const QRect fitting = fittingGeometry({10, 30, 1600, 1000}, screen);
    EXPECT_TRUE(screen.contains(fitting));
    EXPECT_GT(fitting.width(), 1200);
    EXPECT_GT(fitting.height(), 700);
    EXPECT_TRUE(screen.contains(fittingGeometry({2000, 900, 800, 600}, screen)));
    const QRect inside(100, 100, 800, 600);
    EXPECT_EQ(fittingGeometry(inside, screen), inside);
}

TEST_F(Shell, showsTheLog) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    auto* dock = window().findChild<QDockWidget*>("log");
    const auto* text = dock->findChild<QPlainTextEdit*>();
    ASSERT_TRUE(waitUntil([&] { return text->toPlainText().contains("first picture after"); }));
    activate();
    EXPECT_TRUE(dock->isHidden());
    QTest::keyClick(&window(), Qt::Key_F9);
    EXPECT_TRUE(dock->isVisible());
    QTest::keyClick(&window(), Qt::Key_F9);
    EXPECT_FALSE(dock->isVisible());
}

TEST_F(Shell, doesNotShowTheHintAgain_onceClosed) {
    auto* hint = window().findChild<QWidget*>("firstRunHint");
    ASSERT_NE(hint, nullptr);
    ASSERT_TRUE(hint->isVisible());
    QTest::mouseClick(hint->findChild<QToolButton*>(), Qt::LeftButton);
    EXPECT_FALSE(hint->isVisible());
    useNetwork([] { return oneDevice(nullptr); });
    EXPECT_EQ(window().findChild<QWidget*>("firstRunHint"), nullptr);
}

TEST_F(Shell, showsTheHintUntilClosed_andInOneSessionOnly) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    activate();
    const QRect panes = viewport().geometry();
    for (int i = 0; i < 8; ++i) {
        drag({100, 100}, {120 + i, 110});
        QCoreApplication::processEvents();
    }
    auto* hint = window().findChild<QWidget*>("firstRunHint");
    ASSERT_NE(hint, nullptr);
    EXPECT_TRUE(hint->isVisible());
    EXPECT_EQ(viewport().geometry(), panes);
    EXPECT_TRUE(hint->findChildren<QTimer*>().isEmpty());  // no timer hides the hint
    newWindow();
    EXPECT_EQ(window().findChild<QWidget*>("firstRunHint"), nullptr);
}

TEST_F(Shell, followsTheSystemsTheme_unlessOneIsChosen) {
    const auto isDarkWhenTheSystemIs = [&](const QColor& colour) {
        window().setSystemPaletteSource([colour] { return QPalette(colour); });
        QEvent change(QEvent::ThemeChange);
        QApplication::sendEvent(&window(), &change);
        return themeColours(QApplication::palette()).dark;
    };
    window().setTheme(ThemeChoice::system);
    EXPECT_TRUE(isDarkWhenTheSystemIs(QColor(0x202020)));
    EXPECT_FALSE(isDarkWhenTheSystemIs(QColor(0xf0f0f0)));
    window().setTheme(ThemeChoice::dark);
    EXPECT_TRUE(isDarkWhenTheSystemIs(QColor(0xf0f0f0)));
}

}  // namespace
}  // namespace threefold::ui
