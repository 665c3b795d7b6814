#pragma once

#include "ui/window/window_parts.h"

namespace threefold::ui {

/// Adds the command that gives panels, docks, look and theme back as they came. What the user
/// opened, and where, is kept.
void addWindowReset(const WindowParts& parts);

}  // namespace threefold::ui
