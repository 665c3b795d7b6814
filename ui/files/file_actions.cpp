#include <functional>
#include <utility>

#include <QAction>
#include <QCoreApplication>
#include <QFileDialog>
#include <QMenu>

#include "engine/formats/meshes/mesh_formats.h"
#include "engine/sample/bundled_samples.h"
#include "ui/document/background.h"
#include "ui/files/drop_target.h"
#include "ui/files/file_kinds.h"
#include "ui/files/open_dialog.h"
#include "ui/files/opened_bar.h"
#include "ui/files/opened_files.h"
#include "ui/files/opened_framing.h"
#include "ui/files/recent_files.h"
#include "ui/files/second_network.h"
#include "ui/files/session_files.h"
#include "ui/panes/pane_headers.h"
#include "ui/panes/window_panes.h"
#include "ui/run/network_menu.h"
#include "ui/shell/actions.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
namespace {

class FileActions {
    Q_DECLARE_TR_FUNCTIONS(FileActions)
};

/// Asks for a truth or a mesh, and opens it. Calls `beforeOpening` once a file is chosen.
void askForTruthOrMesh(
    const FeatureContext& context, OpenedFiles& files, bool truth,
    const std::function<void()>& beforeOpening = [] {}) {
    const QString patterns = meshFilePatterns() + (truth ? QStringLiteral(" *.dat") : QString());
    QFileDialog& dialog = askForFile(
        {.parent = context.window,
         .title =
             truth ? FileActions::tr("Open as truth") : FileActions::tr("Open a mesh to compare"),
         .filters = {FileActions::tr("Meshes and points (%1)").arg(patterns),
                     FileActions::tr("All files (*)")},
         .remembered = {{context.settings, QStringLiteral("files/openFolder")}}},
        files, [&files, truth, beforeOpening](const std::filesystem::path& file) {
            beforeOpening();
            files.open(truth ? OpenRequest{.truth = file} : OpenRequest{.meshBesideResult = file});
        });
    dialog.setObjectName(QStringLiteral("openFiles"));
}

/// Title of a folder of photographs: "Wood toy".
QString titleOfPhotographs(const std::filesystem::path& folder) {
    QString title = fileName(folder).replace('_', ' ');
    return title.left(1).toUpper() + title.mid(1);
}

/// Title of a rendering's folder: "airplane · p0001".
QString titleOfRendering(const std::filesystem::path& folder) {
    return sampleTitle(folder.parent_path().filename().string(), folder.filename().string());
}

/// Adds File > Samples: the bundled photographs, then the renderings, named by category and object.
void addSampleMenu(const FeatureContext& context, OpenedFiles& files) {
    auto* menu = new QMenu(QCoreApplication::translate("SampleMenu", "&Samples"), &context.window);
    menu->setToolTipsVisible(true);
    menu->menuAction()->setEnabled(false);
    context.actions.addSubmenu(MenuSection::fileOpen, *menu);
    inBackground(
        menu, [] { return std::pair(bundledPhotographs(), bundledSamples()); },
        [menu, &files](const auto& samples) {
            const auto add = [menu, &files](const QString& title,
                                            const std::filesystem::path& sample) {
                QAction* action = menu->addAction(title);
                action->setToolTip(pathText(sample));
                QObject::connect(action, &QAction::triggered, &files,
                                 [&files, sample] { files.open({{sample}}); });
            };
            for (const auto& sample : samples.first) add(titleOfPhotographs(sample), sample);
            menu->addSeparator();
            for (const auto& sample : samples.second) add(titleOfRendering(sample), sample);
            menu->menuAction()->setEnabled(!menu->isEmpty());
        },
        [](const ErrorReport&) {});  // no samples are installed: the menu stays disabled
}

}  // namespace

OpenedFiles& addFiles(const FeatureContext& context, const WindowPanes& panes,
                      NetworkClient& client, NetworkMenu& networks) {
    auto* files = new OpenedFiles(context);
    new OpenedFraming(context, panes.viewport);
    QObject::connect(context.actions.open, &QAction::triggered, files, [context, files] {
        auto* dialog = new OpenDialog(context.window, context.settings);
        QObject::connect(dialog, &OpenDialog::chosen, files,
                         [files](const auto& chosen) { files->open({.files = chosen}); });
        dialog->open();
    });
    const auto add = [&](const QString& text, const QKeySequence& keys, const QString& tooltip,
                         bool truth) {
        QAction* action = context.actions.add(
            {.menu = MenuSection::fileMeshes, .text = text, .keys = keys, .tooltip = tooltip});
        QObject::connect(action, &QAction::triggered, files,
                         [context, files, truth] { askForTruthOrMesh(context, *files, truth); });
    };
    add(FileActions::tr("Co&mpare with…"), Qt::CTRL | Qt::Key_D,
        FileActions::tr("Show a mesh or points next to the result: %1")
            .arg(QString::fromStdString(meshFormatNames())),
        false);
    add(FileActions::tr("Open as &truth…"), Qt::CTRL | Qt::Key_T,
        FileActions::tr(
            "Measure the result against a mesh or points of your own, without running the network "
            "again"),
        true);
    new RecentFiles(context, *files);
    addSampleMenu(context, *files);
    addOpenedBars(context, *files);
    new DropTarget(context, panes.viewport, *files);
    new SessionFiles(context, panes.viewport, *files, networks);
    auto* second = new SecondNetwork(context, client, networks, *files);
    panes.headers.addOpening(
        [context, files, second](QMenu& menu, const std::function<void()>& choosePane) {
            menu.addAction(FileActions::tr("&Open a mesh…"), files, [context, files, choosePane] {
                askForTruthOrMesh(context, *files, false, choosePane);
            });
            menu.addMenu(&second->menu());
            QObject::connect(&second->menu(), &QMenu::triggered, &menu, [second, choosePane] {
                if (second->choice()) choosePane();
            });
        });
    QObject::connect(files, &OpenedFiles::modelRequested, &networks, &NetworkMenu::load);
    return *files;
}

}  // namespace threefold::ui
