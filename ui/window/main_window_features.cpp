// The features of the window. Each adds its own commands and widgets.
#include <QSplitter>

#include "ui/batch/batch_feature.h"
#include "ui/figure/figure_export.h"
#include "ui/figure/web_page_export.h"
#include "ui/files/opened_files.h"
#include "ui/files/sample_layouts.h"
#include "ui/input/camera_editor.h"
#include "ui/input/cut_out.h"
#include "ui/input/data_set_feature.h"
#include "ui/input/find_cameras_row.h"
#include "ui/input/mask_sheet.h"
#include "ui/input/photograph_opener.h"
#include "ui/input/photograph_viewer.h"
#include "ui/input/photographs_page.h"
#include "ui/input/slot_outlines.h"
#include "ui/input/undo_history.h"
#include "ui/inspect/legend.h"
#include "ui/inspect/measures_feature.h"
#include "ui/inspect/quantity_menu.h"
#include "ui/inspect/results_list.h"
#include "ui/panes/compare_features.h"
#include "ui/panes/pane_headers.h"
#include "ui/panes/view_aids.h"
#include "ui/profile/profile_overlay.h"
#include "ui/run/network_menu.h"
#include "ui/run/reconstructor.h"
#include "ui/run/unused_gpu.h"
#include "ui/run/view_commands.h"
#include "ui/window/about.h"
#include "ui/window/first_run_hint.h"
#include "ui/window/log_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/menu_hover.h"
#include "ui/window/meshes_alone.h"
#include "ui/window/reconstruct_accent.h"
#include "ui/window/shortcuts_sheet.h"
#include "ui/window/window_scene.h"
#include "ui/window/window_title.h"

namespace threefold::ui {
namespace {

// Connects the commands of Actions that belong to no feature.
void connectActions(const WindowParts& parts, NetworkClient& client) {
    const FeatureContext& context = parts.context;
    const Actions& actions = context.actions;
    const Document& document = context.document;
    Viewport& viewport = parts.layout.panes.viewport;
    QMainWindow& window = context.window;
    QObject::connect(actions.reconstruct, &QAction::triggered, &window, [context] {
        context.opener.reconstruct();
        context.status.showMessage(MainWindow::tr("Reconstructing…"));
    });
    QObject::connect(actions.cancel, &QAction::triggered, &client, &NetworkClient::cancel);
    QObject::connect(&context.status, &StatusLine::cancelClicked, &client, &NetworkClient::cancel);
    QObject::connect(actions.closeMessage, &QAction::triggered, &context.banner, &QWidget::hide);
    QObject::connect(&context.banner, &Banner::shown, actions.closeMessage, &QAction::setEnabled);
    QObject::connect(actions.frame, &QAction::triggered, &viewport, &Viewport::frameMeshes);
    QObject::connect(actions.referenceView, &QAction::triggered, &viewport, [&document, &viewport] {
        if (const ResultRef& result = document.result.current())
            viewport.lookThrough(result->referenceCamera());
    });
    QObject::connect(actions.linkCameras, &QAction::toggled, &viewport, &Viewport::setLinked);
    QObject::connect(&actions, &Actions::viewChosen, &viewport, &Viewport::lookAlong);
    QObject::connect(actions.showInput, &QAction::toggled, &parts.layout.inputSide,
                     &QWidget::setVisible);
    QObject::connect(actions.showInspector, &QAction::toggled, &parts.layout.inspectorSide,
                     &QWidget::setVisible);
    QObject::connect(
        &document.opened, &OpenedMeshes::changed, actions.exportMesh,
        [&document, exportMesh = actions.exportMesh] {
            exportMesh->setEnabled(document.result.current() || document.opened.first());
        });
}

void connectInspector(const WindowParts& parts, const NetworkClient& client) {
    const Document& document = parts.models.document;
    Inspector& inspector = parts.layout.inspector;
    QObject::connect(&client, &NetworkClient::networkReady, &inspector, &Inspector::setNetwork);
    QObject::connect(&document.result, &ResultModel::changed, &inspector,
                     [&document, &inspector, &reconstructor = parts.reconstructor] {
                         if (const ResultRef& result = document.result.current())
                             inspector.setResult(*result, reconstructor.stepHistory());
                     });
    QObject::connect(&document.run, &RunModel::changed, &inspector, [&document, &inspector] {
        inspector.setAnotherSample(document.run.showsAnotherSample());
        // Dimming draws the inspector twice, so only an inspector with a result is dimmed.
        inspector.setStale(document.result.current() && document.run.state().isReconstructing());
    });
    QObject::connect(&document.fit, &FitModel::choiceChanged, &inspector, [&document, &inspector] {
        inspector.measures().setFitExpected(document.fit.choice().on);
    });
}

ExportCommands& addExportFeatures(const FeatureContext& context, const WindowPanes& panes,
                                  const render::Instance& instance) {
    ExportCommands& exports = addExportCommands(context, panes, instance);
    addFigureExport(context);
    addWebPageExport(context);
    return exports;
}

WindowNetwork addRunFeatures(const WindowParts& parts, NetworkClient& client) {
    LiveUpdate& liveUpdate = addLiveUpdate(parts.context, parts.layout.input, client);
    FitRunner& fitRunner =
        addFitRunner(parts.context, parts.layout.panes.viewport, client, liveUpdate);
    QObject::connect(
        &fitRunner, &FitRunner::fitted, &parts.reconstructor,
        [&reconstructor = parts.reconstructor](const ResultRef& result) {
            reconstructor.stepHistory().addFit(result->fitted()->fit.result->milliseconds);
        });
    return {client, liveUpdate, fitRunner};
}

// Enables Cancel while a run or the reading of a file can be cancelled.
void connectCancel(const FeatureContext& context, const FileTasks& tasks) {
    const auto refresh = [context, &tasks] {
        context.actions.cancel->setEnabled(context.document.run.state().isActive() ||
                                           tasks.isBusy());
    };
    QObject::connect(&context.document.run, &RunModel::changed, &context.window, refresh);
    QObject::connect(&context.document.run, &RunModel::advanced, &context.window, refresh);
    QObject::connect(&tasks, &FileTasks::busyChanged, &context.window, refresh);
}

void addInputFeatures(const FeatureContext& context, InputPanel& input, NetworkClient& client,
                      const OpenedFiles& files) {
    const SlotOutlines& outlines = addSlotOutlines(context, input);
    PhotographViewer& viewer = addPhotographViewer(context, input, outlines);
    PhotographsPage& page = addPhotographsPage(context.actions, input);
    CameraEditor& cameras = addCameraEditor(context, input);
    FindCamerasRow& findCameras = addFindCamerasRow(context, input, cameras, page.cameras());
    PhotographOpener& photographOpener = addPhotographOpener(context);
    QObject::connect(&files, &OpenedFiles::imagesRequested, &photographOpener,
                     &PhotographOpener::open);
    QObject::connect(&photographOpener, &PhotographOpener::openedWithoutCameras, &findCameras,
                     &FindCamerasRow::findMarkers);
    addViewCommands(context, input, client);
    addCutOut(context, input, page, viewer);
    addMaskSheet(context, input, page, viewer);
}

void connectPaneMenus(const FeatureContext& context, const WindowPanes& panes,
                      ExportCommands& exports, ResultsList& results) {
    panes.headers.addOpening([&results](QMenu& menu, const std::function<void()>& choosePane) {
        results.addEarlier(menu, choosePane);
    });
    panes.headers.addCommands(
        [&actions = context.actions, &exports](QMenu& menu, std::size_t pane) {
            menu.addAction(MainWindow::tr("Copy &picture"), &exports,
                           [&exports, pane] { exports.copyPane(pane); });
            menu.addActions({actions.screenshot, actions.exportMesh});
        });
    QObject::connect(
        &panes.viewport, &Viewport::menuRequested, &panes.headers, [panes](QPointF position) {
            const Viewport& viewport = panes.viewport;
            const Viewport::PanePosition at = viewport.panePositionAt(position);
            panes.headers.showMenu(at.pane, at.position.x / viewport.cameras().paneSize().x,
                                   viewport.mapToGlobal(position.toPoint()));
        });
}

ResultsList& addInspectorFeatures(const WindowParts& parts, LiveUpdate& liveUpdate,
                                  OpenedFiles& files) {
    const FeatureContext& context = parts.context;
    Inspector& inspector = parts.layout.inspector;
    addMeasures(context, inspector);
    addMeshesAlone(context, inspector, liveUpdate);
    ResultsList& results = addResultsList(context, parts.layout.panes.viewport, inspector);
    QObject::connect(
        &results, &ResultsList::compareRequested, &files,
        [&files](const ResultRef& other) { files.nextMeshSource().showResult(other); });
    return results;
}

// Connects the photographs shown as textures and in panes. They are read only after the first
// picture of a new result is on the screen.
void connectPhotographs(const WindowParts& parts) {
    const WindowModels& models = parts.models;
    Viewport& viewport = parts.layout.panes.viewport;
    PaneHeaders& headers = parts.layout.panes.headers;
    QObject::connect(&models.openedValues, &OpenedMeshValues::changed, &headers,
                     &PaneHeaders::refresh);
    QObject::connect(&models.photographs, &PhotographTextures::changed, &headers,
                     &PaneHeaders::refresh);
    QObject::connect(&models.photographs, &PhotographTextures::failed, &parts.context.banner,
                     &Banner::show);
    for (FirstPictureGate* gate :
         {&models.photographs.firstPictureGate(), &models.photographPane.firstPictureGate()}) {
        gate->enable();
        QObject::connect(&viewport, &Viewport::presented, &parts.scene,
                         [gate, &scene = parts.scene](quint64 serial) {
                             if (serial >= scene.firstSerialOfResult()) gate->open();
                         });
    }
    QObject::connect(
        &models.photographPane, &PhotographPane::objectSeen, &viewport,
        [&document = models.document, &viewport](const auto& corners, const Camera& camera) {
            if (document.run.shownResult(MeshId::firstPublished) || viewport.camerasMovedByUser())
                return;
            viewport.setFramedPoints(FramedPoints(corners));
            viewport.lookInDirectionOf(camera);
        });
}

void addPaneFeatures(const WindowParts& parts) {
    const FeatureContext& context = parts.context;
    const WindowPanes& panes = parts.layout.panes;
    connectPhotographs(parts);
    addViewAids(context, panes.viewport, parts.models.cameraLayers);
    addLegend(context, panes.below);
    addQuantityMenu(context);
    addComparison(context, panes);
    addSampleLayouts(context.document, context.input);
}

void addHelpFeatures(const FeatureContext& context, const WindowPanes& panes, NetworkClient& client,
                     LogStore& log) {
    addUnusedGpu(context.status, client);
    addLog(context.window, context.actions, log);
    addAbout(context, panes.viewport, client);
    addShortcuts(context.window, context.actions);
    addMenuHover(context.window);
    addFirstRunHint(context.window, context.settings, panes);
}

}  // namespace

WindowFeatures addFeatures(const WindowParts& parts, const WindowSetup& setup,
                           NetworkClient& client) {
    const FeatureContext& context = parts.context;
    const WindowLayout& layout = parts.layout;
    addWindowTitle(context);
    connectActions(parts, client);
    connectInspector(parts, client);
    ExportCommands& exports = addExportFeatures(context, layout.panes, setup.instance);
    addUndoHistory(context);
    const WindowNetwork network = addRunFeatures(parts, client);
    DataSetBrowser& dataSet = addDataSetFeature(context, layout.input, layout.inputSide).browser();
    layout.inputSide.setSizes(kDefaultInputHeights);
    auto& lists = *new BatchRun(client, &context.window);
    lists.setMachineOf(setup.machineOf);
    NetworkMenu& networks =
        addNetworkMenu(context, client, setup.networks, [&lists] { return lists.isActive(); });
    OpenedFiles& files = addFiles(context, layout.panes, client, networks);
    connectCancel(context, files.tasks());
    addInputFeatures(context, layout.input, client, files);
    addProfileOverlay(context, layout.panes.viewport, network);
    ResultsList& results = addInspectorFeatures(parts, network.liveUpdate, files);
    connectPaneMenus(context, layout.panes, exports, results);
    addPaneFeatures(parts);
    BatchFeature& batch = addBatchFeature(context, lists, dataSet);
    QObject::connect(&files, &OpenedFiles::listRequested, &batch, &BatchFeature::openDialog);
    addReconstructAccent(context);
    addHelpFeatures(context, layout.panes, client, *setup.logStore);
    return {exports, files, batch, network.fitRunner};
}

}  // namespace threefold::ui
