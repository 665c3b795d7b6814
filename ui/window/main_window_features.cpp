// The features of the window. Each adds its own commands and widgets.
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/batch/batch_feature.h"
#include "ui/document/camera_layers.h"
#include "ui/document/measured_meshes.h"
#include "ui/document/opened_mesh_values.h"
#include "ui/document/photograph_pane.h"
#include "ui/document/photograph_textures.h"
#include "ui/figure/figure_features.h"
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
#include "ui/window/main_window.h"
#include "ui/window/window_features.h"

namespace threefold::ui {

// Commands appear in their menus in the order in which the features are made.
void MainWindow::addFeatures() {
    const WindowContext parts{*this, *document_, *actions_, *banner_, *status_, setup_.settings};
    addReconstructor(parts);
    const FeatureContext context{parts, *reconstructor_};
    measured_ = new MeasuredMeshes(*document_);
    exports_ = new ExportCommands(context, shown_, *viewport_, setup_.instance, *container_);
    new UndoHistory(context, *inputModel_);
    auto* history = new ResultHistory(*document_);
    addFigureExport(context, *history);
    addWebPageExport(context, shown_, *measured_);
    auto* liveUpdate = new LiveUpdate(context, *input_, *client_, *history);
    fitRunner_ = new FitRunner(context, *viewport_, *client_, *liveUpdate);
    connect(fitRunner_, &FitRunner::fitted, this, [this](const ResultRef& result) {
        reconstructor_->stepHistory().addFit(result->fit()->outcome.fit.milliseconds);
    });
    auto* dataset = new DataSetFeature(context, *input_, *inputSide_);
    inputSide_->setSizes(kDefaultInputHeights);
    auto* networks = new NetworkMenu(context, *inputModel_, *client_, setup_.networks, [this] {
        return batch_ != nullptr && batch_->run().isActive();
    });
    files_ =
        &addFiles(context, *inputModel_, *viewport_, *client_, *networks, *headers_, *measured_);
    connectCancel();  // needs files_
    auto* viewer = new PhotographViewer(context, *input_, *new SlotOutlines(context, *input_));
    auto* page = new PhotographsPage(*actions_, *input_);
    auto* cameras = new CameraEditor(context, *input_);
    auto* findCameras = new FindCamerasRow(context, *input_, *cameras, page->cameras());
    auto* photographOpener = new PhotographOpener(context, *inputModel_);
    connect(files_, &OpenedFiles::imagesRequested, photographOpener, &PhotographOpener::open);
    connect(photographOpener, &PhotographOpener::openedWithoutCameras, findCameras,
            &FindCamerasRow::findMarkers);
    new ViewCommands(context, *input_, *client_);
    new ProfileOverlay(context, *viewport_, *client_, *liveUpdate, *fitRunner_);
    connect(openedValues_, &OpenedMeshValues::changed, this, &MainWindow::showScene);
    connect(openedValues_, &OpenedMeshValues::changed, headers_, &PaneHeaders::refresh);
    addMeasures(context, *inspector_, *measured_);
    addMeshesAlone(context, *inputModel_, *inspector_, *liveUpdate);
    auto* results = new ResultsList(context, *viewport_, *inspector_, *history, *measured_);
    connect(results, &ResultsList::compareRequested, this,
            [this](const ResultRef& other) { files_->nextMeshSource().showResult(other); });
    connectPaneMenus(*results);
    connectPhotographs();
    addViewAids(context, *viewport_, *cameraLayers_);
    belowPanes_->insertWidget(0, new Legend(*document_, shown_));
    new QuantityMenu(context, shown_);
    addComparison(context, shown_, *viewport_, *belowPanes_);
    batch_ = new BatchFeature(context, *client_, dataset->browser());
    connect(files_, &OpenedFiles::listRequested, batch_, &BatchFeature::openDialog);
    addSampleLayouts(*document_, *inputModel_);
    addCutOut(context, *input_, page->masks());
    addMaskSheet(context, *input_, page->masks(), *viewer);
    addReconstructAccent(context, *inputModel_);
    addUnusedGpu(*status_, *client_);
    addLog(*this, *actions_, *setup_.logStore);
    addAbout(context, *viewport_, *client_);
    addShortcuts(*this, *actions_);
    addMenuHover(*this);
    addFirstRunHint(*this, setup_.settings, *viewport_, *belowPanes_);
}

void MainWindow::addReconstructor(const WindowContext& context) {
    reconstructor_ = new Reconstructor(context, *inputModel_, *viewport_, *client_);
    connect(reconstructor_, &Reconstructor::partialReady, this, [this] {
        awaitedPartialSerial_ = viewport_->newestSerial();
        sincePartialRunPosted_ =
            reconstructor_->sincePost();  // the next run may begin before the picture is shown
    });
    connect(reconstructor_, &Reconstructor::resultReady, this,
            [this] { awaitedResultSerial_ = viewport_->newestSerial(); });
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

// Photographs as textures and in the panes. They wait for the picture of a new result.
void MainWindow::connectPhotographs() {
    connect(photographs_, &PhotographTextures::changed, this, &MainWindow::showScene);
    connect(photographs_, &PhotographTextures::changed, headers_, &PaneHeaders::refresh);
    connect(photographs_, &PhotographTextures::failed, banner_, &Banner::show);
    cameraLayers_ = new CameraLayers(*document_, client_->viewCache());
    photographPane_ = new PhotographPane(*document_, client_->viewCache());
    connect(&document_->result, &ResultModel::changed, this,
            [this] { firstResultSerial_ = viewport_->newestSerial(); });
    for (FirstPictureGate* gate :
         {&photographs_->firstPictureGate(), &photographPane_->firstPictureGate()}) {
        gate->enable();
        connect(viewport_, &Viewport::presented, this, [this, gate](quint64 serial) {
            if (serial >= firstResultSerial_) gate->open();
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
