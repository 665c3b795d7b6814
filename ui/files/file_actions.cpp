#include "ui/files/file_actions.h"

#include <QAction>
#include <QCoreApplication>
#include <QFileDialog>
#include <QMenu>

#include "engine/formats/meshes/mesh_formats.h"
#include "ui/files/drop_target.h"
#include "ui/files/file_kinds.h"
#include "ui/files/opened_bar.h"
#include "ui/files/opened_files.h"
#include "ui/files/recent_files.h"
#include "ui/files/session_files.h"
#include "ui/shell/actions.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/shell.h"

namespace threefold::ui {
namespace {

class FileActions {
    Q_DECLARE_TR_FUNCTIONS(FileActions)
};

void ask(const WindowParts& parts, OpenedFiles& files, OpenAs how) {
    const QString meshes = meshFilePatterns();
    FileQuestion question{.parent = parts.window,
                          .title = FileActions::tr("Open a file"),
                          .filters = {FileActions::tr("Meshes and points (%1)").arg(meshes)},
                          .settings = &parts.settings,
                          .folderKey = QStringLiteral("files/openFolder")};
    QFileDialog* dialog = nullptr;
    if (how == OpenAs::automatic) {
        question.filters.prepend(
            FileActions::tr("All supported files (%1)")
                .arg(meshes + QStringLiteral(" *.threefold *.dat *.png *.jpg *.jpeg")));
        question.filters << FileActions::tr("Sessions (*.threefold)")
                         << FileActions::tr("Samples' images and truths (%1)")
                                .arg(QStringLiteral("*.png *.jpg *.jpeg *.dat"))
                         << FileActions::tr("All files (*)");
        dialog = &askForFiles(question, files,
                              [&files](const auto& chosen) { files.open({.files = chosen}); });
    } else {
        const bool truth = how == OpenAs::truth;
        question.title =
            truth ? FileActions::tr("Open as truth") : FileActions::tr("Open a mesh to compare");
        if (truth)
            question.filters = {
                FileActions::tr("Meshes and points (%1)").arg(meshes + QStringLiteral(" *.dat"))};
        question.filters << FileActions::tr("All files (*)");
        dialog = &askForFile(question, files, [&files, truth](const std::filesystem::path& file) {
            files.open(truth ? Opening{.truth = file} : Opening{.comparison = file});
        });
    }
    dialog->setObjectName(QStringLiteral("openFiles"));
}

}  // namespace

OpenedFiles& addFiles(const WindowParts& parts) {
    auto* files = new OpenedFiles(parts);
    const auto add = [&](const QString& text, const QKeySequence& keys, const QString& tooltip,
                         OpenAs how) {
        QAction* action = parts.actions.add(MenuName::file, text, keys, tooltip);
        QObject::connect(action, &QAction::triggered, files,
                         [parts, files, how] { ask(parts, *files, how); });
    };
    add(FileActions::tr("Open &file…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O,
        FileActions::tr("A mesh, a session, or an image or truth of a sample"), OpenAs::automatic);
    add(FileActions::tr("Co&mpare with…"), Qt::CTRL | Qt::Key_D,
        FileActions::tr("Show a mesh or points next to the result: %1")
            .arg(QString::fromStdString(meshFormatNames())),
        OpenAs::comparison);
    add(FileActions::tr("Open as &truth…"), Qt::CTRL | Qt::Key_T,
        FileActions::tr(
            "Measure the result against a mesh or points of your own, without running the network "
            "again"),
        OpenAs::truth);
    new RecentFiles(parts, *files);
    new OpenedBar(parts, *files);
    new DropTarget(parts, *files);
    new SessionFiles(parts, *files);

    // Quit stays the last entry.
    QMenu& menu = parts.actions.menu(MenuName::file);
    menu.removeAction(parts.actions.quit);
    menu.addSeparator();
    menu.addAction(parts.actions.quit);
    return *files;
}

}  // namespace threefold::ui
