#include <filesystem>
#include <initializer_list>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QTest>

#include <nlohmann/json.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/mask_paths.h"
#include "tests/engine/board/scene.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/ui/window_fixture.h"
#include "ui/input/find_cameras_row.h"
#include "ui/input/input_panel.h"
#include "ui/input/mask_sheet.h"
#include "ui/input/photograph_viewer.h"
#include "ui/input/photographs_page.h"

namespace threefold::ui {
namespace {

namespace fs = std::filesystem;

class WindowPhotographs : public test::WindowTest {
  protected:
    InputPanel& input() { return window().input(); }
    PhotographsPage& page() { return *window().findChild<PhotographsPage*>(); }
    bool isHeadingVisible(const QString& text) {
        for (const QLabel* label : page().findChildren<QLabel*>())
            if (label->text() == text) return label->isVisible();
        return false;
    }
    fs::path ballOnTheBoard() {
        const fs::path ball = folder() / "ball";
        fs::create_directories(ball);
        int number = 0;
        for (const Pose& pose : threefold::test::BoardScene::cameras(4))
            writePng(ball / ("photo" + std::to_string(number++) + ".png"),
                     threefold::test::BoardScene::photograph(pose));
        return ball;
    }
    /// Removes the right half of the disc from photographs.
    static void halveDisc(const fs::path& discs, std::initializer_list<int> views) {
        for (const int view : views) {
            const fs::path file = discs / "images" / (std::to_string(view) + ".png");
            Image spoiled = readImage(file);
            for (int y = 0; y < spoiled.height; ++y)
                for (int x = spoiled.width / 2; x < spoiled.width; ++x)
                    for (int c = 0; c < 3; ++c)
                        spoiled.rgba[4 * static_cast<std::size_t>(y * spoiled.width + x) +
                                     static_cast<std::size_t>(c)] = 255;
            writePng(file, spoiled);
        }
    }
    /// Photographs of a disc, of which half is missing in view 3.
    fs::path discHalvedInView3() {
        const fs::path discs = folder() / "disc";
        threefold::test::writeDiscScene(discs, 8);
        halveDisc(discs, {3});
        return discs;
    }
    QToolButton* flatButtonWithText(const QString& text) {
        for (QToolButton* button : page().findChildren<QToolButton*>())
            if (button->text() == text) return button;
        return nullptr;
    }
};

TEST_F(WindowPhotographs, areReconstructedInThreeSteps_byButtonsAndByTheMenu) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    // Renderings have cameras and masks.
    for (const char* heading : {"1 · CAMERAS", "2 · MASKS", "3 · RECONSTRUCT"})
        EXPECT_FALSE(isHeadingVisible(heading)) << heading;
    EXPECT_FALSE(action(QStringLiteral("Find cameras by the board"))->isEnabled());

    window().opener().openSample(ballOnTheBoard());
    ASSERT_TRUE(waitUntil(
        [&] { return action(QStringLiteral("Find cameras by the board"))->isEnabled(); }));
    for (const char* heading : {"1 · CAMERAS", "2 · MASKS", "3 · RECONSTRUCT"})
        EXPECT_TRUE(isHeadingVisible(heading)) << heading;
    EXPECT_EQ(child<QLabel>(page(), "camerasState").text(), "Not known yet");
    EXPECT_TRUE(child<QPushButton>(page(), "reconstruct").isVisible());
    // Other sources of cameras are offered, too, although a board was found.
    EXPECT_TRUE(flatButtonWithText("Equal turns")->isVisible());
    EXPECT_TRUE(flatButtonWithText("From a file…")->isVisible());
    EXPECT_TRUE(action(QStringLiteral("Cameras from equal turns"))->isEnabled());

    trigger(QStringLiteral("Find cameras by the board"));
    ASSERT_TRUE(
        waitUntil([&] { return input().model().sample()->photos && document().result.current(); }));
    ASSERT_TRUE(
        waitUntil([&] { return document().result.current()->sample == input().model().sample(); }));
    EXPECT_EQ(child<QLabel>(page(), "camerasState").text(), "4 cameras, from cameras.json");
    EXPECT_FALSE(flatButtonWithText("From a file…")->isVisible());
    EXPECT_FALSE(action(QStringLiteral("Find cameras by the board"))->isEnabled());
    const ResultRef before = document().result.current();
    QTest::mouseClick(&child<QPushButton>(page(), "reconstruct"), Qt::LeftButton);
    EXPECT_TRUE(waitUntil([&] { return document().result.current() != before; }));
}

TEST_F(WindowPhotographs, haveAMenuOfTheirOwn) {
    QMenu* menu = nullptr;
    for (const QAction* each : window().menuBar()->actions())
        if (each->text() == "&Photographs") menu = each->menu();
    ASSERT_NE(menu, nullptr);
    QStringList texts;
    for (const QAction* each : menu->actions()) texts << each->text().remove('&');
    for (const char* text :
         {"Find cameras by the board", "Cameras from equal turns", "Find cameras by COLMAP",
          "Cameras from a file…", "Edit cameras", "Cut out photographs", "Cut out by a box…",
          "Check masks…", "Suggest three views", "Save a board to print…"})
        EXPECT_TRUE(texts.contains(text)) << text;
}

TEST_F(WindowPhotographs, areListedWithTheirMasks_framedWhereAMaskIsToBeChecked) {
    ASSERT_TRUE(open(discHalvedInView3(), {}));
    trigger(QStringLiteral("Check masks…"));
    const QPointer<MaskSheet> sheet(window().findChild<MaskSheet*>());
    ASSERT_FALSE(sheet.isNull());
    ASSERT_TRUE(waitUntil([&] { return sheet->isJudged() && input().images().size() == 8; }));
    QListWidget& masks = child<QListWidget>(*sheet, "masks");
    ASSERT_EQ(masks.count(), 8);
    for (int view = 0; view < 8; ++view) {
        EXPECT_EQ(sheet->reasonToCheck(view).isEmpty(), view != 3) << view;
        const QImage icon = masks.item(view)->icon().pixmap(masks.iconSize()).toImage();
        const QColor frame = icon.pixelColor(1, icon.height() / 2);
        EXPECT_EQ(frame.red() > frame.blue(), view == 3) << view;
    }
    EXPECT_TRUE(sheet->note().startsWith("1 mask should be checked"));
    EXPECT_TRUE(masks.item(3)->toolTip().contains(sheet->reasonToCheck(3)));
    // Photograph 3 is in no slot, but can be opened from the list.
    QTest::keyClick(&masks, Qt::Key_Home);
    masks.setCurrentRow(3);
    QTest::keyClick(&masks, Qt::Key_Return);
    PhotographViewer& viewer = *window().findChild<PhotographViewer*>();
    ASSERT_TRUE(waitUntil([&] { return viewer.openWindow() != nullptr; }));
    EXPECT_EQ(viewer.openWindow()->windowTitle(), "Photograph · view 3");
    viewer.openWindow()->close();
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_TRUE(waitUntil([&] { return sheet.isNull(); }));
}

TEST_F(WindowPhotographs, disagreeAsAWhole_whenNoSingleMaskCanBeBlamed) {
    const fs::path discs = folder() / "disc";
    nlohmann::json scene = threefold::test::writeDiscScene(discs, 8);
    halveDisc(discs, {0, 1, 2, 3});
    scene["object_centre"] = {0, 0, 0};
    scene["object_size"] = 1.2;
    threefold::test::writeJson(discs / "transforms.json", scene);
    ASSERT_TRUE(open(discs, {}));
    trigger(QStringLiteral("Check masks…"));
    const QPointer<MaskSheet> sheet(window().findChild<MaskSheet*>());
    ASSERT_TRUE(waitUntil([&] { return sheet->isJudged(); }));
    EXPECT_TRUE(sheet->note().startsWith("Masks and cameras disagree as a whole: they overlap by "))
        << sheet->note().toStdString();
    EXPECT_FALSE(sheet->note().contains("No mask contradicts"));
    EXPECT_TRUE(sheet->note().contains("No single mask can be blamed"));
}

TEST_F(WindowPhotographs, areJudgedAgain_whenTheirMasksHaveChanged) {
    const fs::path discs = discHalvedInView3();
    ASSERT_TRUE(open(discs, {}));
    trigger(QStringLiteral("Check masks…"));
    const QPointer<MaskSheet> sheet(window().findChild<MaskSheet*>());
    ASSERT_TRUE(waitUntil([&] { return sheet->isJudged() && input().images().size() == 8; }));
    ASSERT_FALSE(sheet->reasonToCheck(3).isEmpty());
    Image mask = readImage(discs / "images/2.png");  // all views show the same disc
    for (std::size_t i = 0; i < mask.rgba.size(); ++i)
        if (i % 4 != 3) mask.rgba[i] = mask.rgba[i] < 128 ? 255 : 0;
    writeOwnMask(discs / "images/3.png", mask);
    ASSERT_TRUE(open(discs, {}));
    ASSERT_FALSE(sheet.isNull());
    EXPECT_TRUE(waitUntil([&] { return sheet->isJudged() && sheet->reasonToCheck(3).isEmpty(); }));
}

}  // namespace
}  // namespace threefold::ui
