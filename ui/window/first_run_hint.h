#pragma once

class QMainWindow;
class QSettings;

namespace threefold::ui {

struct WindowPanes;

/// Adds a line of help under the panes for new users. The line stays until closed, since nothing
/// may move under the pointer. Later windows omit it once the user has done the first steps.
void addFirstRunHint(QMainWindow& window, QSettings& settings, const WindowPanes& panes);

}  // namespace threefold::ui
