#include <latch>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHelpEvent>
#include <QLabel>
#include <QTest>
#include <QThread>
#include <QToolTip>
#include <QWheelEvent>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/ui/window_fixture.h"
#include "ui/document/newest_task.h"
#include "ui/files/opened_files.h"
#include "ui/files/session_files.h"
#include "ui/input/camera_editor.h"
#include "ui/input/input_panel.h"
#include "ui/input/photograph_opener.h"
#include "ui/inspect/inspector.h"
#include "ui/inspect/legend.h"
#include "ui/panes/header_text.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/panes/pointer_tip.h"
#include "ui/panes/stage_slider.h"
#include "ui/shell/status_line.h"
#include "ui/style/theme.h"
#include "ui/style/tool_tips.h"

namespace threefold::ui {
namespace {

using testing::HasSubstr;
using testing::Not;

class WindowDetails : public test::WindowTest {
  protected:
    std::string status() { return window().statusLine().text().toStdString(); }
};

TEST_F(WindowDetails, listsHighlightEntriesReadably_inBothThemes) {
    QComboBox box(&window());
    box.addItems({QStringLiteral("First entry"), QStringLiteral("Second entry")});
    box.setGeometry(20, 120, 200, 30);
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
        window().setTheme(theme);
        box.show();
        box.showPopup();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(box.view()));
        box.view()->setCurrentIndex(box.model()->index(1, 0));
        const auto rowAt = [&](int row) {
            const QRect rect = box.view()->visualRect(box.model()->index(row, 0));
            return box.view()->viewport()->grab(rect).toImage();
        };
        EXPECT_TRUE(waitUntil([&] { return test::contrastIn(rowAt(1)) > 4; }))
            << test::contrastIn(rowAt(1));
        EXPECT_GT(test::contrastIn(rowAt(0)), 4);
        const QColor back = rowAt(1).pixelColor(2, 2);
        EXPECT_EQ(back,
                  themeColours(theme == ThemeChoice::dark ? Theme::dark : Theme::light).accent);
        box.hidePopup();
    }
}

TEST_F(WindowDetails, cameraFieldsStayUnchanged_whenScrolledOver) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    trigger(Qt::Key_E);
    auto& editor = *window().findChild<CameraEditor*>();
    for (auto* field : editor.findChildren<QDoubleSpinBox*>()) {
        field->setFocus();  // a focused spin box would accept the wheel
        const double before = field->value();
        QWheelEvent wheel(field->rect().center(), field->mapToGlobal(QPointF(5, 5)), {}, {0, -120},
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(field, &wheel);
        EXPECT_EQ(field->value(), before);
        EXPECT_NE(field->focusPolicy(), Qt::WheelFocus);
    }
}

TEST_F(WindowDetails, statusOfReadingIsRemoved_whenTheFileIsRead) {
    FileTasks& tasks = window().files().tasks();
    NewestTask request;
    std::latch mayEnd(1);
    tasks.run(
        "big.ply", request,
        [&](const MeshReadOptions&) {
            mayEnd.wait();
            return 1;
        },
        [](int) {});
    EXPECT_TRUE(waitUntil([&] { return status().starts_with("Reading big.ply… 0 %"); }));
    mayEnd.count_down();
    EXPECT_TRUE(waitUntil([&] { return !tasks.isBusy(); }));
    EXPECT_EQ(status(), "");
}

TEST_F(WindowDetails, savingASessionNamesOmittedResults) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ResultRef first = document().result.current();
    auto& sessions = *window().findChild<SessionFiles*>();
    sessions.save(folder() / "one.threefold");
    ASSERT_TRUE(waitUntil([&] { return status().starts_with("Saved one.threefold"); }));
    EXPECT_THAT(status(), Not(HasSubstr("without")));
    window().input().model().putIntoSelectedSlot(9);
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != first; }));
    window().files().nextMeshSource().showResult(first);
    ASSERT_TRUE(waitUntil([&] { return document().opened.first() != nullptr; }));
    sessions.save(folder() / "two.threefold");
    ASSERT_TRUE(waitUntil([&] { return status().starts_with("Saved two.threefold"); }));
    EXPECT_THAT(status(), HasSubstr("without 1 of the results and 1 of the opened meshes"));
}

TEST_F(WindowDetails, panesAreEmpty_whilePhotographsHaveNoCameras) {
    const auto& legend = *window().findChild<Legend*>();
    const auto& slider = *window().findChild<StageSlider*>();
    Inspector& inspector = window().inspector();
    const auto showsMeasures = [&] {
        return inspector.measures().isVisibleTo(&inspector) ||
               inspector.plot().isVisibleTo(&inspector);
    };
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_TRUE(slider.isEnabled() && showsMeasures() && !legend.accessibleName().isEmpty());
    const std::filesystem::path folderOfOthers = folder() / "others";
    std::filesystem::create_directories(folderOfOthers);
    std::vector<std::filesystem::path> photographs;
    for (const char* name : {"00.png", "06.png", "07.png"}) {
        photographs.push_back(folderOfOthers / name);
        std::filesystem::copy(test::bundledSampleFolder("02958343") / "rendering" / name,
                              photographs.back());
    }
    window().findChild<PhotographOpener*>()->open(photographs);
    ASSERT_TRUE(waitUntil([&] { return document().run.showsAnotherSample(); }));
    for (const MeshId id : {MeshId::firstPublished, MeshId::result, MeshId::truth})
        EXPECT_EQ(meshOf(document(), id), nullptr);
    EXPECT_EQ(headerText(window().shownDocument(), MeshId::firstPublished).title,
              "Coarse: not yet");
    EXPECT_EQ(window().windowTitle(), "others — views 0, 1, 2 — Threefold");
    // Legend, stages and measures are of the aeroplane, too.
    EXPECT_EQ(legend.accessibleName(), "");
    EXPECT_FALSE(slider.isEnabled());
    EXPECT_FALSE(showsMeasures());
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_TRUE(slider.isEnabled() && showsMeasures() && !legend.accessibleName().isEmpty());
    EXPECT_NE(meshOf(document(), MeshId::firstPublished), nullptr);
    EXPECT_EQ(window().windowTitle(), "airplane · p0001 — views 0, 6, 7 — Threefold");
}

TEST_F(WindowDetails, photographsColourNoMesh_withoutASample) {
    document().look.change([](Look& look) { look.quantity = Quantity::photographs; });
    const std::filesystem::path file = folder() / "alone.ply";
    writeMesh(file, MeshFormat::ply,
              {{{0, 0, 0}, {0.3F, 0, 0}, {0, 0.3F, 0}, {0, 0, 0.3F}},
               {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
    window().files().nextMeshSource().open(file);
    ASSERT_TRUE(waitUntil([&] { return document().opened.first() != nullptr; }));
    EXPECT_EQ(document().shownQuantity(), Quantity::none);
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_EQ(document().shownQuantity(), Quantity::photographs);
}

TEST_F(WindowDetails, measuredDistanceStaysVisible_besideThePointer) {
    PointerTip distance(window(), viewport());
    PointerTip hover(window(), viewport());
    hover.avoid(distance);
    distance.setLines({QStringLiteral("0.1234 object units")}, {100, 100});
    ASSERT_TRUE(distance.isVisible());
    for (const QPoint pointer : {QPoint(100, 100), QPoint(110, 90), QPoint(160, 125)}) {
        hover.setLines({QStringLiteral("fitted #1 204"), QStringLiteral("0.0123 object units"),
                        QStringLiteral("world 0.1 0.2 0.3")},
                       pointer);
        ASSERT_TRUE(hover.isVisible());
        EXPECT_FALSE(hover.geometry().intersects(distance.geometry()));
    }
}

TEST_F(WindowDetails, longTooltipsAreWrapped) {
    QLabel label(&window());
    const QString words = QStringLiteral("words of a sentence that goes on and on ");
    label.setToolTip(words.repeated(10).trimmed());
    label.setGeometry(10, 100, 50, 20);
    label.show();
    QHelpEvent help(QEvent::ToolTip, {5, 5}, label.mapToGlobal(QPoint(5, 5)));
    QCoreApplication::sendEvent(&label, &help);
    const QString shown = QToolTip::text();
    EXPECT_EQ(QString(shown).replace('\n', ' '), label.toolTip());
    const QFontMetrics metrics(QToolTip::font());
    for (const QString& line : shown.split('\n')) EXPECT_LE(metrics.horizontalAdvance(line), 420);
    QToolTip::hideText();
}

TEST(WrappedText, keepsLinesAndLongWords) {
    const QFontMetrics metrics((QFont()));
    EXPECT_EQ(wrappedText(QStringLiteral("a b\nc"), metrics, 1000), "a b\nc");
    EXPECT_EQ(wrappedText(QStringLiteral("one two three"), metrics, 1), "one\ntwo\nthree");
    EXPECT_EQ(wrappedText({}, metrics, 10), "");
}

}  // namespace
}  // namespace threefold::ui
