#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPointer>
#include <QProcess>
#include <QTest>
#include <QUrl>

#include "engine/formats/meshes/mesh_files.h"
#include "tests/ui/window_files.h"
#include "ui/batch/batch_dialog.h"
#include "ui/document/document.h"
#include "ui/files/opened_bar.h"
#include "ui/files/opened_files.h"
#include "ui/files/recent_files.h"
#include "ui/files/session_files.h"
#include "ui/input/data_set_browser.h"
#include "ui/input/input_panel.h"
#include "ui/input/undo_history.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/shell/banner.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class WindowFiles : public test::FilesTest {
  protected:
    /// Runs `threefold` with its settings in the test's folder, and waits until the program ends.
    void runProgram(QProcess& program, const QStringList& arguments) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_CONFIG_HOME", QString::fromStdString(folder().path().string()));
        program.setProcessEnvironment(environment);
        program.start(THREEFOLD_PROGRAM, arguments);
        ASSERT_TRUE(program.waitForFinished(60000)) << arguments.front().toStdString();
    }
};

TEST_F(WindowFiles, areOfferedByTheDialog_inEachFormatOfMeshes) {
    for (const char* action : {"Open…", "Compare with…", "Open as truth…"}) {
        SCOPED_TRACE(action);
        trigger(action);
        const QPointer<QFileDialog> dialog(window().findChild<QFileDialog*>("openFiles"));
        ASSERT_FALSE(dialog.isNull());
        const QString filter = dialog->nameFilters().constFirst();
        const QStringList offered = filter.mid(filter.indexOf('(') + 1).chopped(1).split(' ');
        for (const char* names : {"*.obj", "*.ply", "*.stl", "*.glb", "*.gltf", "*.xyz", "*.npy"})
            EXPECT_TRUE(offered.contains(QString::fromLatin1(names))) << names;
        dialog->close();
        ASSERT_TRUE(waitUntil([&] { return dialog.isNull(); }));
    }
}

TEST_F(WindowFiles, areReportedAsNotOpened_besideASession) {
    window().files().open({{writeTetrahedron("a.ply", 0), folder() / "b.threefold"}});
    EXPECT_THAT(window().statusLine().text().toStdString(), HasSubstr("not opened: a.ply"));
    // b.threefold does not exist.
    ASSERT_TRUE(waitUntil([&] { return window().banner().isVisible(); }));
    EXPECT_TRUE(document().opened.ids().empty());
}

TEST_F(WindowFiles, areReportedAsNotOpened_whenTheyAreFurtherSamples) {
    const fs::path further = test::bundledSampleFolder("02958343");
    window().files().open({{test::bundledSampleFolder(), further, further / "rendering/00.png"}});
    EXPECT_THAT(bannerText(), HasSubstr(further.filename().string() + ", 00.png: not opened"));
}

TEST_F(WindowFiles, areReportedAsNotOpened_whenTheyAreImagesBesideASample) {
    const fs::path images = test::bundledSampleFolder("02958343") / "rendering";
    bool requested = false;
    QObject context;
    QObject::connect(&window().files(), &OpenedFiles::imagesRequested, &context,
                     [&] { requested = true; });
    window().files().open({{test::bundledSampleFolder(), images / "00.png", images / "01.png"}});
    EXPECT_THAT(bannerText(), HasSubstr("00.png, 01.png: not opened"));
    EXPECT_FALSE(requested);
}

TEST_F(WindowFiles, areThePhotographsOfTheGivenViews_whenTheyAreImages) {
    const fs::path images = test::bundledSampleFolder() / "rendering";
    window().files().open(
        {.files = {images / "00.png", images / "01.png", images / "02.png"}, .views = {2, 0}});
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != nullptr; }));
    EXPECT_EQ(document().result.current()->views, (std::vector<int>{2, 0}));
}

TEST_F(WindowFiles, areMeshes_whenOpenedWithImages) {
    const fs::path images = test::bundledSampleFolder() / "rendering";
    window().files().open({{images / "00.png", images / "01.png", writeTetrahedron("a.ply", 0),
                            writeTetrahedron("b.ply", 0)}});
    ASSERT_TRUE(waitUntil([&] { return document().opened.ids().size() == 2; }));
    EXPECT_EQ(document().opened.reference(), nullptr);
}

TEST_F(WindowFiles, areCopied_whenADragProposesAMove) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    QMimeData data;
    data.setUrls(
        {QUrl::fromLocalFile(QString::fromStdString(writeTetrahedron("truth.obj", 0).string()))});
    // With Shift, Qt proposes a move; in this window Shift opens the file as truth.
    constexpr auto kOffered = Qt::CopyAction | Qt::MoveAction;
    QDragEnterEvent enter({50, 50}, kOffered, &data, Qt::LeftButton, Qt::ShiftModifier);
    ASSERT_EQ(enter.proposedAction(), Qt::MoveAction);
    QCoreApplication::sendEvent(&viewport(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    EXPECT_EQ(enter.dropAction(), Qt::CopyAction);
    QDropEvent event({50, 50}, kOffered, &data, Qt::LeftButton, Qt::ShiftModifier);
    QCoreApplication::sendEvent(&viewport(), &event);
    EXPECT_TRUE(event.isAccepted());
    EXPECT_EQ(event.dropAction(), Qt::CopyAction);
}

TEST_F(WindowFiles, showAMesh_withoutTheNetwork) {
    const fs::path file = writeTetrahedron("alone.ply", 0);
    bool shown = false;
    QObject context;
    QObject::connect(&window(), &MainWindow::pictureShown, &context, [&] { shown = true; });
    EXPECT_EQ(drop(file), "Drop to open");
    ASSERT_TRUE(waitUntil([&] { return shown && document().opened.first(); }));
    EXPECT_EQ(document().opened.first()->path, file);
    EXPECT_EQ(document().opened.first()->mesh->faces.size(), 4U);
    EXPECT_EQ(network().runs, 0);
    EXPECT_EQ(window().windowTitle(), "alone.ply — Threefold");
    EXPECT_THAT(feature<OpenedBar>().text().toStdString(),
                HasSubstr("alone.ply · 4 triangles · y up"));
    EXPECT_FALSE(action(QStringLiteral("Switch opened mesh to camera space"))->isEnabled());
    EXPECT_FALSE(window().banner().isVisible());
}

TEST_F(WindowFiles, compareAMesh_inItsOwnSpace) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const int runs = network().runs;
    ASSERT_TRUE(compare(writeTetrahedron("camera.obj", -0.8F)));
    EXPECT_EQ(feature<OpenedFiles>().meshSources()[0]->space(), MeshSpace::camera);
    const Camera camera = document().result.current()->referenceCamera();
    const glm::vec3 first(camera.toWorld({0, 0, -0.8}));
    EXPECT_LT(glm::distance(document().opened.first()->mesh->vertices[0], first), 1e-5F);
    // When the mesh is read as world space, its vertices stay unchanged.
    const OpenedMeshRef before = document().opened.first();
    trigger("Switch opened mesh to world space");
    ASSERT_TRUE(waitUntil([&] { return document().opened.first() != before; }));
    EXPECT_EQ(document().opened.first()->mesh->vertices[0], glm::vec3(0, 0, -0.8F));
    trigger("Close opened mesh");
    EXPECT_EQ(document().opened.first(), nullptr);
    EXPECT_TRUE(feature<OpenedBar>().text().isEmpty());
    EXPECT_EQ(network().runs, runs);
}

TEST_F(WindowFiles, measureAgainstAnotherTruth_withoutTheNetwork) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ResultRef before = document().result.current();
    const int runs = network().runs;
    EXPECT_EQ(drop(writeTetrahedron("truth.stl", 0), Qt::ShiftModifier), "Drop as truth");
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != before; }));
    const ResultRef& now = document().result.current();
    EXPECT_EQ(now->truth->points->vertices.size(), 10000U);
    EXPECT_EQ(now->sample->truthFile().filename(), "truth.stl");
    EXPECT_NE(now->evaluation()->result().measures.chamfer,
              before->evaluation()->result().measures.chamfer);
    EXPECT_EQ(network().runs, runs);
    // The next run keeps the new truth.
    window().opener().reconstruct();
    const ResultRef second = now;
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != second; }));
    EXPECT_EQ(document().result.current()->sample->truthFile().filename(), "truth.stl");
}

TEST_F(WindowFiles, useATruthOfAnotherSample_forTheShownSample) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const fs::path shown = document().result.current()->sample->folder;
    const fs::path truth = test::bundledSampleFolder().parent_path().parent_path().parent_path() /
                           "gt" / "02958343_p0001_00.dat";
    ASSERT_TRUE(fs::exists(truth));
    const ResultRef before = document().result.current();
    openByDialog(truth);
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != before; }));
    EXPECT_EQ(document().result.current()->sample->folder, shown);
    EXPECT_EQ(document().result.current()->sample->truthFile(), truth);
    const ResultRef withTruth = document().result.current();
    EXPECT_EQ(drop(withTruth->sample->truthFile()), "Drop as truth");
}

TEST_F(WindowFiles, measureTheComingResult_whenTheTruthIsChosenDuringItsRun) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    network().stageMilliseconds = 100;
    window().opener().openSample(test::bundledSampleFolder("03001627"), kPublishedViews);
    ASSERT_TRUE(waitUntil([&] { return document().run.state().sample() != nullptr; }));
    feature<OpenedFiles>().truthChoice().choose(writeTetrahedron("truth.stl", 0));
    EXPECT_TRUE(waitUntil([&] {
        const Sample& sample = *document().result.current()->sample;
        return sample.category == "03001627" && sample.truthFile().filename() == "truth.stl";
    }));
}

TEST_F(WindowFiles, areReported_whenAPictureIsDamaged) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const fs::path sampleFolder = test::sampleWithBrokenView(folder(), 11);
    const fs::path root = sampleFolder.parent_path().parent_path();
    write(root / "alone.png", "this is no picture");
    for (const fs::path& file : {root / "alone.png", sampleFolder / "rendering" / "11.png"}) {
        window().banner().hide();
        openByDialog(file);
        ASSERT_TRUE(waitUntil([&] { return !bannerText().empty(); }));
        QTest::qWait(200);  // time in which an unwanted scan of the folder would begin
        EXPECT_THAT(bannerText(), HasSubstr(file.filename().string()));
        EXPECT_NE(feature<DataSetBrowser>().root(), root);
    }
    fs::copy(sampleFolder / "rendering" / "00.png", root / "whole.png");
    openByDialog(root / "whole.png");
    ASSERT_TRUE(waitUntil([&] { return bannerText().find("camera file") != std::string::npos; }));
    QTest::qWait(200);  // time in which an unwanted scan of the folder would begin
    EXPECT_NE(bannerText(), "");
    EXPECT_NE(feature<DataSetBrowser>().root(), root);
}

TEST_F(WindowFiles, openATextAsAList_onlyWhenItNamesSamples) {
    write(folder() / "notes.txt", "Wing too thin\nask Anna\n");
    openByDialog(folder() / "notes.txt");
    ASSERT_TRUE(waitUntil([&] { return !bannerText().empty(); }));
    EXPECT_THAT(bannerText(), HasSubstr("notes.txt"));
    EXPECT_EQ(window().findChild<BatchDialog*>(), nullptr);
    write(folder() / "list.txt", "02691156_p0001_00.dat\n");
    openByDialog(folder() / "list.txt");
    EXPECT_TRUE(waitUntil([&] { return window().findChild<BatchDialog*>() != nullptr; }));
}

TEST_F(WindowFiles, areReportedAsNotOpened_whenTheyAreFurtherLists) {
    for (const char* name : {"a.txt", "b.txt"}) write(folder() / name, "02691156_p0001_00.dat\n");
    fs::path requested;
    QObject context;
    QObject::connect(&window().files(), &OpenedFiles::listRequested, &context,
                     [&](const fs::path& list) { requested = list; });
    window().files().open({{folder() / "a.txt", folder() / "b.txt"}});
    EXPECT_THAT(bannerText(), HasSubstr("b.txt: not opened"));
    ASSERT_TRUE(waitUntil([&] { return !requested.empty(); }));
    EXPECT_EQ(requested, folder() / "a.txt");
}

TEST_F(WindowFiles, areListsAndImages_whenOpenedTogether) {
    write(folder() / "list.txt", "02691156_p0001_00.dat\n");
    window().files().open(
        {{folder() / "list.txt", test::bundledSampleFolder() / "rendering" / "00.png"}});
    EXPECT_TRUE(waitUntil([&] {
        return window().findChild<BatchDialog*>() != nullptr &&
               document().result.current() != nullptr;
    }));
}

TEST_F(WindowFiles, keepTheTruth_whenAChoiceOfViewsIsUndone) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    window().input().model().putIntoSelectedSlot(9);
    const std::vector<int> chosen = window().input().model().selection().views();
    ASSERT_TRUE(waitUntil([&] { return document().result.current()->views == chosen; }));
    drop(writeTetrahedron("truth.stl", 0), Qt::ShiftModifier);
    const auto truth = [&] { return document().result.current()->sample->truthFile().filename(); };
    ASSERT_TRUE(waitUntil([&] { return truth() == "truth.stl"; }));
    window().findChild<UndoHistory*>()->stack().undo();
    ASSERT_TRUE(waitUntil([&] { return document().result.current()->views != chosen; }));
    EXPECT_EQ(truth(), "truth.stl");
    EXPECT_EQ(document().result.current()->truth->points->vertices.size(), 10000U);
}

TEST_F(WindowFiles, followTheReferenceView_whenInCameraSpace) {
    ASSERT_TRUE(compare(writeTetrahedron("camera.glb", -0.8F)));
    EXPECT_EQ(document().opened.first()->mesh->vertices[0], glm::vec3(0, 0, -0.8F));
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const glm::vec3 first(document().result.current()->referenceCamera().toWorld({0, 0, -0.8}));
    EXPECT_TRUE(waitUntil([&] {
        return glm::distance(document().opened.first()->mesh->vertices[0], first) < 1e-5F;
    }));
}

TEST_F(WindowFiles, areRemembered_newestFirst) {
    const fs::path first = writeTetrahedron("first.obj", 0);
    const fs::path second = writeTetrahedron("second.ply", 0);
    ASSERT_TRUE(compare(first));
    ASSERT_TRUE(compare(second));
    ASSERT_TRUE(compare(first));
    EXPECT_THAT(feature<RecentFiles>().list(), testing::ElementsAre(first, second));
    fs::remove(second);
    QMenu& menu = child<QMenu>(window(), "recentFiles");
    menu.popup({10, 10});
    EXPECT_TRUE(waitUntil([&] { return !menu.actions().at(1)->isEnabled(); }));
    EXPECT_TRUE(menu.actions().at(0)->isEnabled());
    const OpenedMeshRef before = document().opened.first();
    menu.actions().at(0)->trigger();
    EXPECT_TRUE(waitUntil([&] { return document().opened.first() != before; }));
    menu.actions().back()->trigger();
    EXPECT_TRUE(feature<RecentFiles>().list().empty());
    menu.close();
}

/// A file that cannot be opened, and parts of the expected message.
struct MalformedFile {
    const char* name;
    std::string bytes;
    const char* place;
    const char* problem;
};

std::vector<MalformedFile> malformedFiles() {
    return {
        {"word.obj", "v 0 0 0\nv 1 two 3\n", "line 2", "'two' is not a number"},
        {"beyond.obj", "v 0 0 0\nf 1 2 9\n", "line 2", "names the vertex 9"},
        {"short.ply",
         "ply\nformat binary_little_endian 1.0\nelement vertex 9000000\n"
         "property float x\nproperty float y\nproperty float z\nend_header\n",
         "line 3", "9000000 elements"},
        {"short.stl", std::string(84, '\1'), "byte 80", "triangles are declared"},
        {"old.glb", std::string("glTF\1\0\0\0\x0c\0\0\0", 12), "byte 4", "version 1"},
        {"word.xyz", "1 2 3\n4 five 6\n", "line 2", "'five' is not a number"},
        {"empty.npy", "", "", "the file is empty"},
        {"text.threefold", "not JSON", "", "is not JSON"},
        {"newer.threefold", R"({"threefold": "session", "version": 99})", "version", "is 99"},
        {"other.threefold", R"({"threefold": "session", "version": 1, "look": 4})", "look",
         "is not an object"},
    };
}

TEST_F(WindowFiles, keepThePicture_whenBrokenAndOpenedByAnyMeans) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ResultRef shown = document().result.current();
    const Look look = document().look.current();
    const fs::path mesh = writeTetrahedron("good.obj", 0);
    ASSERT_TRUE(compare(mesh));
    const OpenedMeshRef comparison = document().opened.first();

    enum Entrance { dialog, dropped, shiftDropped, inSession };
    for (const MalformedFile& bad : malformedFiles()) {
        const bool session = fs::path(bad.name).extension() == ".threefold";
        for (const Entrance entrance : {dialog, dropped, shiftDropped, inSession}) {
            if (session && (entrance == shiftDropped || entrance == inSession)) continue;
            SCOPED_TRACE(std::string(bad.name) + ", entrance " + std::to_string(entrance));
            const fs::path file = folder() / bad.name;
            write(file, bad.bytes);
            window().banner().hide();
            if (entrance == dialog) {
                openByDialog(file);
            } else if (entrance == inSession) {
                Session naming = feature<SessionFiles>().current();
                naming.sample = nullptr;
                naming.opened = {{file, std::nullopt}};
                writeSession(folder() / "naming.threefold", naming);
                drop(folder() / "naming.threefold");
            } else {
                drop(file, entrance == dropped ? Qt::NoModifier : Qt::ShiftModifier);
            }
            ASSERT_TRUE(waitUntil([&] { return window().banner().isVisible(); }));
            EXPECT_THAT(bannerText(), HasSubstr(bad.name));
            EXPECT_THAT(bannerText(), HasSubstr(bad.place));
            EXPECT_THAT(bannerText(), HasSubstr(bad.problem));
            EXPECT_TRUE(bannerText().ends_with('.')) << "no remedy: " << bannerText();
            EXPECT_EQ(document().result.current(), shown);
            EXPECT_EQ(document().opened.first(), comparison);
            EXPECT_EQ(document().look.current(), look);
        }
    }
}

TEST_F(WindowFiles, areReported_whenWrongOnTheCommandLine) {
    write(folder() / "broken.obj", "v 0 0 nowhere\n");
    write(folder() / "broken.threefold", "{}");
    writeSession(folder() / "nothing.threefold", Session{});
    for (const char* name :
         {"broken.obj", "broken.threefold", "nothing.threefold", "missing.glb"}) {
        QProcess program;
        runProgram(program, {QString::fromStdString((folder() / name).string()), "--quit"});
        EXPECT_EQ(program.exitCode(), 1) << name;
        EXPECT_THAT(program.readAllStandardError().toStdString(), HasSubstr(name));
    }
}

TEST_F(WindowFiles, areShownInAScreenshot_whenAskedOnTheCommandLine) {
    const QString picture = QString::fromStdString((folder() / "picture.png").string());
    QProcess program;
    runProgram(program, {QString::fromStdString(writeTetrahedron("good.stl", 0).string()),
                         "--screenshot", picture, "--quit"});
    EXPECT_EQ(program.exitCode(), 0) << program.readAllStandardError().toStdString();
    EXPECT_GT(QImage(picture).width(), 300);
}

TEST_F(WindowFiles, areNotReplacedByAScreenshot) {
    const QString mesh = QString::fromStdString(writeTetrahedron("good.stl", 0).string());
    write(folder() / "notes.txt", "notes of the user");
    const QString notes = QString::fromStdString((folder() / "notes.txt").string());
    for (const QString& file : {mesh, notes}) {
        const std::uintmax_t bytes = fs::file_size(file.toStdString());
        QProcess program;
        runProgram(program, {mesh, "--screenshot", file, "--quit"});
        EXPECT_EQ(program.exitCode(), 2);
        EXPECT_THAT(program.readAllStandardError().toStdString(), HasSubstr(file.toStdString()));
        EXPECT_EQ(fs::file_size(file.toStdString()), bytes);
    }
}

TEST_F(WindowFiles, areRestoredWithTheirSession) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_TRUE(compare(writeTetrahedron("beside.ply", 0)));
    window().input().model().setCamera(6, {12, 34, 0, 0.9, 25});
    ASSERT_TRUE(waitUntil([&] {
        return document().result.current()->sample->cameraRows[6].azimuth == 12.0 &&
               !document().run.state().isActive();
    }));
    Look look = document().look.current();
    look.shading = render::Shading::wireframe;
    look.map = render::ColourMap::viridis;
    document().look.set(look);
    drag({100, 150}, {180, 190});
    const render::OrbitCamera camera = viewport().cameras().camera(0);
    const fs::path file = folder() / "kept.threefold";
    bool written = false;
    QObject context;
    QObject::connect(&feature<SessionFiles>(), &SessionFiles::saved, &context,
                     [&] { written = true; });
    feature<SessionFiles>().save(file);
    ASSERT_TRUE(waitUntil([&] { return written; }));
    const Session saved = readSession(file);
    ASSERT_EQ(saved.opened.size(), 1U);
    EXPECT_EQ(saved.opened[0].file, folder() / "beside.ply");
    std::ifstream text(file);
    EXPECT_THAT(std::string(std::istreambuf_iterator<char>(text), {}),
                HasSubstr(R"("file": "beside.ply")"));

    // Changes all that the session holds, then restores the session.
    ASSERT_TRUE(open(test::bundledSampleFolder("03001627")));
    trigger("Close opened mesh");
    document().look.set({});
    viewport().lookAlong(StandardView::top);
    drop(file);
    ASSERT_TRUE(waitUntil([&] {
        return document().result.current()->sample->category == "02691156" &&
               document().opened.first();
    }));
    EXPECT_EQ(document().look.current(), look);
    EXPECT_EQ(document().result.current()->sample->cameraRows[6].azimuth, 12.0);
    EXPECT_EQ(document().opened.first()->path, folder() / "beside.ply");
    EXPECT_LT(glm::distance(viewport().cameras().camera(0).centre(), camera.centre()), 1e-5F);
}

TEST_F(WindowFiles, keepTheCamera_whenOpenedAfterASessionWithAMissingMesh) {
    const fs::path missing = writeTetrahedron("missing.ply", 0);
    ASSERT_TRUE(compare(writeTetrahedron("first.ply", 0)));
    ASSERT_TRUE(compare(missing));
    drag({100, 150}, {180, 190});
    const glm::vec3 saved = viewport().cameras().camera(0).centre();
    writeSession(folder() / "kept.threefold", feature<SessionFiles>().current());
    fs::remove(missing);
    newWindow();
    drop(folder() / "kept.threefold");
    ASSERT_TRUE(
        waitUntil([&] { return !bannerText().empty() && document().opened.first() != nullptr; }));
    viewport().lookAlong(StandardView::top);
    ASSERT_TRUE(compare(writeTetrahedron("third.ply", 0)));
    EXPECT_GT(glm::distance(viewport().cameras().camera(0).centre(), saved), 0.01F);
}

TEST_F(WindowFiles, keepTheWindow_whenASessionNamesNothing) {
    ASSERT_TRUE(compare(writeTetrahedron("opened.ply", 0)));
    const Look look = document().look.current();
    Session nothing;
    nothing.look = look;
    nothing.look.shading = render::Shading::wireframe;
    writeSession(folder() / "nothing.threefold", nothing);
    drop(folder() / "nothing.threefold");
    ASSERT_TRUE(waitUntil([&] { return !bannerText().empty(); }));
    EXPECT_THAT(bannerText(), HasSubstr("names neither a sample nor a mesh"));
    EXPECT_EQ(document().look.current(), look);
    EXPECT_EQ(document().opened.ids().size(), 1U);
}

TEST_F(WindowFiles, areShown_whenAnotherOfThemIsBroken) {
    write(folder() / "bad.ply", "ply\nthis is no mesh\n");
    const fs::path good = writeTetrahedron("good.ply", 0);
    feature<OpenedFiles>().open({.files = {folder() / "bad.ply", good}});
    ASSERT_TRUE(waitUntil([&] { return !feature<OpenedFiles>().tasks().isBusy(); }));
    const std::vector<ArrangedPane> panes = arrangePanes(document());
    ASSERT_EQ(panes.size(), 1U);
    ASSERT_EQ(panes[0].meshes.size(), 1U);
    EXPECT_EQ(panes[0].meshes[0].mesh->faces.size(), 4U);
    EXPECT_THAT(bannerText(), HasSubstr("bad.ply"));
    settle();
    EXPECT_GT(test::difference(picture(), QImage(picture().size(), QImage::Format_RGB32)), 0.001);
}

TEST_F(WindowFiles, keepTheMessageOfABrokenFile_whenAnotherIsReadAgain) {
    const fs::path good = writeTetrahedron("good.ply", 0);
    ASSERT_TRUE(compare(good));
    write(folder() / "bad.ply", "ply\nthis is no mesh\n");
    feature<OpenedFiles>().open({.files = {folder() / "bad.ply"}});
    ASSERT_TRUE(waitUntil([&] { return !bannerText().empty(); }));
    const OpenedMeshRef before = document().opened.first();
    writeTetrahedron("good.ply", 0.1F);
    ASSERT_TRUE(waitUntil([&] { return document().opened.first() != before; }));
    EXPECT_THAT(bannerText(), HasSubstr("bad.ply"));
}

TEST_F(WindowFiles, hideTheMessageOfABrokenFile_whenAnotherIsOpened) {
    write(folder() / "bad.ply", "ply\nthis is no mesh\n");
    feature<OpenedFiles>().open({.files = {folder() / "bad.ply"}});
    ASSERT_TRUE(waitUntil([&] { return !bannerText().empty(); }));
    ASSERT_TRUE(compare(writeTetrahedron("good.ply", 0)));
    EXPECT_EQ(bannerText(), "");
}

TEST_F(WindowFiles, offerTheLastSession) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const fs::path last = feature<SessionFiles>().lastFile();
    EXPECT_FALSE(fs::exists(last));
    window().close();
    closeWindow();  // joins the thread that writes the session
    ASSERT_TRUE(fs::exists(last));
    EXPECT_EQ(readSession(last).sample->category, "02691156");
}

}  // namespace
}  // namespace threefold::ui
