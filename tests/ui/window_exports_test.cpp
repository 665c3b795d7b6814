#include <algorithm>
#include <cstdint>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "engine/formats/meshes/mesh_files.h"
#include "tests/ui/window_files.h"
#include "ui/document/document.h"
#include "ui/files/export_commands.h"
#include "ui/files/export_dialog.h"
#include "ui/files/opened_files.h"
#include "ui/files/screenshot_writer.h"

namespace threefold::ui {
namespace {

namespace fs = std::filesystem;

class ExportedFiles : public test::FilesTest {};

TEST_F(ExportedFiles, areOfTheResult_whenTheStoredNamesAreOfAnotherModel) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    QSettings settings(QString::fromStdString((folder() / "other.ini").string()),
                       QSettings::IniFormat);
    settings.setValue("files/exportMeshNames", QStringList{"refined7"});
    const ExportDialog dialog(window().shownDocument(), settings);
    EXPECT_EQ(dialog.choice().meshes, (std::vector<ExportedMesh>{{MeshId::result, "refined"}}));
}

TEST_F(ExportedFiles, areOfTheSlidersStage_whenNoStoredMeshExists) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    document().look.change([](Look& look) { look.morphPosition = test::kMorphCoarse; });
    QSettings settings(QString::fromStdString((folder() / "other.ini").string()),
                       QSettings::IniFormat);
    const auto firstChoice = [&] {
        return ExportDialog(window().shownDocument(), settings).choice().meshes;
    };
    const ExportedMesh coarse{MeshId::firstPublished, "coarse"};
    EXPECT_EQ(firstChoice(), std::vector{coarse});
    settings.setValue("files/exportMeshNames", QStringList{"fitted"});  // nothing is fitted
    EXPECT_THAT(firstChoice(), testing::Contains(coarse));
    settings.setValue("files/exportMeshNames", QStringList{"refined"});
    EXPECT_EQ(firstChoice(), (std::vector<ExportedMesh>{{MeshId::result, "refined"}}));
}

TEST_F(ExportedFiles, areTheOpenedMeshes_whenAnEarlierVersionStoredThemAsCompared) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    QSettings settings(QString::fromStdString((folder() / "other.ini").string()),
                       QSettings::IniFormat);
    settings.setValue("files/exportMeshNames", QStringList{"compared"});
    const ExportDialog dialog(window().shownDocument(), settings);
    window().files().open({{writeTetrahedron("a.ply", 0)}});
    ASSERT_TRUE(waitUntil([&] { return document().opened.ids().size() == 1; }));
    EXPECT_TRUE(std::ranges::any_of(dialog.choice().meshes,
                                    [](const ExportedMesh& mesh) { return mesh.id.isOpened(); }));
}

TEST_F(ExportedFiles, haveABoxForEachOpenedMesh) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    QSettings settings(QString::fromStdString((folder() / "other.ini").string()),
                       QSettings::IniFormat);
    settings.setValue("files/exportMeshNames", QStringList{"opened"});
    const ExportDialog dialog(window().shownDocument(), settings);
    window().files().open({{writeTetrahedron("a.ply", 0), writeTetrahedron("b.ply", 0)}});
    ASSERT_TRUE(waitUntil([&] { return document().opened.ids().size() == 2; }));
    QStringList texts;
    for (const QCheckBox* box : dialog.findChildren<QCheckBox*>()) texts << box->text().remove('&');
    EXPECT_TRUE(texts.contains("Opened: a.ply") && texts.contains("Opened: b.ply"))
        << texts.join(", ").toStdString();
    EXPECT_EQ(std::ranges::count_if(dialog.choice().meshes,
                                    [](const ExportedMesh& mesh) { return mesh.id.isOpened(); }),
              2);
}

TEST_F(ExportedFiles, areWritten_whileTheWindowStaysResponsive) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    trigger("Export mesh…");
    auto* dialog = window().findChild<ExportDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_FALSE(dialog->isModal());
    const auto combos = dialog->findChildren<QComboBox*>();
    combos.at(0)->setCurrentText("GLB (binary)");
    dialog->findChild<QLineEdit*>("exportFolder")
        ->setText(QString::fromStdString(folder().path().string()));
    for (QCheckBox* box : dialog->findChildren<QCheckBox*>()) {
        if (box->isEnabled() && !box->isChecked()) QTest::mouseClick(box, Qt::LeftButton);
        if (!box->isChecked() && box->isEnabled()) box->setChecked(true);
    }
    const auto frames = viewport().framesPresented();
    drag({100, 150}, {160, 170});
    EXPECT_TRUE(waitUntil([&] { return viewport().framesPresented() > frames; }));
    for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
        if (button->text() == "Export") QTest::mouseClick(button, Qt::LeftButton);
    }
    const fs::path file = folder() / "airplane_p0001_0-6-7_refined.glb";
    ASSERT_TRUE(waitUntil([&] { return fs::exists(file); }));
    const LoadedMesh mesh = readMesh(file);
    EXPECT_EQ(mesh.colours.size(), mesh.vertices.size());
    EXPECT_EQ(mesh.vertices.size(),
              document().result.current()->mesh(MeshId::result)->vertices.size());
    EXPECT_LT(glm::distance(mesh.vertices[7],
                            document().result.current()->mesh(MeshId::result)->vertices[7]),
              1e-5F);
    EXPECT_TRUE(fs::exists(folder() / "airplane_p0001_0-6-7_coarse.glb"));
}

TEST_F(ExportedFiles, needAFolderThatExists) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    trigger("Export mesh…");
    auto* dialog = window().findChild<ExportDialog*>();
    dialog->findChild<QLineEdit*>("exportFolder")->setText("/nowhere/at/all");
    const auto says = [&](const QString& text) {
        const auto labels = dialog->findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) {
            return label->isVisible() && label->text() == text;
        });
    };
    EXPECT_TRUE(says("Choose a folder that exists."));
    dialog->findChild<QLineEdit*>("exportFolder")
        ->setText(QString::fromStdString(folder().path().string()));
    EXPECT_FALSE(says("Choose a folder that exists."));
}

TEST_F(ExportedFiles, holdPicturesOfThePanes_atAnySize) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    bool written = false;
    QObject context;
    QObject::connect(&window().exports(), &ExportCommands::saved, &context,
                     [&] { written = true; });
    window().exports().savePanes(folder() / "clear.png", {777, 333}, true);
    ASSERT_TRUE(waitUntil([&] { return written; }));
    const QImage picture(QString::fromStdString((folder() / "clear.png").string()));
    EXPECT_EQ(picture.size(), QSize(777, 333));
    EXPECT_EQ(picture.pixelColor(3, 3).alpha(), 0);
    EXPECT_GT(test::mapFraction(picture), 0.02);
}

TEST_F(ExportedFiles, holdPicturesLargerThanTheDevicesLimit_unlessCancelled) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    QSignalSpy saved(&window().exports(), &ExportCommands::saved);
    window().exports().savePanes(folder() / "wide.png", {16384, 40});
    ASSERT_TRUE(waitUntil([&] { return saved.count() == 1; }));
    EXPECT_EQ(QImage(QString::fromStdString((folder() / "wide.png").string())).size(),
              QSize(16384, 40));

    auto& writer = *window().findChild<ScreenshotWriter*>();
    const QSignalSpy cancelled(&writer, &ScreenshotWriter::cancelled);
    const QSignalSpy ended(&writer, &ScreenshotWriter::ended);
    // Cancelling drops the running export and the queued one.
    window().exports().savePanes(folder() / "large.png", {16384, 16384});
    window().exports().savePanes(folder() / "next.png", {100, 100});
    const std::uint64_t frames = window().viewport().framesPresented();
    window().viewport().lookAlong(StandardView::top);
    EXPECT_TRUE(waitUntil([&] { return window().viewport().framesPresented() > frames; }));
    EXPECT_TRUE(ended.isEmpty());
    writer.cancel();
    ASSERT_TRUE(waitUntil([&] { return ended.count() == 1; }));
    EXPECT_EQ(cancelled.count(), 1);
    EXPECT_EQ(saved.count(), 1);
    EXPECT_FALSE(fs::exists(folder() / "large.png") || fs::exists(folder() / "next.png"));
}

TEST_F(ExportedFiles, neverReplaceAPhotographOfTheShownSample) {
    fs::copy(test::bundledSampleFolder(), folder() / "p0001", fs::copy_options::recursive);
    ASSERT_TRUE(open(folder() / "p0001"));
    const fs::path photograph = folder() / "p0001/rendering/00.png";
    ASSERT_TRUE(fs::exists(photograph));
    const std::uintmax_t bytes = fs::file_size(photograph);
    fs::create_symlink(photograph, folder() / "link.png");
    QSignalSpy saved(&window().exports(), &ExportCommands::saved);
    QSignalSpy failed(&window().exports(), &ExportCommands::failed);
    window().exports().saveWindow(photograph);
    window().exports().savePanes(photograph, {100, 100});
    window().exports().saveWindow(folder() / "link.png");
    EXPECT_TRUE(waitUntil([&] { return failed.count() == 3; }));
    EXPECT_THAT(bannerText(), testing::HasSubstr("is a file that the window shows"));
    EXPECT_EQ(saved.count(), 0);
    EXPECT_EQ(fs::file_size(photograph), bytes);
}

}  // namespace
}  // namespace threefold::ui
