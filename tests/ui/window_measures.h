#pragma once

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPointer>
#include <QTest>
#include <QToolButton>
#include <QUrl>

#include "engine/formats/meshes/mesh_writing.h"
#include "tests/ui/window_fixture.h"
#include "ui/document/document.h"
#include "ui/document/measured_meshes.h"
#include "ui/files/drop_target.h"
#include "ui/files/opened_bar.h"
#include "ui/files/opened_files.h"
#include "ui/input/input_panel.h"
#include "ui/input/view_slots.h"
#include "ui/inspect/inspector.h"
#include "ui/inspect/measures_table.h"
#include "ui/inspect/results_list.h"
#include "ui/panes/number_label.h"
#include "ui/panes/pane_headers.h"
#include "ui/panes/picking.h"
#include "ui/results/quantities.h"
#include "ui/shell/banner.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {

namespace fs = std::filesystem;

class WindowMeasures : public test::WindowTest {
  protected:
    template <class Feature>
    Feature& feature() {
        return *window().findChild<Feature*>();
    }
    Inspector& inspector() { return window().inspector(); }
    MeasureRow row(std::size_t i) { return inspector().measures().rows().at(i); }
    std::string bar() { return feature<OpenedBar>().text().toStdString(); }

    /// Writes a tetrahedron in world space.
    fs::path writeTetrahedron(const std::string& name, float size = 0.3F) {
        const fs::path file = folder() / name;
        writeMesh(file, meshFormatFromExtension(file.extension().string()).value(),
                  {{{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}},
                   {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
        return file;
    }
    /// Drops files onto the panes. Returns the hint shown before the drop.
    std::string drop(const std::vector<fs::path>& files,
                     Qt::KeyboardModifiers keys = Qt::NoModifier) {
        QMimeData data;
        QList<QUrl> urls;
        for (const fs::path& file : files)
            urls << QUrl::fromLocalFile(QString::fromStdString(file.string()));
        data.setUrls(urls);
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, keys);
        QCoreApplication::sendEvent(&viewport(), &enter);
        const std::string hint = feature<DropTarget>().hint().toStdString();
        QDropEvent event({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, keys);
        QCoreApplication::sendEvent(&viewport(), &event);
        return hint;
    }
    bool compare(const fs::path& file) {
        const OpenedMeshRef before = document().opened.first();
        drop({file});
        return waitUntil([&] { return document().opened.first() != before; });
    }
    bool measured() {
        return waitUntil(
            [&] { return !window().measured().meshes().empty() && !window().measured().isBusy(); });
    }
    /// Position of a point in a pane's picture, in logical pixels of the viewport.
    QPoint positionOnScreen(std::size_t pane, glm::vec3 point) {
        const PaneCameras& cameras = viewport().cameras();
        const glm::vec2 size = cameras.paneSize();
        const render::OrbitCamera& camera = cameras.camera(pane);
        const glm::vec4 clip =
            camera.projectionMatrix(size.x / size.y) * camera.viewMatrix() * glm::vec4(point, 1);
        const glm::vec2 inPane = (glm::vec2(clip.x, clip.y) / clip.w * 0.5F + 0.5F) * size;
        const float left = inPane.x - cameras.inPane(pane, inPane).x;
        const double ratio = viewport().devicePixelRatio();
        return {qRound((inPane.x + left) / ratio), qRound(inPane.y / ratio)};
    }
    /// Indices of visible vertices, at least 60 pixels from each other in the picture.
    std::vector<std::size_t> seen(const render::SceneMeshRef& mesh, std::size_t pane) {
        const PickTree tree(mesh);
        const glm::vec3 cameraCentre = viewport().cameras().camera(pane).centre();
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < mesh->vertices.size(); ++i) {
            if (tree.isOccluded(i, cameraCentre)) continue;
            const auto close = [&](std::size_t other) {
                return (positionOnScreen(pane, mesh->vertices[i]) -
                        positionOnScreen(pane, mesh->vertices[other]))
                           .manhattanLength() < 60;
            };
            if (std::none_of(found.begin(), found.end(), close)) found.push_back(i);
        }
        return found;
    }
    QString distance() { return window().findChild<NumberLabel*>("distanceReadout")->text(); }
};

}  // namespace threefold::ui
