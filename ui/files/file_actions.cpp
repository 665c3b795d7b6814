#include "ui/files/file_actions.h"

#include <QAction>
#include <QCoreApplication>
#include <QFileDialog>
#include <QMenu>
#include <QSettings>
#include <QStandardPaths>

#include "ui/files/drop_target.h"
#include "ui/files/opened_bar.h"
#include "ui/files/opened_files.h"
#include "ui/files/recent_files.h"
#include "ui/files/session_files.h"
#include "ui/shell/actions.h"
#include "ui/shell/shell.h"

namespace threefold::ui {
namespace {

const QString kFolderKey = QStringLiteral("files/openFolder");

QString tr(const char* text) {
    return QCoreApplication::translate("FileActions", text);
}

const char* const kMeshes = "*.obj *.ply *.stl *.glb *.gltf *.xyz *.npy";

/// Asks without keeping the window waiting.
void ask(const WindowParts& parts, OpenedFiles& files, OpenAs how) {
    QFileDialog* dialog = nullptr;
    const QString meshes = QString::fromLatin1(kMeshes);
    if (how == OpenAs::automatic) {
        dialog = new QFileDialog(&parts.window, tr("Open a file"));
        dialog->setNameFilters(
            {tr("All that can be opened (%1)")
                 .arg(meshes + QStringLiteral(" *.threefold *.dat *.png *.jpg *.jpeg")),
             tr("Meshes and points (%1)").arg(meshes), tr("Sessions (*.threefold)"),
             tr("Samples' images and truths (%1)").arg(QStringLiteral("*.png *.jpg *.jpeg *.dat")),
             tr("All files (*)")});
        dialog->setFileMode(QFileDialog::ExistingFiles);
    } else {
        dialog =
            new QFileDialog(&parts.window, how == OpenAs::truth ? tr("Open as truth")
                                                                : tr("Open a mesh to compare"));
        dialog->setNameFilters(
            {tr("Meshes and points (%1)")
                 .arg(how == OpenAs::truth ? meshes + QStringLiteral(" *.dat") : meshes),
             tr("All files (*)")});
        dialog->setFileMode(QFileDialog::ExistingFile);
    }
    dialog->setObjectName(QStringLiteral("openFiles"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const QString home = QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
    dialog->setDirectory(parts.settings.value(kFolderKey, home).toString());
    QSettings& settings = parts.settings;
    QObject::connect(dialog, &QFileDialog::filesSelected, &files,
                     [&files, &settings, how](const QStringList& chosen) {
                         Opening opening;
                         opening.how = how;
                         for (const QString& file : chosen) {
                             if (how == OpenAs::comparison) {
                                 opening.comparison = file.toStdString();
                             } else if (how == OpenAs::truth) {
                                 opening.truth = file.toStdString();
                             } else {
                                 opening.files.emplace_back(file.toStdString());
                             }
                         }
                         settings.setValue(kFolderKey, QFileInfo(chosen.value(0)).absolutePath());
                         files.open(opening);
                     });
    dialog->show();
}

}  // namespace

void addFiles(const WindowParts& parts) {
    auto* files = new OpenedFiles(parts);
    const auto add = [&](const QString& text, const QKeySequence& keys, const QString& tooltip,
                         OpenAs how) {
        QAction* action = parts.actions.add(MenuName::file, text, keys, tooltip);
        QObject::connect(action, &QAction::triggered, files,
                         [parts, files, how] { ask(parts, *files, how); });
    };
    add(tr("Open &file…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O,
        tr("A mesh, a session, a sample's image or truth"), OpenAs::automatic);
    add(tr("Co&mpare with…"), Qt::CTRL | Qt::Key_D,
        tr("A mesh or points beside the result: OBJ, PLY, STL, GLB, glTF, XYZ, NPY"),
        OpenAs::comparison);
    add(tr("Open as &truth…"), Qt::CTRL | Qt::Key_T,
        tr("Measure the result against a mesh or points of your own, without running the network "
           "again"),
        OpenAs::truth);
    new RecentFiles(parts, *files);
    new OpenedBar(parts, *files);
    new DropTarget(parts, *files);
    new SessionFiles(parts, *files);

    // The program's end stays the last entry.
    QMenu& menu = parts.actions.menu(MenuName::file);
    menu.removeAction(parts.actions.quit);
    menu.addSeparator();
    menu.addAction(parts.actions.quit);
}

}  // namespace threefold::ui
