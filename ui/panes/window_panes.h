#pragma once

class QBoxLayout;
class QWidget;

namespace threefold::ui {

class PaneHeaders;
class Viewport;

/// The panes of the window, with the widgets around them.
struct WindowPanes {
    Viewport& viewport;
    QWidget& container;  ///< holds the viewport
    PaneHeaders& headers;
    QBoxLayout& below;  ///< rows under the panes
};

}  // namespace threefold::ui
