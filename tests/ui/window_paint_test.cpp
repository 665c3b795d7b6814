#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QLabel>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include "tests/ui/window_fixture.h"
#include "ui/batch/batch_histogram.h"
#include "ui/document/photograph_textures.h"
#include "ui/document/value_range.h"
#include "ui/files/export_commands.h"
#include "ui/files/opened_files.h"
#include "ui/files/picture_labels.h"
#include "ui/files/screenshot_dialog.h"
#include "ui/inspect/legend.h"
#include "ui/inspect/measures_table.h"
#include "ui/inspect/quantity_menu.h"
#include "ui/panes/make_scene.h"
#include "ui/panes/pane_header.h"
#include "ui/shell/actions.h"

namespace threefold::ui {
namespace {

class WindowPaint : public test::WindowTest {
  protected:
    Legend& legend() { return *window().findChild<Legend*>(); }
    void show(Quantity quantity) {
        document().look.change([&](Look& look) { look.quantity = quantity; });
    }
    std::filesystem::path write(const char* name, const std::string& text) {
        std::ofstream(folder() / name) << text;
        return folder() / name;
    }
    void compare(const std::filesystem::path& file) {
        window().findChild<OpenedFiles*>()->nextMeshSource().open(file, MeshSpace::world);
        ASSERT_TRUE(waitUntil([&] { return document().opened.first() != nullptr; }));
    }
    QImage panes(bool labelled) {
        const std::filesystem::path file = folder() / (labelled ? "labelled.png" : "bare.png");
        QSignalSpy saved(&window().exports(), &ExportCommands::saved);
        window().exports().savePanes(file, {900, 500}, false, labelled);
        EXPECT_TRUE(waitUntil([&] { return saved.count() == 1; }));
        return QImage(QString::fromStdString(file.string())).convertToFormat(QImage::Format_RGB32);
    }
};

// Picture of a widget with the background of its window.
QImage seen(QWidget& widget) {
    QWidget& window = *widget.window();
    return window.grab(QRect(widget.mapTo(&window, QPoint(0, 0)), widget.size())).toImage();
}

TEST_F(WindowPaint, isViridis_byDefault) {
    EXPECT_EQ(document().look.current().map, render::ColourMap::viridis);
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    // Viridis has blue-green hues; inferno has none.
    EXPECT_GT(test::fractionOfHues(picture(), 150, 220), 0.005);
}

TEST_F(WindowPaint, marksTheChosenLayout_inBothThemes) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    for (const ThemeChoice theme : {ThemeChoice::dark, ThemeChoice::light}) {
        window().setTheme(theme);
        QColor on, off;
        for (QToolButton* button : window().findChildren<QToolButton*>()) {
            if (button->property("role") != "segment" || !button->isVisible()) continue;
            const QImage image = seen(*button);
            (button->isChecked() ? on : off) = image.pixelColor(5, image.height() / 2);
        }
        ASSERT_TRUE(on.isValid() && off.isValid());
        EXPECT_GE(contrast(on, off), 2.9)
            << on.name().toStdString() << ' ' << off.name().toStdString();
    }
}

TEST_F(WindowPaint, coloursBetterAndWorse_rightAfterTheThemeChanges) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    auto& table = *window().findChild<MeasuresTable*>();
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark, ThemeChoice::light}) {
        window().setTheme(theme);
        QCoreApplication::processEvents();
        const ThemeColours colours =
            themeColours(theme == ThemeChoice::dark ? Theme::dark : Theme::light);
        int judged = 0;
        for (QLabel* label : table.findChildren<QLabel*>()) {
            if (!label->isVisible() || !label->accessibleName().contains(", ")) continue;
            ++judged;
            EXPECT_GE(test::contrastIn(seen(*label)), 4.5) << label->text().toStdString();
            const QColor wanted = label->accessibleName().endsWith("better")  ? colours.good
                                  : label->accessibleName().endsWith("worse") ? colours.bad
                                                                              : colours.muted;
            EXPECT_EQ(label->palette().color(label->foregroundRole()), wanted);
        }
        EXPECT_GT(judged, 2);
        for (PaneHeader* header : window().findChildren<PaneHeader*>()) {
            if (header->isVisible()) {
                EXPECT_GE(test::contrastIn(seen(*header)), 4.5);
            }
        }
    }
}

TEST_F(WindowPaint, keepsTheRange_whenAsked) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ValueRange before = valueRange(window().shownDocument(), MeshId::result);
    const QToolButton& mode = child<QToolButton>(legend(), "mode");
    QAction& keepRange = child<QAction>(legend(), "keepRange");
    ASSERT_TRUE(mode.isVisible());
    EXPECT_TRUE(mode.menu()->actions().contains(&keepRange));
    keepRange.trigger();
    EXPECT_TRUE(document().look.current().keepRange);
    EXPECT_TRUE(mode.text().startsWith("Kept"));
    Reconstruction larger = test::fakeReconstruction();
    for (glm::vec3& vertex : larger.stages.back().vertices) vertex *= 1.5F;
    document().result.set(makeResult(test::bundledSample(), {0, 6, 7}, std::move(larger)));
    EXPECT_EQ(valueRange(window().shownDocument(), MeshId::result), before);
    keepRange.trigger();
    EXPECT_NE(valueRange(window().shownDocument(), MeshId::result), before);
}

TEST_F(WindowPaint, drawsAxesGroundAndBackFaces_byTheirKeys) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    show(Quantity::none);
    settle();
    QImage before = picture();
    for (const auto key : {Qt::Key_X, Qt::Key_G}) {
        trigger(QKeySequence(Qt::SHIFT | key));
        const QImage after = picture();
        EXPECT_GT(test::difference(before, after), 0.0005) << key;
        before = after;
    }
    trigger(QKeySequence(Qt::SHIFT | Qt::Key_B));
    EXPECT_TRUE(document().look.current().backfaces && document().look.current().axes &&
                document().look.current().ground);
    EXPECT_TRUE(action("Axes")->isChecked());
    // An open sheet that turns its back to the camera.
    compare(write("sheet.obj",
                  "v -0.3 -0.3 0\nv 0.3 -0.3 0\nv 0.3 0.3 0\nv -0.3 0.3 0\n"
                  "f 1 3 2\nf 1 4 3\nf 1 2 3\n"));
    settle();
    EXPECT_GT(test::fractionOfHues(picture(), 10, 35), 0.005);
}

TEST_F(WindowPaint, showsTheOpenedMeshesOwnColours) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    auto& menu = *window().findChild<QuantityMenu*>();
    EXPECT_FALSE(menu.action(Quantity::ownColours)->isEnabled());
    EXPECT_FALSE(menu.action(Quantity::ownColours)->toolTip().isEmpty());
    // Pink is in no colour map and no photograph, and is not the colour of missed truth.
    compare(write("pink.ply",
                  "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                  "property float z\nproperty uchar red\nproperty uchar green\n"
                  "property uchar blue\nelement face 4\nproperty list uchar int vertex_indices\n"
                  "end_header\n-0.2 -0.2 0.2 255 0 160\n0.2 -0.2 0.2 255 0 160\n0 0.2 0 255 0 160\n"
                  "0 -0.2 -0.2 255 0 160\n3 0 1 2\n3 1 3 2\n3 3 0 2\n3 0 3 1\n"));
    ASSERT_TRUE(menu.action(Quantity::ownColours)->isEnabled());
    const auto pink = [&] { return test::fractionOfHues(picture(), 312, 332); };
    settle();
    EXPECT_LT(pink(), 0.002);
    menu.action(Quantity::ownColours)->trigger();
    settle();
    EXPECT_GT(pink(), 0.01);
}

TEST_F(WindowPaint, projectsThePhotographs) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    show(Quantity::none);
    settle();
    const QImage plain = picture();
    auto& menu = *window().findChild<QuantityMenu*>();
    ASSERT_TRUE(menu.action(Quantity::photographs)->isEnabled());
    menu.action(Quantity::photographs)->trigger();
    auto& paint = *document().findChild<PhotographTextures*>();
    ASSERT_TRUE(waitUntil([&] { return !paint.isBusy(); }));
    const render::SceneTextureRef texture =
        paint.texture(document().result.current()->mesh(MeshId::result));
    ASSERT_TRUE(texture);
    EXPECT_TRUE(std::any_of(texture->texCoords.begin(), texture->texCoords.end(),
                            [](glm::vec2 corner) { return std::isfinite(corner.x); }));
    settle();
    EXPECT_GT(test::difference(plain, picture()), 0.02);
}

TEST_F(WindowPaint, writesTitlesScaleAndLegendIntoPictures_whenAsked) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    settle();
    const QImage bare = panes(false), labelled = panes(true);
    const auto differs = [&](const QRect& part) {
        return test::difference(bare.copy(part), labelled.copy(part)) > 0.01;
    };
    EXPECT_TRUE(differs({10, 10, 120, 24}));    // title of the first pane
    EXPECT_TRUE(differs({460, 10, 120, 24}));   // title of the second pane
    EXPECT_TRUE(differs({300, 10, 140, 30}));   // scale bar of the first pane
    EXPECT_TRUE(differs({270, 440, 360, 50}));  // the legend
    EXPECT_FALSE(differs({0, 100, 900, 250}));
    // The legend's bar has the colours at both ends of the colour map.
    const QImage bar = labelled.copy(270, 430, 360, 40);
    EXPECT_GT(test::fractionOfHues(bar, 50, 70), 0.005);
    EXPECT_GT(test::fractionOfHues(bar, 250, 300), 0.01);

    trigger(Qt::CTRL | Qt::SHIFT | Qt::Key_S);
    auto& dialog = *window().findChild<ScreenshotDialog*>();
    QCheckBox* box = nullptr;
    for (QCheckBox* each : dialog.findChildren<QCheckBox*>())
        if (each->text() == "&Legend, titles and scale") box = each;
    ASSERT_TRUE(box);
    EXPECT_FALSE(dialog.choice().labelled);
    QTest::keyClick(box, Qt::Key_Space);
    EXPECT_TRUE(dialog.choice().labelled);

    const QSize panes = viewport().size();
    const QSize pictureBefore = dialog.choice().pixels;
    window().resize(window().size() + QSize(120, 40));
    ASSERT_TRUE(waitUntil([&] { return viewport().size() != panes; }));
    EXPECT_TRUE(waitUntil([&] {
        return pictureBefore.width() * viewport().width() ==
               dialog.choice().pixels.width() * panes.width();
    }));
}

TEST(PictureLabels, haveALegendUnderEachPaneWithValues_whenPanesHaveTheirOwnRanges) {
    Document document;
    document.result.set(test::bundledResult());
    Look look;
    look.range = RangeMode::perPane;
    look.panes = {MeshId::truth, MeshId::result, MeshId::firstPublished};
    document.look.set(look);
    const auto labels = [&] { return labelsOf({document}, themeColours(Theme::dark), QFont()); };
    EXPECT_FALSE(labels().legend);
    ASSERT_EQ(labels().paneLegends.size(), 3U);
    EXPECT_FALSE(labels().paneLegends[0]);
    for (const auto& [pane, id] :
         {std::pair(1U, MeshId::result), std::pair(2U, MeshId::firstPublished)}) {
        ASSERT_TRUE(labels().paneLegends[pane]);
        EXPECT_EQ(labels().paneLegends[pane]->colours.max, valueRange({document}, id).max);
    }
    look.range = RangeMode::shared;
    document.look.set(look);
    EXPECT_TRUE(labels().legend);
    EXPECT_TRUE(labels().paneLegends.empty());
}

TEST(PictureLabels, haveNoBackground_whenThePictureIsTransparent) {
    const ThemeColours colours = themeColours(Theme::dark);
    Document document;
    document.result.set(test::bundledResult());
    document.look.set({.range = RangeMode::custom, .rangeMin = 0, .rangeMax = 0.06F});
    render::Scene scene = makeScene({document}, colours);
    const PictureLabels labels = labelsOf({document}, colours, QFont());
    const auto painted = [&](float background) {
        scene.background.w = background;
        QImage image(900, 500, QImage::Format_RGBA8888);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paintLabels(painter, image.size(), scene, labels);
        return image;
    };
    const QImage clear = painted(0);
    const QImage opaque = painted(1);
    const auto inked = [](const QImage& image, const QRect& part) {
        int count = 0;
        for (int y = part.top(); y <= part.bottom(); ++y)
            for (int x = part.left(); x <= part.right(); ++x)
                count += image.pixelColor(x, y).alpha() > 0 ? 1 : 0;
        return count;
    };
    // The legend's bar has x from 270 to 630. A background would begin left of it.
    EXPECT_EQ(inked(clear, {258, 430, 10, 60}), 0);
    // In an opaque picture the legend has a background, and no text lies outside it.
    EXPECT_EQ(opaque.pixelColor(262, 470).alpha(), 255);
    EXPECT_EQ(inked(opaque, {230, 430, 20, 60}), 0);
    // The scale bar's ticks begin below its text: a row between them is transparent.
    const auto rowsWithInk = [&] {
        std::vector<int> rows;
        for (int y = 10; y < 60; ++y)
            if (inked(clear, {300, y, 140, 1}) > 0) rows.push_back(y);
        return rows;
    }();
    ASSERT_FALSE(rowsWithInk.empty());
    EXPECT_LT(static_cast<int>(rowsWithInk.size()), rowsWithInk.back() - rowsWithInk.front() + 1);
}

TEST_F(WindowPaint, drawsNoLineBetweenPanes_whenTheBackgroundIsTransparent) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    settle();
    const std::filesystem::path file = folder() / "clear.png";
    QSignalSpy saved(&window().exports(), &ExportCommands::saved);
    window().exports().savePanes(file, {900, 500}, true, true);
    ASSERT_TRUE(waitUntil([&] { return saved.count() == 1; }));
    const QImage image(QString::fromStdString(file.string()));
    for (const int y : {5, 120, 420})
        for (int x = 445; x < 455; ++x)
            EXPECT_EQ(image.pixelColor(x, y).alpha(), 0) << x << ' ' << y;
}

TEST_F(WindowPaint, writesMeansUnderTheirLine_andWorseStagesInRed) {
    BatchHistogram histogram;
    histogram.resize(400, 120);
    std::vector<SampleRecord> records;
    for (const double refined : {12.0, 14.0, 16.0}) {
        Scores scores;
        SampleScores& both = records.emplace_back().scores.emplace_back();
        scores.measures.atTau().fScore = 15;
        both.add("coarse", scores);
        scores.measures.atTau().fScore = refined;
        both.add("refined", scores);
    }
    histogram.setRecords(records, columnAt(columnIndex("f_tau_refined")));
    const QRectF label = histogram.meanLabel();
    EXPECT_LE(label.left(), histogram.meanX());
    EXPECT_GE(label.right(), histogram.meanX());
    EXPECT_GE(label.left(), 0);
    int worse = 0;
    for (const int count : histogram.worseCounts()) worse += count;
    EXPECT_EQ(worse, 2);
    const QImage image = histogram.grab().toImage();
    const QColor bad = themeColours(histogram.palette()).bad;
    int red = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) red += image.pixelColor(x, y) == bad ? 1 : 0;
    }
    EXPECT_GT(red, 100);
}

}  // namespace
}  // namespace threefold::ui
