// The features of the window. Each adds its own commands and widgets.
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/batch/batch_feature.h"
#include "ui/document/camera_layers.h"
#include "ui/document/measured_meshes.h"
#include "ui/document/opened_mesh_values.h"
#include "ui/document/photograph_pane.h"
#include "ui/document/photograph_textures.h"
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
#include "ui/run/unused_gpu.h"
#include "ui/run/view_commands.h"
#include "ui/window/about.h"
#include "ui/window/first_picture_tasks.h"
#include "ui/window/first_run_hint.h"
#include "ui/window/log_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/menu_hover.h"
#include "ui/window/meshes_alone.h"
#include "ui/window/reconstruct_accent.h"
#include "ui/window/shortcuts_sheet.h"

namespace threefold::ui {

// Commands appear in their menus in the order in which the features are added.
void MainWindow::addFeatures() {
    const WindowContext parts{*this, *document_, *actions_, *banner_, *status_, setup_.settings};
    addReconstructor(parts);
    measured_ = new MeasuredMeshes(*document_);
    const FeatureContext context{parts,  *reconstructor_, *inputModel_,
                                 shown_, *measured_,      *new ResultHistory(*document_)};
    const WindowPanes panes{*viewport_, *container_, *headers_, *belowPanes_};
    addExportFeatures(context, panes);
    addUndoHistory(context);
    const WindowNetwork network = addRunFeatures(context);
    DataSetBrowser& dataSet = addDataSetFeature(context, *input_, *inputSide_).browser();
    inputSide_->setSizes(kDefaultInputHeights);
    auto& lists = *new BatchRun(*client_, this);
    lists.setMachineOf(setup_.machineOf);
    NetworkMenu& networks =
        addNetworkMenu(context, *client_, setup_.networks, [&lists] { return lists.isActive(); });
    files_ = &addFiles(context, panes, *client_, networks);
    connectCancel();  // needs files_
    addInputFeatures(context);
    addProfileOverlay(context, *viewport_, network);
    addInspectorFeatures(context, network.liveUpdate);
    addPaneFeatures(context, panes);
    batch_ = &addBatchFeature(context, lists, dataSet);
    connect(files_, &OpenedFiles::listRequested, batch_, &BatchFeature::openDialog);
    addReconstructAccent(context);
    addHelpFeatures(context, panes);
    firstPictureTasks_ = new FirstPictureTasks(
        *this, {*document_, *photographs_, *files_, *fitRunner_, *exports_, *reconstructor_});
}

void MainWindow::addExportFeatures(const FeatureContext& context, const WindowPanes& panes) {
    exports_ = &addExportCommands(context, panes, setup_.instance);
    addFigureExport(context);
    addWebPageExport(context);
}

WindowNetwork MainWindow::addRunFeatures(const FeatureContext& context) {
    LiveUpdate& liveUpdate = addLiveUpdate(context, *input_, *client_);
    fitRunner_ = &addFitRunner(context, *viewport_, *client_, liveUpdate);
    connect(fitRunner_, &FitRunner::fitted, this, [this](const ResultRef& result) {
        reconstructor_->stepHistory().addFit(result->fitted()->fit.result->milliseconds);
    });
    return {*client_, liveUpdate, *fitRunner_};
}

void MainWindow::addInputFeatures(const FeatureContext& context) {
    const SlotOutlines& outlines = addSlotOutlines(context, *input_);
    PhotographViewer& viewer = addPhotographViewer(context, *input_, outlines);
    PhotographsPage& page = addPhotographsPage(*actions_, *input_);
    CameraEditor& cameras = addCameraEditor(context, *input_);
    FindCamerasRow& findCameras = addFindCamerasRow(context, *input_, cameras, page.cameras());
    PhotographOpener& photographOpener = addPhotographOpener(context);
    connect(files_, &OpenedFiles::imagesRequested, &photographOpener, &PhotographOpener::open);
    connect(&photographOpener, &PhotographOpener::openedWithoutCameras, &findCameras,
            &FindCamerasRow::findMarkers);
    addViewCommands(context, *input_, *client_);
    addCutOut(context, *input_, page, viewer);
    addMaskSheet(context, *input_, page, viewer);
}

void MainWindow::addInspectorFeatures(const FeatureContext& context, LiveUpdate& liveUpdate) {
    connect(openedValues_, &OpenedMeshValues::changed, this, &MainWindow::showScene);
    connect(openedValues_, &OpenedMeshValues::changed, headers_, &PaneHeaders::refresh);
    addMeasures(context, *inspector_);
    addMeshesAlone(context, *inspector_, liveUpdate);
    ResultsList& results = addResultsList(context, *viewport_, *inspector_);
    connect(&results, &ResultsList::compareRequested, this,
            [this](const ResultRef& other) { files_->nextMeshSource().showResult(other); });
    connectPaneMenus(results);
}

void MainWindow::addPaneFeatures(const FeatureContext& context, const WindowPanes& panes) {
    connectPhotographs();
    addViewAids(context, *viewport_, *cameraLayers_);
    addLegend(context, panes.below);
    addQuantityMenu(context);
    addComparison(context, panes);
    addSampleLayouts(*document_, *inputModel_);
}

void MainWindow::addHelpFeatures(const FeatureContext& context, const WindowPanes& panes) {
    addUnusedGpu(*status_, *client_);
    addLog(*this, *actions_, *setup_.logStore);
    addAbout(context, *viewport_, *client_);
    addShortcuts(*this, *actions_);
    addMenuHover(*this);
    addFirstRunHint(*this, setup_.settings, panes);
}

void MainWindow::addReconstructor(const WindowContext& context) {
    reconstructor_ = new Reconstructor(context, *inputModel_, *viewport_, *client_);
    connect(reconstructor_, &Reconstructor::partialReady, this, [this] {
        partialSerial_ = viewport_->newestSerial();
        // A copy: the next run may begin before the picture is shown.
        partialRunWatch_ = reconstructor_->watchOfPostedRun();
    });
    connect(reconstructor_, &Reconstructor::resultReady, this,
            [this] { resultSerial_ = viewport_->newestSerial(); });
    connect(client_.get(), &NetworkClient::networkReady, inspector_, &Inspector::setNetwork);
    connect(&document_->result, &ResultModel::changed, inspector_, [this] {
        if (const ResultRef& result = document_->result.current())
            inspector_->setResult(*result, reconstructor_->stepHistory());
    });
}

// Enables Cancel while a run or the reading of a file can be cancelled.
void MainWindow::connectCancel() {
    const auto refresh = [this] {
        actions_->cancel->setEnabled(document_->run.state().isActive() || files_->tasks().isBusy());
    };
    connect(&document_->run, &RunModel::changed, this, refresh);
    connect(&document_->run, &RunModel::advanced, this, refresh);
    connect(&files_->tasks(), &FileTasks::busyChanged, this, refresh);
}

void MainWindow::connectPaneMenus(ResultsList& results) {
    headers_->addOpening([&results](QMenu& menu, const std::function<void()>& choosePane) {
        results.addEarlier(menu, choosePane);
    });
    headers_->addCommands([this](QMenu& menu, std::size_t pane) {
        menu.addAction(tr("Copy &picture"), exports_, [this, pane] { exports_->copyPane(pane); });
        menu.addActions({actions_->screenshot, actions_->exportMesh});
    });
    connect(viewport_, &Viewport::menuRequested, this, [this](QPointF position) {
        const Viewport::PanePosition at = viewport_->panePositionAt(position);
        headers_->showMenu(at.pane, at.position.x / viewport_->cameras().paneSize().x,
                           viewport_->mapToGlobal(position.toPoint()));
    });
}

// Connects the photographs shown as textures and in panes. They are read only after the first
// picture of a new result is on the screen.
void MainWindow::connectPhotographs() {
    connect(photographs_, &PhotographTextures::changed, this, &MainWindow::showScene);
    connect(photographs_, &PhotographTextures::changed, headers_, &PaneHeaders::refresh);
    connect(photographs_, &PhotographTextures::failed, banner_, &Banner::show);
    cameraLayers_ = new CameraLayers(*document_, client_->viewCache());
    photographPane_ = new PhotographPane(*document_, client_->viewCache());
    connect(&document_->result, &ResultModel::changed, this,
            [this] { firstSerialOfResult_ = viewport_->newestSerial(); });
    for (FirstPictureGate* gate :
         {&photographs_->firstPictureGate(), &photographPane_->firstPictureGate()}) {
        gate->enable();
        connect(viewport_, &Viewport::presented, this, [this, gate](quint64 serial) {
            if (serial >= firstSerialOfResult_) gate->open();
        });
    }
    connect(cameraLayers_, &CameraLayers::changed, this, &MainWindow::showScene);
    connect(photographPane_, &PhotographPane::changed, this, &MainWindow::showScene);
    connect(photographPane_, &PhotographPane::objectSeen, viewport_,
            [this](const auto& corners, const Camera& camera) {
                if (document_->run.shownResult(MeshId::firstPublished) ||
                    viewport_->camerasMovedByUser())
                    return;
                viewport_->setFramedPoints(FramedPoints(corners));
                viewport_->lookInDirectionOf(camera);
            });
}

}  // namespace threefold::ui
