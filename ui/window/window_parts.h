#pragma once

#include "ui/panes/window_panes.h"
#include "ui/run/window_network.h"
#include "ui/shell/feature_context.h"
#include "ui/window/window_models.h"

class QSplitter;

namespace threefold::ui {

class BatchFeature;
class ExportCommands;
class Inspector;
class OpenedFiles;
class Reconstructor;
class WindowScene;
struct WindowSetup;

/// The window's fixed widgets, which features extend; owned by the window.
struct WindowLayout {
    QSplitter& columns;    ///< `inputSide`, panes and `inspectorSide`
    QSplitter& inputSide;  ///< from the top: input panel, data set
    InputPanel& input;
    WindowPanes panes;
    QWidget& inspectorSide;
    Inspector& inspector;
};

/// Parts of the window that exist before the features are added, in the order of makeParts().
struct WindowParts {
    WindowModels models;
    WindowLayout layout;
    WindowScene& scene;
    Reconstructor& reconstructor;
    FeatureContext context;
};

/// The features that the window itself uses.
struct WindowFeatures {
    ExportCommands& exports;
    OpenedFiles& files;
    BatchFeature& batch;
    FitRunner& fitRunner;
};

/// Makes the document with the look of the settings, in which later looks are kept, and the other
/// models, as children of the window or of the document.
WindowModels makeModels(QMainWindow& window, QSettings& settings, const NetworkClient& client);

/// Makes the window's widgets, and arranges them with the banner and the status line of `context`.
WindowLayout makeLayout(const WindowContext& context, const WindowModels& models,
                        const WindowSetup& setup, const NetworkClient& client);

/// Makes all parts, each from the parts before it. The window owns them.
WindowParts makeParts(QMainWindow& window, const WindowSetup& setup, NetworkClient& client);

/// Adds all features to the window. Commands appear in their menus in the order in which the
/// features are added.
WindowFeatures addFeatures(const WindowParts& parts, const WindowSetup& setup,
                           NetworkClient& client);

}  // namespace threefold::ui
