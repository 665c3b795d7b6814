#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QPointer>
#include <QTest>
#include <QUrl>

#include "engine/formats/meshes/mesh_writing.h"
#include "tests/ui/window_fixture.h"
#include "ui/document/document.h"
#include "ui/files/drop_target.h"
#include "ui/shell/banner.h"

namespace threefold::ui::test {

/// Opens files in the window as a user does.
class FilesTest : public WindowTest {
  protected:
    template <class Feature>
    Feature& feature() {
        return *window().findChild<Feature*>();
    }
    std::string bannerText() { return window().banner().text().toStdString(); }

    /// Writes a tetrahedron at depth `z`; at −0.8 it is recognised as a mesh in camera space.
    std::filesystem::path writeTetrahedron(const char* name, float z) {
        const std::filesystem::path file = folder() / name;
        writeMesh(file, meshFormatFromExtension(file.extension().string()).value(),
                  {{{0, 0, z}, {0.3F, 0, z}, {0, 0.3F, z}, {0, 0, z + 0.2F}},
                   {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
        return file;
    }
    void write(const std::filesystem::path& file, const std::string& text) {
        std::ofstream(file) << text;
    }

    /// Drags a file over the panes and drops it there. Returns the hint shown before the drop.
    QString drop(const std::filesystem::path& file, Qt::KeyboardModifiers keys = Qt::NoModifier) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(file.string()))});
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, keys);
        QCoreApplication::sendEvent(&viewport(), &enter);
        EXPECT_TRUE(enter.isAccepted());
        const QString hint = feature<DropTarget>().hint();
        QDropEvent event({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, keys);
        QCoreApplication::sendEvent(&viewport(), &event);
        EXPECT_TRUE(feature<DropTarget>().hint().isEmpty());
        return hint;
    }
    /// Drops a mesh and waits until it is opened; false on timeout.
    bool compare(const std::filesystem::path& file) {
        const auto opened = [&] {
            std::vector<OpenedMeshRef> meshes;
            for (std::uint32_t number = 1; number <= 3; ++number)
                meshes.push_back(document().opened.find(MeshId::opened(number)));
            return meshes;
        };
        const auto before = opened();
        drop(file);
        return waitUntil([&] { return opened() != before; });
    }
    void openByDialog(const std::filesystem::path& file) {
        trigger("Open…");
        const QPointer<QFileDialog> dialog(window().findChild<QFileDialog*>("openFiles"));
        ASSERT_FALSE(dialog.isNull());
        ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
        dialog->findChild<QLineEdit*>("fileNameEdit")
            ->setText(QString::fromStdString(file.string()));
        QTest::keyClick(dialog->findChild<QLineEdit*>("fileNameEdit"), Qt::Key_Return);
        ASSERT_TRUE(waitUntil([&] { return dialog.isNull(); }));
    }
};

}  // namespace threefold::ui::test
