#include <filesystem>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "tests/ui/desktop.h"
#include "tests/ui/window_fixture.h"
#include "ui/batch/batch_dialog.h"
#include "ui/batch/batch_feature.h"
#include "ui/document/session.h"
#include "ui/files/export_dialog.h"
#include "ui/files/open_dialog.h"
#include "ui/files/session_files.h"
#include "ui/input/data_set_browser.h"
#include "ui/shell/actions.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

QString text(const fs::path& path) {
    return QString::fromStdString(path.string());
}

class WindowMenus : public test::WindowTest {
  protected:
    template <class Feature>
    Feature& feature() {
        return *window().findChild<Feature*>();
    }
    std::string status() { return window().statusLine().text().toStdString(); }

    fs::path writeMesh(const char* name) {
        const fs::path file = folder() / name;
        threefold::writeMesh(file, MeshFormat::obj,
                             {{{0, 0, 0}, {0.3F, 0, 0}, {0, 0.3F, 0}, {0, 0, 0.2F}},
                              {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
        return file;
    }

    QPointer<OpenDialog> askWhatToOpen() {
        trigger(QKeySequence(QKeySequence::Open));
        const QPointer<OpenDialog> dialog(window().findChild<OpenDialog*>());
        EXPECT_FALSE(dialog.isNull());
        EXPECT_TRUE(dialog && QTest::qWaitForWindowExposed(dialog));
        return dialog;
    }
    void openFile(const fs::path& file) {
        const QPointer<OpenDialog> dialog = askWhatToOpen();
        ASSERT_FALSE(dialog.isNull());
        auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
        name->setText(text(file));
        QTest::keyClick(name, Qt::Key_Return);
        ASSERT_TRUE(waitUntil([&] { return dialog.isNull(); }));
    }
    /// Opens a folder by the button "Open folder" of the dialog that shows it.
    void openFolder(const fs::path& shown) {
        const QPointer<OpenDialog> dialog = askWhatToOpen();
        ASSERT_FALSE(dialog.isNull());
        auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
        name->setText(text(shown));
        QTest::keyClick(name, Qt::Key_Return);  // shows the folder in the dialog
        const QString button = "Open fol&der “" + text(shown.filename()) + "”";
        const auto find = [&]() -> QPushButton* {
            for (QPushButton* each : dialog->findChildren<QPushButton*>())
                if (each->text() == button) return each;
            return nullptr;
        };
        ASSERT_TRUE(waitUntil([&] { return find() != nullptr; }));
        QTest::mouseClick(find(), Qt::LeftButton);
        ASSERT_TRUE(waitUntil([&] { return dialog.isNull(); }));
    }
    void answer(const char* button) {
        QMessageBox* box = nullptr;
        ASSERT_TRUE(waitUntil([&] {
            const auto boxes = window().findChildren<QMessageBox*>("replaceQuestion");
            box = boxes.isEmpty() ? nullptr : boxes.first();
            return box != nullptr && box->isVisible();
        }));
        for (QAbstractButton* each : box->buttons()) {
            if (each->text().remove('&') == button) return QTest::mouseClick(each, Qt::LeftButton);
        }
        ADD_FAILURE() << "no button " << button;
    }
};

void collect(const QMenu& menu, std::vector<const QAction*>& commands) {
    for (const QAction* action : menu.actions()) {
        if (action->menu() != nullptr) {
            collect(*action->menu(), commands);
        } else if (!action->isSeparator()) {
            commands.push_back(action);
        }
    }
}

TEST_F(WindowMenus, holdEachCommandOnce) {
    std::vector<const QAction*> commands;
    for (const QAction* menu : window().menuBar()->actions()) collect(*menu->menu(), commands);
    std::set<const QAction*> seen;
    for (const QAction* command : commands)
        EXPECT_TRUE(seen.insert(command).second) << command->text().toStdString() << " twice";
    EXPECT_GT(seen.size(), 60U);
}

TEST_F(WindowMenus, groupTheCommandsOfView) {
    QMenu* view = nullptr;
    for (const QAction* menu : window().menuBar()->actions())
        if (menu->text() == "&View") view = menu->menu();
    ASSERT_NE(view, nullptr);
    QStringList submenus;
    int commands = 0;
    for (const QAction* entry : view->actions()) {
        if (entry->menu() != nullptr) {
            submenus << entry->text().remove('&');
            EXPECT_FALSE(entry->menu()->isEmpty()) << entry->text().toStdString();
        } else if (!entry->isSeparator()) {
            ++commands;
        }
    }
    for (const char* group : {"Panes", "Look", "Colour", "Camera", "Panels", "Theme"})
        EXPECT_TRUE(submenus.contains(QString::fromLatin1(group))) << group;
    EXPECT_LE(commands, 6);
}

TEST_F(WindowMenus, openAnythingByOneCommand) {
    QStringList opening;
    for (const QAction* each : window().findChildren<QAction*>())
        if (each->text().remove('&').startsWith("Open") && each->text().endsWith(u'…'))
            opening << each->text().remove('&');
    EXPECT_THAT(opening, testing::UnorderedElementsAre("Open…", "Open as truth…"));

    openFile(writeMesh("mesh.obj"));
    EXPECT_TRUE(waitUntil([&] { return document().opened.first() != nullptr; }));

    openFolder(test::bundledSampleFolder());
    EXPECT_TRUE(waitUntil([&] { return document().result.current() != nullptr; }));

    const fs::path root = folder() / "ShapeNetRendering";
    fs::create_directories(root / "04379243");
    fs::create_directory_symlink(test::bundledSampleFolder("04379243"),
                                 root / "04379243" / "p0001");
    openFolder(root);
    EXPECT_TRUE(waitUntil([&] { return feature<DataSetBrowser>().root() == root; }));

    const fs::path session = folder() / "kept.threefold";
    Session kept = feature<SessionFiles>().current();
    kept.look.paneLayout = PaneLayout::overlay;
    writeSession(session, kept);
    openFile(session);
    EXPECT_TRUE(
        waitUntil([&] { return document().look.current().paneLayout == PaneLayout::overlay; }));

    const fs::path list = folder() / "list.txt";
    std::ofstream(list) << "02691156_p0001_00.dat\n";
    openFile(list);
    EXPECT_TRUE(waitUntil([&] { return window().findChild<BatchDialog*>() != nullptr; }));
    EXPECT_EQ(feature<BatchDialog>().plan().source, list);
}

TEST_F(WindowMenus, openTheSelectedFolder) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const QPointer<OpenDialog> dialog = askWhatToOpen();
    ASSERT_FALSE(dialog.isNull());
    dialog->setDirectory(text(test::bundledSampleFolder("04379243").parent_path()));
    auto* list = dialog->findChild<QListView*>("listView");
    ASSERT_TRUE(waitUntil([&] { return list->model()->rowCount(list->rootIndex()) == 2; }));
    const QModelIndexList found = list->model()->match(
        list->model()->index(0, 0, list->rootIndex()), Qt::DisplayRole, QStringLiteral("p0001"));
    ASSERT_EQ(found.size(), 1);
    list->setCurrentIndex(found.front());
    for (QPushButton* each : dialog->findChildren<QPushButton*>()) {
        if (!each->text().contains("p0001")) continue;
        QTest::mouseClick(each, Qt::LeftButton);
        break;
    }
    EXPECT_TRUE(
        waitUntil([&] { return document().result.current()->sample->category == "04379243"; }));
    EXPECT_EQ(document().result.current()->sample->id, "p0001");
}

TEST_F(WindowMenus, offerTheBundledSamples) {
    QMenu* samples = nullptr;
    for (QMenu* menu : window().findChildren<QMenu*>())
        if (menu->title() == "&Samples") samples = menu;
    ASSERT_NE(samples, nullptr);
    ASSERT_TRUE(waitUntil([&] { return !samples->actions().empty(); }));
    QStringList titles;
    for (const QAction* each : samples->actions()) titles << each->text();
    EXPECT_EQ(titles, QStringList({"Wood toy", "", "chair · banquet", "lamp · lantern",
                                   "table · bistro", "car · lorry", "airplane · p0001",
                                   "car · p0001", "chair · p0001", "table · p0001"}));
    samples->actions().at(3)->trigger();
    EXPECT_TRUE(waitUntil([&] {
        return document().result.current() &&
               document().result.current()->sample->category == "03636649";
    }));
}

TEST_F(WindowMenus, askBeforeASessionIsReplaced) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const fs::path file = folder() / "airplane_p0001_0-6-7.threefold";
    std::ofstream(file) << "mine";
    const auto content = [&] {
        std::ifstream stream(file);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    const auto dialog = [&] { return QPointer<QFileDialog>(window().findChild<QFileDialog*>()); };
    trigger("Save session…");
    ASSERT_TRUE(waitUntil([&] { return !dialog().isNull() && dialog()->isVisible(); }));
    auto* name = dialog()->findChild<QLineEdit*>("fileNameEdit");
    EXPECT_EQ(name->text().toStdString(), file.filename());
    // The name lacks the suffix, so no file has that name, and a native dialog would not ask.
    dialog()->setDirectory(text(folder().path()));
    name->setText("airplane_p0001_0-6-7");
    QTest::keyClick(name, Qt::Key_Return);
    answer("Cancel");
    // After Cancel the file is unchanged, and the file dialog is shown again.
    ASSERT_TRUE(waitUntil([&] { return !dialog().isNull() && dialog()->isVisible(); }));
    EXPECT_EQ(content(), "mine");
    name = dialog()->findChild<QLineEdit*>("fileNameEdit");
    EXPECT_EQ(name->text().toStdString(), file.filename());
    QTest::keyClick(name, Qt::Key_Return);
    answer("Replace");
    EXPECT_TRUE(waitUntil([&] { return content() != "mine"; }));
    ASSERT_TRUE(waitUntil([&] { return status().starts_with("Saved"); }));
    EXPECT_THAT(status(), HasSubstr(file.filename().string()));
}

TEST_F(WindowMenus, exportMeshes_askingBeforeTheyReplaceFiles) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    std::ofstream(folder() / "airplane_p0001_0-6-7_refined.obj") << "mine";
    const auto find = [&] { return QPointer<ExportDialog>(window().findChild<ExportDialog*>()); };
    trigger("Export mesh…");
    const QPointer<ExportDialog> dialog = find();
    ASSERT_FALSE(dialog.isNull());
    EXPECT_EQ(dialog->findChild<QLineEdit*>("exportName")->text(), "airplane_p0001_0-6-7");
    dialog->findChild<QLineEdit*>("exportFolder")->setText(text(folder().path()));
    for (QAbstractButton* each : dialog->findChildren<QAbstractButton*>())
        if (each->text() == "&Coarse") QTest::keyClick(each, Qt::Key_Space);
    const auto press = [&] {
        for (QPushButton* each : dialog->findChildren<QPushButton*>())
            if (each->text() == "Export") QTest::mouseClick(each, Qt::LeftButton);
    };
    const fs::path refined = folder() / "airplane_p0001_0-6-7_refined.obj";
    press();
    answer("Cancel");
    EXPECT_FALSE(dialog.isNull());
    EXPECT_EQ(fs::file_size(refined), 4U);
    EXPECT_FALSE(fs::exists(folder() / "airplane_p0001_0-6-7_coarse.obj"));
    press();
    answer("Replace");
    ASSERT_TRUE(waitUntil([&] { return status().starts_with("Saved"); }));
    EXPECT_THAT(status(), HasSubstr("airplane_p0001_0-6-7_coarse.obj"));
    EXPECT_THAT(status(), HasSubstr("airplane_p0001_0-6-7_refined.obj"));
    EXPECT_THAT(status(), HasSubstr(folder().path().string()));
    const LoadedMesh mesh = readMesh(refined);
    EXPECT_LT(glm::distance(mesh.vertices[7],
                            document().result.current()->mesh(MeshId::result)->vertices[7]),
              1e-5F);
}

TEST_F(WindowMenus, openTheFolderOfASavedFile) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    feature<SessionFiles>().save(folder() / "kept.threefold");
    ASSERT_TRUE(waitUntil([&] { return status().starts_with("Saved"); }));
    test::Desktop desktop;
    QToolButton* button = nullptr;
    for (QToolButton* each : window().statusLine().findChildren<QToolButton*>())
        if (each->text() == "Open folder") button = each;
    ASSERT_TRUE(button != nullptr && button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(desktop.opened, text(folder().path()));
    window().statusLine().showMessage("something else");
    EXPECT_FALSE(button->isVisible());
}

TEST_F(WindowMenus, dimReconstruct_whenTheResultIsCurrent) {
    auto* bar = window().findChild<QToolBar*>("tools");
    QWidget* button = bar->widgetForAction(action("Reconstruct"));
    const QColor accent = themeColours(Theme::dark).accent;
    const auto accented = [&] {
        const QImage picture = button->grab().toImage();
        int found = 0;
        for (int x = 0; x < picture.width(); ++x)
            found += picture.pixelColor(x, 3) == accent ? 1 : 0;
        return found > picture.width() / 2;
    };
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_TRUE(waitUntil([&] { return !accented(); }));
    // The slots get a sample that is not reconstructed.
    window().opener().showInput(
        std::make_shared<const Sample>(findSample(test::bundledSampleFolder("04379243"))),
        {0, 6, 7});
    EXPECT_TRUE(waitUntil(accented));
    trigger("Reconstruct");
    EXPECT_TRUE(waitUntil([&] { return !accented() && !document().run.state().isActive(); }));
    EXPECT_EQ(document().result.current()->sample->category, "04379243");
}

}  // namespace
}  // namespace threefold::ui
