// All features of the window. Each adds its own commands and widgets.

#include "ui/batch/batch_feature.h"

#include "ui/document/comparison_values.h"
#include "ui/document/kept_results.h"
#include "ui/document/photograph_paint.h"
#include "ui/files/file_actions.h"
#include "ui/files/opened_files.h"
#include "ui/files/saving.h"
#include "ui/input/camera_editor.h"
#include "ui/input/dataset_browser.h"
#include "ui/input/dataset_feature.h"
#include "ui/input/enlarged_photograph.h"
#include "ui/input/own_images.h"
#include "ui/input/slot_outlines.h"
#include "ui/input/undo.h"
#include "ui/inspect/legend.h"
#include "ui/inspect/quantity_menu.h"
#include "ui/inspect/results_list.h"
#include "ui/panes/compare_features.h"
#include "ui/profile/profile_overlay.h"
#include "ui/run/continuous.h"
#include "ui/run/fit_mode.h"
#include "ui/run/model_menu.h"
#include "ui/run/view_choices.h"
#include "ui/shell/window_parts.h"
#include "ui/window/main_window.h"
#include "ui/window/theme_follower.h"
#include <QVBoxLayout>

// Declares and calls `void function(const WindowParts&)`: a feature that nothing else refers to
// needs no header, only a file of its own and a line below.
#define ADD_FEATURE(function)              \
    do {                                   \
        void function(const WindowParts&); \
        function(parts);                   \
    } while (false)

namespace threefold::ui {

void MainWindow::addFeatures() {
    const WindowParts parts{*this,        *document_,  *actions_,     *viewport_, *input_,
                            *inspector_,  *banner_,    *status_,      *worker_,   setup_.settings,
                            *belowPanes_, *inputSide_, *setup_.logged};
    saving_ = new Saving(parts, setup_.instance, *container_);
    new UndoHistory(parts);
    auto* kept = new KeptResults(*document_);
    auto* continuous = new ContinuousMode(parts, *kept);
    auto* fits = new FitMode(parts, *continuous);
    connect(fits, &FitMode::fitted, this,
            [this](const ResultRef& result) { history_.addFit(result->fit->fit.milliseconds); });
    auto* dataset = new DatasetFeature(parts);
    auto* models = new ModelMenu(parts, {setup_.makeBackend, setup_.openModel, [this] {
                                             return batch_ != nullptr && batch_->run().active();
                                         }});
    files_ = &addFiles(parts, *models);
    new EnlargedPhotograph(parts, *new SlotOutlines(parts));
    new ViewChoices(parts);
    auto* cameras = new CameraEditor(parts);
    new OwnImages(parts, *cameras);
    new ProfileOverlay(parts, *continuous, *fits);
    auto* comparisonValues = new ComparisonValues(*document_);
    connect(comparisonValues, &ComparisonValues::changed, this, &MainWindow::showScene);
    ADD_FEATURE(addMeasures);
    auto* results = new ResultsList(parts, *kept);
    connect(results, &ResultsList::compareAsked, files_,
            qOverload<const ResultRef&>(&OpenedFiles::compare));
    auto* photographs = new PhotographPaint(*document_, worker_->views());
    connect(photographs, &PhotographPaint::changed, this, &MainWindow::showScene);
    belowPanes_->insertWidget(0, new Legend(*document_));
    new QuantityMenu(parts);
    addComparing(parts);
    ADD_FEATURE(addViewAids);
    batch_ = new BatchFeature(parts, dataset->browser());
    connect(files_, &OpenedFiles::listAsked, batch_, &BatchFeature::ask);
    ADD_FEATURE(addReconstructInvitation);
    ADD_FEATURE(addLog);
    ADD_FEATURE(addShortcuts);
    new ThemeFollower(parts);
    ADD_FEATURE(addMenuHover);
    ADD_FEATURE(addFirstRunHint);
    if (setup_.greets) ADD_FEATURE(addGreeting);
}

}  // namespace threefold::ui
