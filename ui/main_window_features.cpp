// The features of the window: each adds its own commands and widgets and minds itself from then on.
#include <QVBoxLayout>

#include "ui/batch_feature.h"
#include "ui/camera_editor.h"
#include "ui/compare_features.h"
#include "ui/comparison_values.h"
#include "ui/continuous.h"
#include "ui/dataset_browser.h"
#include "ui/dataset_feature.h"
#include "ui/file_actions.h"
#include "ui/first_run_hint.h"
#include "ui/legend.h"
#include "ui/log_feature.h"
#include "ui/main_window.h"
#include "ui/own_images.h"
#include "ui/profile_overlay.h"
#include "ui/quantity_menu.h"
#include "ui/shortcuts_feature.h"
#include "ui/slot_outlines.h"
#include "ui/theme_follower.h"
#include "ui/undo.h"
#include "ui/window_parts.h"
#include "ui/window_reset.h"

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
    new CameraEditor(parts);
    new OwnImages(parts);
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
    addWindowReset(parts);
    FirstRunHint::addTo(parts);
}

}  // namespace threefold::ui
