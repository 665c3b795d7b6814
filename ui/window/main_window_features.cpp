// The features of the window. Each adds its own commands and widgets.

#include "ui/batch/batch_feature.h"
#include "ui/document/camera_layers.h"
#include "ui/document/measured_meshes.h"
#include "ui/document/opened_mesh_values.h"
#include "ui/document/photograph_paint.h"
#include "ui/files/opened_files.h"
#include "ui/input/camera_editor.h"
#include "ui/input/enlarged_photograph.h"
#include "ui/input/find_cameras_row.h"
#include "ui/input/photographs_page.h"
#include "ui/input/slot_outlines.h"
#include "ui/input/undo.h"
#include "ui/inspect/legend.h"
#include "ui/inspect/quantity_menu.h"
#include "ui/inspect/results_list.h"
#include "ui/panes/compare_features.h"
#include "ui/panes/pane_header.h"
#include "ui/profile/profile_overlay.h"
#include "ui/run/network_menu.h"
#include "ui/run/view_choices.h"
#include "ui/window/main_window.h"

namespace threefold::ui {

#define THREEFOLD_FEATURE(add, types, values) void add types;
#include "ui/window/features.inl"
#undef THREEFOLD_FEATURE
void addMeshesAlone(const WindowParts&, InputPanel&, Inspector&, ContinuousMode&);
void addViewAids(const WindowParts&, Viewport&, const CameraLayers&);
void addFigureExport(const WindowParts&, const ResultHistory&);
void addWebPageExport(const WindowParts&, const ShownValues&, const MeasuredMeshes&);

void MainWindow::addFeatures() {
    const WindowParts parts{*this,           *document_,   *actions_,   *banner_,      *status_,
                            setup_.settings, *belowPanes_, *inputSide_, *setup_.logged};
    reconstructor_ = new Reconstructor(parts, *input_, *viewport_, *requests_);
    connect(reconstructor_, &Reconstructor::partialReady, this, [this] {
        awaitedPartial_ = viewport_->newestSerial();
        partialSince_ =
            reconstructor_->sincePost();  // the next run may begin before the picture is shown
    });
    connect(reconstructor_, &Reconstructor::resultReady, this,
            [this] { awaitedSerial_ = viewport_->newestSerial(); });
    connect(requests_.get(), &NetworkRequests::networkReady, inspector_, &Inspector::setBackend);
    connect(&document_->result, &ResultModel::changed, inspector_, [this] {
        if (const ResultRef& result = document_->result.current())
            inspector_->setResult(*result, reconstructor_->history());
    });
    measured_ = new MeasuredMeshes(*document_);
    saving_ = new Saving(parts, shown_, *viewport_, setup_.instance, *container_);
    new UndoHistory(parts, *input_);
    auto* kept = new ResultHistory(*document_);
    addFigureExport(parts, *kept);
    addWebPageExport(parts, shown_, *measured_);
    auto* continuous = new ContinuousMode(parts, *input_, *requests_, *kept);
    fits_ = new FitMode(parts, *viewport_, *requests_, *continuous);
    connect(fits_, &FitMode::fitted, this, [this](const ResultRef& result) {
        reconstructor_->history().addFit(result->fit->outcome.fit.milliseconds);
    });
    auto* dataset = new DataSetFeature(parts, *input_);
    auto* networks = new NetworkMenu(
        parts, *input_, *requests_, {setup_.openNetwork, setup_.openChosen, setup_.devices, [this] {
                                         return batch_ != nullptr && batch_->run().active();
                                     }});
    files_ = &addFiles(parts, *input_, *viewport_, *requests_, *networks, *headers_, *measured_);
    const auto followRun = [this] {
        actions_->cancel->setEnabled(document_->run.state().active() || files_->reading().busy());
    };
    connect(&document_->run, &RunModel::changed, this, followRun);
    connect(&document_->run, &RunModel::advanced, this, followRun);
    connect(&files_->reading(), &FileReading::busyChanged, this, followRun);
    auto* enlarged = new EnlargedPhotograph(parts, *input_, *new SlotOutlines(parts, *input_));
    auto* page = new PhotographsPage(parts, *input_);
    auto* cameras = new CameraEditor(parts, *input_);
    auto* own = new FindCamerasRow(parts, *input_, *cameras, page->cameras());
    connect(files_, &OpenedFiles::imagesRequested, own, &FindCamerasRow::open);
    new ViewChoices(parts, *input_, *requests_);
    new ProfileOverlay(parts, *viewport_, *requests_, *continuous, *fits_);
    connect(openedValues_, &OpenedMeshValues::changed, this, &MainWindow::showScene);
    connect(openedValues_, &OpenedMeshValues::changed, headers_, &PaneHeaders::follow);
    addMeasures(parts, *inspector_, *measured_);
    addMeshesAlone(parts, *input_, *inspector_, *continuous);
    auto* results = new ResultsList(parts, *viewport_, *inspector_, *kept, *measured_);
    connect(results, &ResultsList::compareRequested, this,
            [this](const ResultRef& other) { files_->nextMeshSource().showResult(other); });
    headers_->addOpening([results](QMenu& menu, const std::function<void()>& choosePane) {
        results->addEarlier(menu, choosePane);
    });
    headers_->addCommands([this](QMenu& menu, std::size_t pane) {
        menu.addAction(tr("Copy &picture"), saving_, [this, pane] { saving_->copyPane(pane); });
        menu.addActions({actions_->screenshot, actions_->exportMesh});
    });
    connect(viewport_, &Viewport::menuRequested, this, [this](QPointF position) {
        const Viewport::PanePosition at = viewport_->panePositionAt(position);
        headers_->showMenu(at.pane, at.position.x / viewport_->cameras().paneSize().x,
                           viewport_->mapToGlobal(position.toPoint()));
    });
    connect(photographs_, &PhotographPaint::changed, this, &MainWindow::showScene);
    connect(photographs_, &PhotographPaint::changed, headers_, &PaneHeaders::follow);
    connect(photographs_, &PhotographPaint::failed, banner_, &Banner::show);
    cameraLayers_ = new CameraLayers(*document_, requests_->views());
    connect(&document_->result, &ResultModel::changed, this,
            [this] { newestResult_ = viewport_->newestSerial(); });
    for (FirstPictureGate* gate : {&photographs_->gate(), &cameraLayers_->gate()}) {
        gate->enable();
        connect(viewport_, &Viewport::presented, this, [this, gate](quint64 serial) {
            if (serial >= newestResult_) gate->open();
        });
    }
    connect(cameraLayers_, &CameraLayers::changed, this, &MainWindow::showScene);
    connect(cameraLayers_, &CameraLayers::objectSeen, viewport_,
            [this](const auto& corners, const Camera& camera) {
                if (document_->run.shownResult(MeshId::first) || viewport_->camerasMovedByUser())
                    return;
                viewport_->setExtents(Extent(corners));
                viewport_->lookInDirectionOf(camera);
            });
    addViewAids(parts, *viewport_, *cameraLayers_);
    belowPanes_->insertWidget(0, new Legend(*document_, shown_));
    new QuantityMenu(parts, shown_);
    addComparing(parts, shown_, *viewport_);
    batch_ = new BatchFeature(parts, *requests_, dataset->browser());
    connect(files_, &OpenedFiles::listRequested, batch_, &BatchFeature::ask);
#define THREEFOLD_FEATURE(add, types, values) add values;
#include "ui/window/features.inl"
#undef THREEFOLD_FEATURE
}

}  // namespace threefold::ui
