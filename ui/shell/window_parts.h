#pragma once

class QSettings;
class QSplitter;
class QVBoxLayout;

namespace threefold::ui {

class Actions;
class Banner;
class Document;
class InputPanel;
class Inspector;
class LogStore;
class Shell;
class StatusLine;
class Viewport;
class Worker;

/// What a feature of the window works with. A feature is a QObject of its own (parent: the window)
/// that adds its actions and widgets and connects them; ui/window/main_window_features.cpp lists
/// them all. Everything here outlives every feature.
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
    QVBoxLayout& belowPanes;  ///< rows under the panes: legend, the slider of the way, …
    QSplitter& inputSide;     ///< the left side, downwards: the input panel, the data set
    LogStore& logged;
};

}  // namespace threefold::ui
