// The first minutes of a new user: the greeting, the hint, the read-out at the pointer, the list of
// keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QScreen>
#include <QTest>
#include <QToolButton>

#include "tests/ui/window_fixture.h"
#include "ui/document/session.h"
#include "ui/panes/compare_hover.h"
#include "ui/style/theme.h"
#include "ui/window/shortcuts_sheet.h"

namespace threefold::ui {
namespace {

using testing::HasSubstr;

class FirstSteps : public test::WindowTest {
  protected:
    QLabel* greeting() { return window().findChild<QLabel*>("greeting"); }
    const PointerTip& tip() { return *window().findChild<PointerTip*>("pointerTip"); }
    QRect tipInPanes() {
        return {viewport().mapFromGlobal(tip().mapToGlobal(QPoint(0, 0))), tip().size()};
    }
    /// Moves the pointer to a vertex of the last one of a row of places; false: there is none.
    bool hover(const std::vector<QPoint>& places) {
        for (const QPoint place : places) {
            QTest::mouseMove(&viewport(), place);
            if (QTest::qWaitFor([&] { return document().hovered().has_value(); }, 300)) {
                pointer_ = place;
                return true;
            }
        }
        return false;
    }
    /// Places in a line through the panes.
    std::vector<QPoint> across(int y) {
        std::vector<QPoint> places;
        for (int x = 8; x < viewport().width(); x += 16) places.emplace_back(x, y);
        return places;
    }

    QPoint pointer_;
};

TEST_F(FirstSteps, areGreeted_untilTheyDoSomething) {
    useSetup([](WindowSetup& setup) { setup.greets = true; });
    ASSERT_TRUE(open(test::bundledItem("02958343")));
    ASSERT_NE(greeting(), nullptr);
    EXPECT_TRUE(greeting()->isVisible());
    const std::string said = greeting()->text().toStdString();
    EXPECT_THAT(said, HasSubstr("This car"));
    EXPECT_THAT(said, HasSubstr("small bundled model"));
    EXPECT_THAT(said, HasSubstr("distance to truth"));
    EXPECT_LT(greeting()->mapToGlobal(QPoint(0, greeting()->height())).y(),
              viewport().mapToGlobal(QPoint(0, 1)).y());
    drag({100, 100}, {140, 120});
    EXPECT_TRUE(waitUntil([&] { return greeting() == nullptr; }));
    newWindow();
    EXPECT_EQ(greeting(), nullptr);
}

TEST_F(FirstSteps, beginWithTheFirstBundledSample) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("XDG_CONFIG_HOME", QString::fromStdString(folder().path().string()));
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(THREEFOLD_PROGRAM, {"--quit"});
    ASSERT_TRUE(program.waitForFinished(120000));
    ASSERT_EQ(program.exitCode(), 0) << program.readAllStandardError().toStdString();
    const auto sample = readSession(folder() / "Threefold" / "last.threefold").sample;
    EXPECT_EQ(sample->category, "03001627");
    EXPECT_EQ(sample->item, "banquet");
}

TEST_F(FirstSteps, readTheVertex_besideThePointer) {
    ASSERT_TRUE(open(test::bundledItem()));
    settle();
    ASSERT_TRUE(hover(across(viewport().height() / 2)));
    ASSERT_TRUE(tip().isVisible());
    const std::string lines = tip().lines().join('\n').toStdString();
    EXPECT_THAT(lines, HasSubstr("coarse #"));
    EXPECT_THAT(lines, HasSubstr("object units"));
    EXPECT_THAT(lines, HasSubstr("world"));
    EXPECT_FALSE(tipInPanes().adjusted(-12, -12, 12, 12).contains(pointer_));
    EXPECT_LT((tipInPanes().topLeft() - pointer_).manhattanLength(), 60);
    // On the screen, above the panes.
    const QRect place(tip().mapToGlobal(QPoint(0, 0)), tip().size());
    const auto share = [&] {
        const QImage seen = window()
                                .screen()
                                ->grabWindow(0, place.x(), place.y(), place.width(), place.height())
                                .toImage();
        const QColor ground = themeColours(window().palette()).raised;
        int found = 0;
        for (int y = 0; y < seen.height(); ++y)
            for (int x = 0; x < seen.width(); ++x) found += seen.pixelColor(x, y) == ground ? 1 : 0;
        return static_cast<double>(found) / (seen.width() * seen.height());
    };
    EXPECT_TRUE(waitUntil([&] { return share() > 0.5; }));
    QTest::mouseMove(&viewport(), {3, 3});
    EXPECT_TRUE(waitUntil([&] { return !tip().isVisible(); }));
}

TEST_F(FirstSteps, keepTheTipInsideThePanes_whereverThePointerIs) {
    ASSERT_TRUE(open(test::bundledItem()));
    const QPoint last(viewport().width() - 10, viewport().height() - 10);
    QPoint middle(viewport().width() * 3 / 4, viewport().height() / 2);  // of the second mesh
    for (const QPoint corner : {last, QPoint(last.x(), 10)}) {
        drag(middle, corner, Qt::RightButton);
        middle = corner;
        settle();
        std::vector<QPoint> near;
        for (int step = 0; step < 8; ++step)
            near.push_back(corner + QPoint(-2 * step, corner == last ? -2 * step : 2 * step));
        document().setHovered(std::nullopt);
        ASSERT_TRUE(hover(near));
        EXPECT_TRUE(tip().isVisible());
        EXPECT_TRUE(QRect(QPoint(0, 0), viewport().size()).contains(tipInPanes()));
        EXPECT_FALSE(tipInPanes().contains(pointer_));
    }
}

TEST_F(FirstSteps, findTheKeysThatAreNoShortcuts) {
    QStringList lines;
    window().activateWindow();
    ASSERT_TRUE(waitUntil([&] { return window().isActiveWindow(); }));
    QTest::keyClick(&window(), Qt::Key_F1);
    for (const QString& line : window().findChild<ShortcutsSheet*>()->lines()) lines << line;
    EXPECT_TRUE(lines.contains("B\tBlink (hold)"));
    EXPECT_TRUE(lines.contains("1 to 8\tPut the view into that slot"));
    EXPECT_TRUE(lines.contains("Delete\tBack to the whole range"));
}

TEST_F(FirstSteps, getTheirFocusBack_whenTheListOfKeysGoes) {
    window().activateWindow();
    ASSERT_TRUE(waitUntil([&] { return window().isActiveWindow(); }));
    auto* button = window().findChild<QToolButton*>("quantity");
    button->setFocus();
    QTest::keyClick(&window(), Qt::Key_F1);
    auto* sheet = window().findChild<ShortcutsSheet*>();
    ASSERT_TRUE(sheet->isVisible());
    QTest::keyClick(&sheet->search(), Qt::Key_Escape);
    EXPECT_FALSE(sheet->isVisible());
    EXPECT_EQ(window().focusWidget(), button);
    // Without one, no other widget gets it.
    window().setFocus();
    QTest::keyClick(&window(), Qt::Key_F1);
    QTest::keyClick(&sheet->search(), Qt::Key_Escape);
    EXPECT_EQ(qobject_cast<QToolButton*>(window().focusWidget()), nullptr);
}

}  // namespace
}  // namespace threefold::ui
