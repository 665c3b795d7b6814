#pragma once

#include <QSettings>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/document/log_store.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/shell.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {

class InputPanel;
class Inspector;
class Viewport;
class Worker;

/// The parts of the window that a feature uses. A feature is a QObject, child of the window, that
/// adds its own actions and widgets; ui/window/main_window_features.cpp and features.inl list them.
/// These parts outlive them.
struct WindowParts {
    Shell& window;
    Document& document;
    Actions& actions;
    Viewport& viewport;
    InputPanel& input;
    Inspector& inspector;
    Banner& banner;
    StatusLine& status;
    Worker& worker;
    QSettings& settings;
    QVBoxLayout& belowPanes;  ///< rows under the panes: legend, slider of the stages, …
    QSplitter& inputSide;     ///< left side, from the top: the input panel, the data set
    LogStore& logged;
};

}  // namespace threefold::ui
