// The features of the window: each adds its own commands and widgets and minds itself from then on.
#include <QVBoxLayout>

#include "ui/batch/batch_feature.h"
#include "ui/document/comparison_values.h"
#include "ui/files/file_actions.h"
#include "ui/input/camera_editor.h"
#include "ui/input/dataset_browser.h"
#include "ui/input/dataset_feature.h"
#include "ui/input/own_images.h"
#include "ui/input/slot_outlines.h"
#include "ui/input/undo.h"
#include "ui/inspect/legend.h"
#include "ui/inspect/quantity_menu.h"
#include "ui/panes/compare_features.h"
#include "ui/profile/profile_overlay.h"
#include "ui/run/continuous.h"
#include "ui/shell/window_parts.h"
#include "ui/window/first_run_hint.h"
#include "ui/window/log_feature.h"
#include "ui/window/main_window.h"
#include "ui/window/shortcuts_feature.h"
#include "ui/window/theme_follower.h"
#include "ui/window/window_reset.h"

namespace threefold::ui {

void MainWindow::addFeatures(QVBoxLayout& belowPanes) {
    const WindowParts parts{*this,       *document_,  *actions_,     *viewport_, *input_,
                            *inspector_, *banner_,    *status_,      *worker_,   setup_.settings,
                            belowPanes,  *inputSide_, *setup_.logged};
    new UndoHistory(parts);
    new ContinuousMode(parts);
    auto* dataset = new DatasetFeature(parts);
    addFiles(parts);
    new SlotOutlines(parts);
    auto* cameras = new CameraEditor(parts);
    new OwnImages(parts, *cameras);
    new ProfileOverlay(parts);  // after what it tells of
    auto* comparisonValues = new ComparisonValues(*document_);
    connect(comparisonValues, &ComparisonValues::changed, this, &MainWindow::showScene);
    belowPanes.insertWidget(0, new Legend(*document_));
    new QuantityMenu(parts);
    addComparing(parts);
    new BatchFeature(parts, dataset->browser());
    new LogFeature(parts);
    new ShortcutsFeature(parts);
    new ThemeFollower(parts);
    addWindowReset(*this, parts);
    FirstRunHint::addTo(parts);
}

}  // namespace threefold::ui
