#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <nlohmann/json.hpp>

#include "engine/formats/pictures/image.h"
#include "tests/engine/board/scene.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/engine/structure_from_motion/colmap_model.h"
#include "tests/ui/window_fixture.h"
#include "ui/document/document.h"
#include "ui/input/camera_editor.h"
#include "ui/input/data_set_browser.h"
#include "ui/input/find_cameras_row.h"
#include "ui/input/input_panel.h"
#include "ui/input/photograph_opener.h"
#include "ui/input/slot_outlines.h"
#include "ui/input/view_slots.h"
#include "ui/input/view_tiles.h"
#include "ui/shell/banner.h"

namespace threefold::ui {
namespace {

class WindowOwnPhotographs : public test::WindowTest {
  protected:
    InputPanel& input() { return window().input(); }
    const std::vector<ViewTile*>& slotTiles() { return input().viewSlots().tiles(); }
    SlotOutlines& outlines() { return *window().findChild<SlotOutlines*>(); }
    CameraEditor& editor() { return *window().findChild<CameraEditor*>(); }
    QDoubleSpinBox& field(const char* name) { return child<QDoubleSpinBox>(editor(), name); }
    FindCamerasRow& findCamerasRow() { return *window().findChild<FindCamerasRow*>(); }
    PhotographOpener& photographOpener() { return *window().findChild<PhotographOpener*>(); }

    bool hasPrimaryButton() {
        return std::ranges::any_of(
            window().findChildren<QToolButton*>(),
            [](const QToolButton* button) { return button->property("role") == "primary"; });
    }
    std::vector<std::filesystem::path> photographs() {
        std::vector<std::filesystem::path> files;
        std::filesystem::create_directories(folder() / "chair");
        for (const char* name : {"00.png", "06.png", "07.png"}) {
            files.push_back(folder() / "chair" / (std::string("photo") + name));
            std::filesystem::copy_file(test::bundledSampleFolder() / "rendering" / name,
                                       files.back());
        }
        return files;
    }
    bool openPhotographs() {
        photographOpener().open(photographs());
        return waitUntil([&] { return input().model().sample()->id == "chair"; });
    }
    /// Opens photographs beside a shown result, and waits for the editor of their cameras.
    bool openPhotographsToEdit() {
        return open(test::bundledSampleFolder()) && openPhotographs() &&
               waitUntil([&] { return editor().isVisible(); });
    }
    std::filesystem::path cameraFile() { return folder() / "chair" / "rendering_metadata.txt"; }
    bool saveCameras() {
        const QSignalSpy saved(&editor(), &CameraEditor::saved);
        editor().save(false);
        return waitUntil([&] { return !saved.isEmpty(); });
    }
};

TEST_F(WindowOwnPhotographs, opensOwnImages) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const int runs = network().runs;
    ASSERT_TRUE(openPhotographs());
    EXPECT_EQ(slotTiles().size(), 3U);
    // The photographs show no board, so the camera editor opens.
    EXPECT_TRUE(waitUntil([&] { return editor().isVisible(); }));
    EXPECT_EQ(network().runs, runs);
    // The previous result is still shown.
    EXPECT_EQ(window().document().result.current()->sample->id, "p0001");
    EXPECT_FALSE(window().findChild<DataSetTree*>()->selectionModel()->hasSelection());
    ASSERT_TRUE(
        waitUntil([&] { return outlines().isUpToDate() && !slotTiles()[0]->overlay().isNull(); }));
    // Before a reconstruction the slot draws an ellipsoid, for which no overlap is shown.
    EXPECT_EQ(slotTiles()[0]->note(), "");
    trigger(Qt::CTRL | Qt::Key_R);
    EXPECT_TRUE(
        waitUntil([&] { return window().document().result.current()->sample->id == "chair"; }));
}

TEST_F(WindowOwnPhotographs, haveAnEllipsoidOnlyWhereACameraIsEditedOrWasChanged) {
    ASSERT_TRUE(openPhotographsToEdit());
    const auto haveEllipsoids = [&](const std::vector<bool>& expected) {
        return waitUntil([&] {
            std::vector<bool> shown;
            for (const ViewTile* tile : slotTiles()) shown.push_back(!tile->overlay().isNull());
            return outlines().isUpToDate() && shown == expected;
        });
    };
    EXPECT_TRUE(haveEllipsoids({true, false, false}));
    input().model().select(1);
    EXPECT_TRUE(haveEllipsoids({false, true, false}));
    editor().toggle().setChecked(false);
    EXPECT_TRUE(haveEllipsoids({false, false, false}));
    editor().toggle().setChecked(true);
    input().model().beginGesture();  // without a reconstruction
    input().model().setCamera(1, {.azimuth = 5, .elevation = 25, .distance = 0.8});
    input().model().select(2);
    EXPECT_TRUE(haveEllipsoids({false, true, true}));
    input().model().abandonGesture();
}

TEST_F(WindowOwnPhotographs, savesTheCamerasOfOwnImages) {
    ASSERT_TRUE(openPhotographsToEdit());
    field("distance").setFocus();
    field("distance").setValue(1.25);
    EXPECT_EQ(input().model().sample()->cameraRows[0].distance, 1.25);
    ASSERT_TRUE(saveCameras());
    EXPECT_EQ(readRenderingMetadata(cameraFile())[0].distance, 1.25);
}

TEST_F(WindowOwnPhotographs, asksBeforeItReplacesAFileOfCameras) {
    ASSERT_TRUE(openPhotographsToEdit());
    field("distance").setFocus();
    field("distance").setValue(1.25);
    ASSERT_TRUE(saveCameras());
    field("distance").setValue(1.5);
    editor().save(false);
    QToolButton* replace = nullptr;
    for (QToolButton* button : editor().findChildren<QToolButton*>()) {
        if (button->text() == "Replace") replace = button;
    }
    ASSERT_NE(replace, nullptr);
    ASSERT_TRUE(waitUntil([&] { return replace->isVisible(); }));
    EXPECT_EQ(readRenderingMetadata(cameraFile())[0].distance, 1.25);
    const QSignalSpy saved(&editor(), &CameraEditor::saved);
    QTest::mouseClick(replace, Qt::LeftButton);
    ASSERT_TRUE(waitUntil([&] { return !saved.isEmpty(); }));
    EXPECT_EQ(readRenderingMetadata(cameraFile())[0].distance, 1.5);
}

// Copy of a sample in which the default views and view 11 have an opaque blue background.
std::filesystem::path sampleWithBackground(const threefold::test::TempFolder& folder) {
    const std::filesystem::path sample = folder / "ShapeNetRendering/02958343/whole";
    std::filesystem::create_directories(sample);
    std::filesystem::copy(test::bundledSampleFolder("02958343"), sample,
                          std::filesystem::copy_options::recursive);
    for (const char* name : {"00.png", "06.png", "07.png", "11.png"}) {
        Image image = readImage(sample / "rendering" / name);
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
            if (image.rgba[i + 3] < 128)
                for (const std::size_t c : {0, 1, 2}) image.rgba[i + c] = c == 2 ? 200 : 60;
            image.rgba[i + 3] = 255;
        }
        writePng(sample / "rendering" / name, image);
    }
    return sample;
}

TEST_F(WindowOwnPhotographs, cutsOutPhotographs_andReconstructsAgain) {
    const std::filesystem::path sample = sampleWithBackground(folder());
    ASSERT_TRUE(open(sample));
    auto* row = window().findChild<QWidget*>(QStringLiteral("cutOut"));
    ASSERT_TRUE(waitUntil([&] { return row->isVisible(); }));
    EXPECT_TRUE(waitUntil([&] {
        return row->findChild<QLabel*>()->text() == "4 photographs still have their background";
    }));
    const ResultRef before = document().result.current();
    QTest::mouseClick(row->findChild<QPushButton*>(), Qt::LeftButton);
    EXPECT_TRUE(
        waitUntil([&] { return !row->isVisible() && document().result.current() != before; }));
    EXPECT_TRUE(std::filesystem::exists(sample / "rendering/masks/06.png"));
    EXPECT_EQ(input().model().selection().views(), (std::vector{0, 6, 7}));
}

TEST_F(WindowOwnPhotographs, offersNoCutout_whenAllPhotographsHaveMasks) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_FALSE(window().findChild<QWidget*>(QStringLiteral("cutOut"))->isVisible());
}

std::vector<std::filesystem::path> boardPhotographs(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::filesystem::create_directories(folder);
    for (const Pose& pose : threefold::test::BoardScene::cameras(4)) {
        files.push_back(folder / ("photo" + std::to_string(files.size()) + ".png"));
        writePng(files.back(), threefold::test::BoardScene::photograph(pose));
    }
    return files;
}

TEST_F(WindowOwnPhotographs, findsCamerasByTheBoard_andReconstructs) {
    const std::filesystem::path ball = folder() / "ball";
    boardPhotographs(ball);
    window().opener().openSample(ball);  // a folder without cameras
    auto* row = window().findChild<QWidget*>(QStringLiteral("findCamerasRow"));
    auto* button = row->findChild<QPushButton*>();
    ASSERT_TRUE(waitUntil([&] { return button->isVisible() && button->isEnabled(); }));
    EXPECT_EQ(row->findChild<QLabel*>()->text(), "Board in 4 of 4");
    EXPECT_FALSE(window().banner().isVisible());
    EXPECT_FALSE(editor().isVisible());
    // Nothing is written before the click, and no button is highlighted while cameras are guessed.
    EXPECT_FALSE(std::filesystem::exists(ball / "cameras.json"));
    EXPECT_FALSE(hasPrimaryButton());
    QTest::mouseClick(button, Qt::LeftButton);
    ASSERT_TRUE(waitUntil([&] { return document().result.current() && !row->isVisible(); }));
    EXPECT_TRUE(std::filesystem::exists(ball / "masks/photo3.png"));
    ASSERT_TRUE(input().model().sample()->photos);
    EXPECT_EQ(input().model().sample()->viewCount(), 4U);
    // The thumbnails are reloaded with the new cameras and masks, so no cutout is offered.
    auto* cutOut = window().findChild<QWidget*>(QStringLiteral("cutOut"));
    EXPECT_TRUE(waitUntil([&] { return input().images().size() == 4 && !cutOut->isVisible(); }));
}

TEST_F(WindowOwnPhotographs, findsCamerasOfATurntable_whenNoBoardIsVisible) {
    photographOpener().open(photographs());
    auto* row = window().findChild<QWidget*>(QStringLiteral("findCamerasRow"));
    auto* button = row->findChild<QPushButton*>();
    ASSERT_TRUE(waitUntil([&] { return button->isVisible() && button->isEnabled(); }));
    EXPECT_EQ(row->findChild<QLabel*>()->text(), "No board seen");
    EXPECT_FALSE(hasPrimaryButton());
    input().model().setCamera(0, {.azimuth = 5, .elevation = 25, .distance = 0.8});
    EXPECT_TRUE(hasPrimaryButton());  // the user has edited a camera
    QTest::mouseClick(button, Qt::LeftButton);
    ASSERT_TRUE(waitUntil([&] { return input().model().sample()->photos && !row->isVisible(); }));
    EXPECT_TRUE(std::filesystem::exists(folder() / "chair" / "cameras.json"));
    EXPECT_EQ(input().model().sample()->viewCount(), 3U);
}

TEST_F(WindowOwnPhotographs, areReconstructedOnlyWhenAsked_ifTheirCamerasAreDoubtful) {
    const std::filesystem::path disc = folder() / "disc";
    threefold::test::writeDiscScene(disc);
    nlohmann::json cameras = {{"convention", "opencv"},
                              {"matrices", "world_to_camera"},
                              {"intrinsics", {{120, 0, 50}, {0, 120, 50}, {0, 0, 1}}},
                              {"sure", false},
                              {"doubts", {"The outlines contradict each other."}},
                              {"views", nlohmann::json::array()}};
    for (int view = 0; view < 3; ++view)
        cameras["views"].push_back(
            {{"image", "images/" + std::to_string(view) + ".png"},
             {"matrix", threefold::test::openCvMatrix({view * 120.0, 25, 0, 2, 25}, {})}});
    threefold::test::writeJson(disc / "cameras.json", cameras);
    const int runs = network().runs;
    window().opener().openSample(disc / "cameras.json");
    ASSERT_TRUE(waitUntil([&] {
        const SampleRef& sample = input().model().sample();
        return sample && sample->photos && !document().run.state().isActive();
    }));
    EXPECT_TRUE(window().banner().text().contains("The outlines contradict each other."));
    const auto& state = child<QLabel>(window(), "camerasState");
    EXPECT_EQ(state.text(),
              "3 cameras, from cameras.json. They are uncertain: The outlines contradict each "
              "other.");
    EXPECT_FALSE(hasPrimaryButton());
    input().model().swapSlots(0, 1);  // an edit, which reconstructs other samples
    EXPECT_FALSE(document().run.state().isActive());
    EXPECT_EQ(network().runs, runs);

    trigger(Qt::CTRL | Qt::Key_R);
    ASSERT_TRUE(waitUntil([&] {
        const ResultRef& result = document().result.current();
        return result && result->sample->photos;
    }));
    EXPECT_TRUE(state.text().contains("uncertain"));
    const ResultRef before = document().result.current();
    input().model().swapSlots(0, 1);
    EXPECT_TRUE(waitUntil([&] { return document().result.current() != before; }));
}

/// Puts a fake COLMAP first in PATH.
class WindowWithColmap : public WindowOwnPhotographs {
  protected:
    WindowWithColmap() {
        threefold::test::writeFakeColmap(folder() / "bin/colmap", folder() / "models");
        qputenv("PATH", QByteArray((folder() / "bin").string().c_str()) + ":" + path_);
        qputenv("FAKE_COLMAP_CHILD", child_.string().c_str());
    }
    ~WindowWithColmap() override {
        qputenv("PATH", path_);
        qunsetenv("FAKE_COLMAP");
        qunsetenv("FAKE_COLMAP_CHILD");
    }

    QPushButton* colmapButton() {
        auto* button = window().findChild<QPushButton*>(QStringLiteral("colmap"));
        photographOpener().open(photographs());
        EXPECT_TRUE(waitUntil([&] { return button->isVisible() && button->isEnabled(); }));
        return button;
    }

    const QByteArray path_ = qgetenv("PATH");
    const std::filesystem::path child_ = folder() / "child";
};

TEST_F(WindowWithColmap, findsCameras_whenNoBoardIsVisible) {
    // The fake model has one point, the origin, at which all three cameras look.
    std::vector<threefold::test::ModelPicture> pictures;
    for (const double azimuth : {0, 40, 80})
        pictures.push_back(
            {QStringLiteral("%1.png").arg(pictures.size(), 6, 10, QLatin1Char('0')).toStdString(),
             Camera::fromRow({.azimuth = azimuth, .elevation = 30, .distance = 0.8})});
    Lens lens;
    lens.width = lens.height = 137;  // size of the bundled pictures
    lens.focalX = lens.focalY = kFocalLength * lens.width / kInputSide;
    lens.principalX = lens.principalY = lens.width / 2.0;
    const std::vector<glm::dvec3> points = {{0, 0, 0}};
    threefold::test::writeColmapModel(folder() / "models/0", lens, pictures, points, 0.5);
    QTest::mouseClick(colmapButton(), Qt::LeftButton);
    ASSERT_TRUE(waitUntil(
        [&] { return input().model().sample()->photos && !findCamerasRow().isVisible(); }));
    EXPECT_TRUE(std::filesystem::exists(folder() / "chair" / "cameras.json"));
    EXPECT_EQ(input().model().sample()->viewCount(), 3U);
}

TEST_F(WindowWithColmap, staysUnchanged_whenCancelled) {
    qputenv("FAKE_COLMAP", "hang");
    QPushButton* const button = colmapButton();
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(button->text(), "Cancel");
    ASSERT_TRUE(waitUntil([&] { return std::filesystem::exists(child_); }));
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_TRUE(waitUntil([&] { return button->isVisible() && button->text() == "By COLMAP"; }));
    EXPECT_EQ(findCamerasRow().findChild<QLabel*>()->text(), "No board seen");
    EXPECT_FALSE(std::filesystem::exists(folder() / "chair" / "cameras.json"));
    EXPECT_FALSE(window().banner().isVisible());
}

TEST_F(WindowOwnPhotographs, forgetsTheBoard_whenAnotherSampleIsOpened) {
    photographOpener().open(boardPhotographs(folder() / "ball"));
    auto* row = window().findChild<QWidget*>(QStringLiteral("findCamerasRow"));
    ASSERT_TRUE(waitUntil([&] { return row->isVisible(); }));
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_FALSE(row->isVisible());
}

TEST_F(WindowOwnPhotographs, keepsTheNewerSample_whenOlderPhotographsAreReadLater) {
    photographOpener().open(photographs());
    ASSERT_TRUE(open(test::bundledSampleFolder()));  // while the photographs are still being read
    settle();
    EXPECT_EQ(input().model().sample()->id, "p0001");
    EXPECT_FALSE(window().findChild<QWidget*>(QStringLiteral("findCamerasRow"))->isVisible());
}

TEST_F(WindowOwnPhotographs, dimsTheOldResult_whilePhotographsHaveNoCameras) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_FALSE(document().isStale(MeshId::result));
    photographOpener().open(boardPhotographs(folder() / "ball"));
    EXPECT_TRUE(waitUntil([&] { return document().isStale(MeshId::result); }));
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_FALSE(document().isStale(MeshId::result));
}

TEST_F(WindowOwnPhotographs, keepsTheShownSample_whenOwnImagesMakeNone) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    auto files = photographs();
    files.resize(1);
    photographOpener().open(files);
    EXPECT_TRUE(waitUntil([&] { return window().banner().isVisible(); }));
    EXPECT_EQ(input().model().sample()->id, "p0001");
}

}  // namespace
}  // namespace threefold::ui
