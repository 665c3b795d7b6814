#pragma once

#include "ui/shell/window_parts.h"

namespace threefold::ui {

class MainWindow;

/// Adds the command that gives panels, docks, look and theme back as they came. What the user
/// opened, and where, is kept.
void addWindowReset(MainWindow& window, const WindowParts& parts);

}  // namespace threefold::ui
