#pragma once

#include "ui/document/kept_results.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// File > Export figure…: the pinned results, or else all kept ones, as `threefold figure` draws
/// them, with the look of the window. `kept` must outlive the window's actions.
void addFigureExport(const WindowParts& parts, const KeptResults& kept);

}  // namespace threefold::ui
