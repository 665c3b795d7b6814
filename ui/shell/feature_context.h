#pragma once

#include <QMainWindow>
#include <QSettings>

#include "ui/document/shown_document.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/sample_opener.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {

class InputModel;
class MeasuredMeshes;
class ResultHistory;

/// Parts of the window that nearly all of its code uses.
struct WindowContext {
    QMainWindow& window;  ///< parent of dialogs and docks
    Document& document;
    Actions& actions;
    Banner& banner;
    StatusLine& status;
    QSettings& settings;
};

/// Services and models of the window that features use; all outlive the features. A feature is a
/// QObject, child of the window, that adds its own actions and widgets. A feature that uses one or
/// two services takes only these; any other feature takes the whole FeatureContext and, beside it,
/// the widgets or features that it changes, such as WindowPanes. addNAME() beside the class adds
/// the feature to the window; addFeatures() of ui/window calls all of these functions.
struct FeatureContext : WindowContext {
    SampleOpener& opener;
    InputModel& input;         ///< input of the next reconstruction
    ShownDocument shown;       ///< `document`, with all values and textures
    MeasuredMeshes& measured;  ///< scores of the document's meshes
    ResultHistory& history;    ///< earlier results
};

}  // namespace threefold::ui
