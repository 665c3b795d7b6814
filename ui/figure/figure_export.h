#pragma once

namespace threefold::ui {

struct FeatureContext;

/// Adds File > Export figure…, which draws the pinned results, or all earlier results if none is
/// pinned, like `threefold figure` and with the look of the window.
void addFigureExport(const FeatureContext& context);

}  // namespace threefold::ui
