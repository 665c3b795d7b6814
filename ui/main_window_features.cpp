// The features of the window: each adds its own commands and widgets and minds itself from then on.
#include "ui/compare_features.h"
#include "ui/continuous.h"
#include "ui/dataset_feature.h"
#include "ui/main_window.h"
#include "ui/profile_overlay.h"
#include "ui/undo.h"
#include "ui/window_parts.h"

namespace threefold::ui {

void MainWindow::addFeatures(QVBoxLayout& belowPanes) {
    const WindowParts parts{*this,       *document_,  *actions_,     *viewport_, *input_,
                            *inspector_, *banner_,    *status_,      *worker_,   setup_.settings,
                            belowPanes,  *inputSide_, *setup_.logged};
    new UndoHistory(parts);
    new ContinuousMode(parts);
    new DatasetFeature(parts);
    new ProfileOverlay(parts);  // after what it tells of
    addComparing(parts);
}

}  // namespace threefold::ui
